import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { Flag, instant, text, Timestamp } from '../primitives.ts'
import { INTAKE_SCOPES, SENDER_KINDS } from '../scopes.ts'
import { listOf, readOf, resourceId } from '../resource-endpoints.ts'
import * as examples from '../openapi/operator-examples.ts'

/** What a message reports: that a service has come to a status, a test that was run, or a result. */
export const RESULT_EVENTS = [
  'checkedIn',
  'collected',
  'inTransit',
  'lostInTransit',
  'receivedAtLab',
  'testing',
  'inProgress',
  'mroReview',
  'screened',
  'result',
] as const
export type ResultEvent = (typeof RESULT_EVENTS)[number]

export const SCREENS = ['initial', 'validity', 'confirmation', 'mroReview', 'mroInterview', 'split'] as const

export const RESULTS = [
  'negative',
  'negativeDilute',
  'positive',
  'adulterated',
  'substituted',
  'testCancelled',
  'testNotPerformed',
  'nonNegative',
  'unobtainable',
  'pass',
  'fail',
  'complete',
  'fitForDuty',
  'notFitForDuty',
  'released',
] as const

/** Of a document before it is encoded. */
export const DOCUMENT_BYTES = 10 * 1024 * 1024

const name = text(1, 255)

const Analyte = z
  .strictObject({
    name,
    code: text(1, 64).optional().meta({ description: 'As the laboratory calls it, LOINC for instance.' }),
    result: text(1, 255),
    value: text(1, 255).optional(),
    unit: text(1, 64).optional(),
    cutoff: text(1, 64).optional(),
  })
  .meta({ id: 'Analyte' })

const DocumentInput = z
  .strictObject({
    name,
    contentType: z.literal('application/pdf'),
    content: z
      .base64()
      .max(Math.ceil(DOCUMENT_BYTES / 3) * 4)
      .meta({ description: 'The PDF in base64, up to 10 MB.' }),
  })
  .meta({ id: 'DocumentInput' })

export const ResultMessage = z
  .strictObject({
    messageId: text(1, 255).meta({ description: 'Unique per token: a repeat gets the first answer.' }),
    sender: z.strictObject({
      kind: z.enum(SENDER_KINDS).meta({ description: 'The token needs `intake.` and this.' }),
      id: text(1, 255).meta({ description: 'Which of them. Where the token lists senders, one of these.' }),
    }),
    match: z
      .strictObject({
        serviceId: text(1, 255).optional().meta({ description: 'The id of the order service.' }),
        orderCode: text(1, 64).optional(),
        panel: text(1, 255).optional().meta({ description: 'Which service, by its id in the catalog or its name.' }),
        specimenId: text(1, 255).optional(),
      })
      .meta({
        description: 'What it is about: a service, an order with a panel, or a specimen. All that is given must agree.',
      }),
    participant: z
      .strictObject({ firstName: name.optional(), lastName: name.optional(), birthDate: z.iso.date().optional() })
      .optional()
      .meta({
        description: 'Who was tested. Never looked up by; what disagrees with the order waits for an operator.',
      }),
    event: z.enum(RESULT_EVENTS),
    occurredAt: instant(),
    specimen: z
      .strictObject({ id: text(1, 255), collectedAt: instant().optional(), receivedAt: instant().optional() })
      .optional(),
    courier: name.optional(),
    trackingNumber: name.optional(),
    screen: z.enum(SCREENS).optional().meta({ description: 'Required with the event `screened`.' }),
    result: z.enum(RESULTS).optional().meta({ description: 'Required with the event `result`.' }),
    dilute: Flag.optional().meta({ description: 'With `negative`: the specimen was dilute.' }),
    reason: text(1, 1000).optional(),
    analytes: z.array(Analyte).max(100).optional(),
    documents: z.array(DocumentInput).max(10).optional().meta({ description: 'Together up to 10 MB.' }),
    corrected: Flag.optional().meta({ description: 'Replaces a result: for the medical reviewer alone.' }),
  })
  .meta({ id: 'ResultMessage', description: 'What a laboratory, reviewer, courier or collection site reports.' })

export type ResultMessage = z.infer<typeof ResultMessage>

export const RESULT_STATES = ['applied', 'queued', 'dismissed'] as const
export type ResultState = (typeof RESULT_STATES)[number]

/** Why a message waits for an operator. */
export const QUEUE_REASONS = [
  'noMatch',
  'severalMatches',
  'matchesDisagree',
  'personDiffers',
  'orderClosed',
  'notNext',
  'reviewNeeded',
  'correctionNeeded',
  'senderDiffers',
  'notCollected',
  'notUnderstood',
  'idReused',
] as const
export type QueueReason = (typeof QUEUE_REASONS)[number]

const WHY =
  'Why it waits, or waited, for an operator. `noMatch`, `severalMatches`, `matchesDisagree`: its references find no ' +
  'service, several, or different ones. `personDiffers`: the person is not the participant. `orderClosed`: the order takes ' +
  'no more results. `notNext`: it cannot follow the current status. `reviewNeeded`: the medical reviewer has to report it. ' +
  '`correctionNeeded`: the service has another result. `senderDiffers`: this kind of sender, or this laboratory, does not ' +
  'report on the service, or the token may not speak for the sender of an HL7 message. `notCollected`: a laboratory result without a reported collection that names no specimen or is ' +
  "not from the service's own laboratory or reviewer. `notUnderstood`: an HL7 message that does not tell what it reports. " +
  '`idReused`: an HL7 control id that was used for another message.'

export const ResultReceipt = z
  .object({
    id: z.string(),
    object: z.literal('resultReceipt'),
    messageId: z.string(),
    state: z.enum(RESULT_STATES),
    why: z.enum(QUEUE_REASONS).nullable().meta({ description: WHY }),
    orderId: z.string().nullable(),
    serviceId: z.string().nullable(),
    receivedAt: Timestamp,
  })
  .meta({ id: 'ResultReceipt', description: 'What became of a message.' })

export type ResultReceipt = z.infer<typeof ResultReceipt>

const DocumentReference = z
  .object({
    id: z.string(),
    object: z.literal('document'),
    name: z.string(),
    contentType: z.string(),
    size: z.int().min(0),
    url: z.string().meta({ format: 'uri-reference' }),
  })
  .meta({ id: 'DocumentReference' })

const Result = ResultReceipt.extend({
  object: z.literal('result'),
  sender: z.object({ kind: z.enum(SENDER_KINDS), id: z.string() }),
  event: z.string(),
  occurredAt: Timestamp,
  settledAt: Timestamp.nullable(),
  settledBy: z.string().nullable().meta({ description: 'The token of the operator who assigned or dismissed it.' }),
  url: z.string().meta({ format: 'uri-reference' }),
}).meta({ id: 'Result' })

export type Result = z.infer<typeof Result>

export const FullResult = Result.extend({
  message: z.unknown().meta({ description: 'As it came, but for the content of documents.' }),
  problems: z.array(z.string()).meta({ description: 'What an HL7 message was answered AE for.' }),
  documents: z.array(DocumentReference),
}).meta({ id: 'FullResult' })

const tag = 'Results'
const base = '/api/operator/v1/results'
const params = z.strictObject({ id: resourceId('message') })

export const postResult = endpoint({
  name: 'postResult',
  method: 'POST',
  path: base,
  scope: INTAKE_SCOPES,
  tag,
  summary: 'Bring in a result or a milestone.',
  description:
    'Takes JSON, and HL7 v2 ORU^R01 as `application/hl7-v2`, which is answered with an ACK. A message that is accepted is ' +
    'applied to its order or waits in a queue for an operator. A result of a DOT drug test is taken from the medical ' +
    'reviewer alone (49 CFR 40.97). A result of a laboratory test that was never reported as collected is applied only ' +
    "where it names a specimen and comes from the service's own laboratory or reviewer. Other results come from the kind " +
    'of sender that makes them: breath tests from `bat` and `collector`, instant tests from `collector`, health services ' +
    'from `clinic`, background checks from `background`. Everything else waits for an operator.',
  body: ResultMessage,
  replies: { 200: 'It was applied.', 202: 'It waits for an operator.' },
  reply: ResultReceipt,
  refusals: [400, 413, 415, 422],
  otherTypes: { 'application/hl7-v2': { body: examples.hl7Message, reply: examples.hl7Acknowledgement } },
  example: { body: examples.resultMessage, reply: examples.receipt, replies: { 202: examples.queuedReceipt } },
})

export const listResults = listOf({
  name: 'listResults',
  path: base,
  scope: 'operator.results.read',
  tag,
  summary: 'List messages, newest first.',
  filters: {
    state: z.enum(RESULT_STATES).optional().meta({ description: '`queued` are those that wait for you.' }),
    orderId: filter('Messages about this order.'),
    senderId: filter('Messages of this sender.'),
  },
  items: 'messages',
  item: Result,
  example: examples.result,
  exampleQuery: { state: 'queued' },
})

export const readResult = readOf({
  name: 'readResult',
  path: `${base}/{id}`,
  scope: 'operator.results.read',
  tag,
  summary: 'Read one message, with all it says.',
  what: 'message',
  reply: FullResult,
  example: examples.fullResult,
})

export const assignResult = endpoint({
  name: 'assignResult',
  method: 'POST',
  path: `${base}/{id}/assignment`,
  scope: 'operator.results.write',
  tag,
  summary: 'Apply a waiting message to a service.',
  description:
    'The operator vouches that it is about this service. Where the service is over, its result is corrected.',
  params,
  body: z.strictObject({ serviceId: text(1, 255), reason: text(1, 1000).optional() }).meta({ id: 'ResultAssignment' }),
  replies: { 200: 'The message, applied.' },
  reply: Result,
  refusals: [400, 404, 413, 415, 422],
  example: {
    params: { id: examples.result.id },
    body: { serviceId: examples.serviceId, reason: 'The laboratory mistyped the code.' },
    reply: examples.appliedResult,
  },
})

export const dismissResult = endpoint({
  name: 'dismissResult',
  method: 'POST',
  path: `${base}/{id}/dismissal`,
  scope: 'operator.results.write',
  tag,
  summary: 'Take a waiting message out of the queue.',
  params,
  body: z.strictObject({ reason: text(1, 1000) }).meta({ id: 'ResultDismissal' }),
  replies: { 200: 'The message, dismissed.' },
  reply: Result,
  refusals: [400, 404, 413, 415, 422],
  example: {
    params: { id: examples.result.id },
    body: { reason: 'Sent to us by mistake.' },
    reply: examples.dismissedResult,
  },
})

export const readDocument = endpoint({
  name: 'readDocument',
  method: 'GET',
  path: '/api/operator/v1/documents/{id}',
  scope: 'operator.documents.read',
  tag,
  summary: 'Read a document.',
  params: z.strictObject({ id: resourceId('document') }),
  replies: { 200: 'The document.' },
  reply: z.string(),
  replyType: 'application/pdf',
  refusals: [400, 404],
  example: { params: { id: examples.documentId }, reply: '%PDF-1.7 …' },
})
