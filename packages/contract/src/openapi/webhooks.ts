import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { Event } from '../events.ts'
import { Order } from '../orders.ts'
import { signV1, signV2 } from '../signature.ts'
import * as examples from './examples.ts'

const secret = examples.orderRequest.callback.auth.secretKey
const signedAt = new Date(examples.event.createdAt)

/** The requests that the service sends to callbacks. */
export const webhooks: ZodOpenApiPathsObject = {
  'order.updated': {
    post: delivery({
      operationId: 'orderUpdated',
      summary: 'An order changed',
      description:
        'Sent to the `callback.url` of an order created through `POST /api/v2/orders`, after every visible change of the ' +
        'order. The event does not say what changed: read the order at `data.url` and act on its content, not on the ' +
        'number or sequence of events. Every attempt has the same `id` and body.',
      body: Event,
      example: examples.event,
      signature: z
        .string()
        .regex(/^t=\d+,sha256=[0-9a-f]{64}$/)
        .describe('`t=<unix seconds>,sha256=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with `secretKey`.'),
      signatureExample: signV2({ body: JSON.stringify(examples.event), secret, now: signedAt }),
    }),
  },
  'order.updated.v1': {
    post: delivery({
      operationId: 'orderUpdatedV1',
      summary: 'An order changed (v1)',
      description:
        'Sent to callbacks registered through `POST /api/v1/orders`. The body is the order itself, including its ' +
        'status; the participant is included only if the token that registered the callback had ' +
        '`order.participant.read`. After a callback moved to v2, v1 deliveries can still arrive for about an hour: ' +
        'distinguish them by `object`, which is `order` in v1 and `event` in v2.',
      body: Order,
      example: examples.order,
      signature: z
        .string()
        .regex(/^sha256=[0-9a-f]{64}$/)
        .describe('`sha256=<hex>`: HMAC-SHA256 of the raw body, keyed with `secretKey`.'),
      signatureExample: signV1({ body: JSON.stringify(examples.order), secret }),
    }),
  },
}

function delivery(webhook: {
  operationId: string
  summary: string
  description: string
  body: z.ZodType
  example: object
  signature: z.ZodType
  signatureExample: string
}): ZodOpenApiOperationObject {
  const { body, example, signature, signatureExample, ...named } = webhook
  return {
    ...named,
    tags: ['Events'],
    // Deliveries authenticate with the callback's `auth`, not with an API token.
    security: [],
    requestParams: {
      header: z.object({ 'X-Signature': signature.optional().meta({ param: { example: signatureExample } }) }),
    },
    requestBody: { required: true, content: { 'application/json': { schema: body, example } } },
    responses: {
      '2XX': { description: 'Received. Any 2xx within 15 seconds counts; its body is ignored.' },
      '410': { description: 'The receiver is gone: the callback ends.' },
      '4XX': { description: 'Not received: the delivery is retried, as after a redirect or a timeout.' },
      '5XX': {
        description:
          'Not received: the delivery is retried. 429, 502, 503 and 504 may request a delay with `Retry-After`.',
      },
    },
  }
}
