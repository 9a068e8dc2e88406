export * from './audit.ts'
export * from './endpoints.ts'
export * from './orders.ts'
export * from './results.ts'
