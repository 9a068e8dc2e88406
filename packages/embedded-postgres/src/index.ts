export { EmbeddedRefusal } from './refusal.ts'
export { type EmbeddedServer, type EmbeddedTarget, findRunning, startEmbedded } from './server.ts'
