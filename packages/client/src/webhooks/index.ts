export {
  expressWebhook,
  fastifyWebhook,
  fetchWebhook,
  type FastifyLike,
  type NodeRequest,
  type NodeResponse,
} from './adapters.ts'
export { parseEvent, type Payload, type RawBody } from './delivery.ts'
export type { ReceiverOptions } from './receive.ts'
export { signTestWebhook, type TestDelivery } from './sign.ts'
export type { HeadersLike } from './signature.ts'
export { verifyWebhook, type Delivery, type WebhookRequest } from './verify.ts'
export { WebhookError, type WebhookRefusal } from './webhook-error.ts'
