import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { Event, EventV1, SignatureV1, SignatureV2 } from '../events.ts'
import * as examples from './examples.ts'
import { signV1, signV2 } from '../signature.ts'

const secret = examples.orderRequest.callback.auth.secretKey

/** What the service sends to the callback of an order. */
export const webhooks: ZodOpenApiPathsObject = {
  'order.updated': {
    post: delivery({
      operationId: 'orderUpdated',
      summary: 'An order changed',
      description:
        'Sent to the `callback.url` of an order created through `POST /api/v2/orders`, after every change that a ' +
        'reader of the order could see. It says that the order changed, not how: read the order at `data.url` and ' +
        'act on what it says, not on the number or sequence of events. Every attempt carries the same `id` and body.',
      body: Event,
      example: examples.event,
      signature: SignatureV2,
      signatureExample: signV2({
        body: JSON.stringify(examples.event),
        secret,
        now: new Date(examples.event.createdAt),
      }),
    }),
  },
  'order.updated.v1': {
    post: delivery({
      operationId: 'orderUpdatedV1',
      summary: 'An order changed (v1)',
      description:
        'Sent to callbacks registered through `POST /api/v1/orders`. The body is the order itself, its status ' +
        'included; the participant is there only if the token that registered the callback had ' +
        '`order.participant.read`. After a callback moved to v2, v1 deliveries can still arrive for about an hour: ' +
        'tell them apart by the body’s `object`, `order` here and `event` in v2.',
      body: EventV1,
      example: examples.order,
      signature: SignatureV1,
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
    // Deliveries authenticate by what the callback's `auth` says, not by a token of this service.
    security: [],
    requestParams: {
      header: z.object({ 'X-Signature': signature.optional().meta({ param: { example: signatureExample } }) }),
    },
    requestBody: { required: true, content: { 'application/json': { schema: body, example } } },
    responses: {
      '2XX': { description: 'Received. Any 2xx within 15 seconds counts, and its body is not looked at.' },
      '410': { description: 'The endpoint is gone: nothing more is sent to it.' },
      '4XX': { description: 'Not received: the delivery is tried again later, as after a redirect or a time-out.' },
      '5XX': { description: 'Not received: tried again later. 429 and 503 may ask for a pause with `Retry-After`.' },
    },
  }
}
