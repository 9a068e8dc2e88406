export type { Agencies, Clinics, Records } from './catalog.ts'
export type { ChangesOptions } from './changes.ts'
export { OrderTesting } from './client.ts'
export {
  ConflictError,
  NetworkError,
  NotFoundError,
  OrderTestingError,
  RateLimitError,
  TimeoutError,
  type Problem,
} from './errors.ts'
export type * from './generated/catalog.ts'
export type * from './generated/orders.ts'
export type * from './generated/requests.ts'
export type { CreateOptions, Events, OrderCallbacks, OrderChangesOptions, Orders } from './orders.ts'
export type { List, Page } from './pages.ts'
export type { CallOptions, ClientOptions } from './transport.ts'
export * from './webhooks/index.ts'
