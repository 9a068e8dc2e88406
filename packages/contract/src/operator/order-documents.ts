import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { finishedOrder } from '../openapi/examples.ts'
import * as examples from '../openapi/document-examples.ts'
import { Path, Timestamp } from '../primitives.ts'
import { idOf, resourceId } from '../resource-endpoints.ts'

const OrderDocument = z
  .object({
    id: z.string(),
    object: z.literal('orderDocument'),
    kind: z
      .enum(['result', 'collection', 'pass', 'agreement'])
      .describe(
        '`result`: came with a result. `collection`: came with an earlier report, such as a custody form. `pass`: what the participant shows at ' +
          'the clinic. `agreement`: a text that the participant agreed to, with the signature if there is one.',
      ),
    name: z.string(),
    contentType: z.string(),
    from: z.string().nullable().describe('The sender of the report that it came with.'),
    at: Timestamp,
    hiddenFor: z
      .enum(['review'])
      .nullable()
      .describe('`review`: it cannot be read until the medical reviewer has decided (49 CFR 40.97).'),
    url: Path,
  })
  .meta({ id: 'OrderDocument' })

export type OrderDocument = z.infer<typeof OrderDocument>

const of = { tag: 'Orders', scope: 'operator.documents.read' } as const
const path = '/api/operator/v1/orders/{id}/documents'

export const listOrderDocuments = endpoint({
  ...of,
  method: 'GET',
  path,
  summary: 'List the documents of an order.',
  description:
    'What came with result reports, the pass of the participant, and what the participant agreed to; newest first.',
  params: idOf({ one: 'order' }),
  replies: { 200: 'The documents.' },
  reply: z.object({ object: z.literal('orderDocuments'), data: z.array(OrderDocument) }).meta({ id: 'OrderDocuments' }),
  example: { params: { id: finishedOrder.id }, reply: examples.orderDocuments },
})

export const readOrderDocument = endpoint({
  ...of,
  method: 'GET',
  path: `${path}/{documentId}`,
  summary: 'Read a document of an order.',
  description: 'A PDF, a text, or what the sender sent. Each read is recorded in the audit log.',
  params: idOf({ one: 'order' }).extend({ documentId: resourceId('document') }),
  replies: { 200: 'The document.' },
  reply: z.string(),
  replyType: 'application/pdf',
  refusals: [422],
  example: { params: { id: finishedOrder.id, documentId: examples.documentId }, reply: '%PDF-1.7 …' },
})

const ParticipantView = z
  .object({
    object: z.literal('participantView'),
    orderId: z.string(),
    url: Path.describe(
      'Shows the page until `expiresAt`, and changes nothing. For people it works only in the browser that they are signed in with.',
    ),
    expiresAt: Timestamp,
  })
  .meta({ id: 'ParticipantView' })

export type ParticipantView = z.infer<typeof ParticipantView>

export const viewAsParticipant = endpoint({
  tag: 'Orders',
  scope: 'operator.participants.read',
  method: 'POST',
  path: '/api/operator/v1/orders/{id}/participantViews',
  summary: "See the participant's page as it is now.",
  description:
    'Answers with an address that shows the page: for five minutes in the session of the person who asked, or for a minute if a token asked. The last name is masked. Nothing can be submitted there, and it tells nothing of the links that were sent. ' +
    'Recorded in the audit log.',
  params: idOf({ one: 'order' }),
  replies: { 201: 'The address of the page.' },
  reply: ParticipantView,
  example: { params: { id: examples.order.id }, reply: examples.participantView },
})
