import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/result-examples.ts'
import { Flag, instant, text, Timestamp } from '../primitives.ts'
import { idOf, listOf, readOf } from '../resource-endpoints.ts'
import { INTAKE_SCOPES, SENDER_KINDS } from '../scopes.ts'
import { AfterWrite } from '../write-position.ts'

/** What a message reports: a new status of a service, a test that was run, or a result. */
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

/** Limit of a document before it is encoded. */
export const DOCUMENT_BYTES = 10 * 1024 * 1024

const name = text(1, 255)

const Analyte = z
  .strictObject({
    name,
    code: text(1, 64).optional().describe('Code of the laboratory, such as LOINC.'),
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
      .describe('The PDF in base64, up to 10 MB.'),
  })
  .meta({ id: 'DocumentInput' })

export const ResultMessage = z
  .strictObject({
    messageId: text(1, 255).describe('Unique per token. A repeated message gets the first answer again.'),
    sender: z.strictObject({
      kind: z.enum(SENDER_KINDS).describe('The token needs the scope `intake.<kind>`.'),
      id: text(1, 255).describe('Id of the sender. If the token lists senders, it must be one of them.'),
    }),
    match: z
      .strictObject({
        serviceId: text(1, 255).optional().describe('Id of the order service.'),
        orderCode: text(1, 64).optional(),
        panel: text(1, 255).optional().describe('The service, by its id in the catalog or its name.'),
        specimenId: text(1, 255).optional(),
      })
      .describe('The subject: a service, an order with a panel, or a specimen. All members must agree.'),
    participant: z
      .strictObject({ firstName: name.optional(), lastName: name.optional(), birthDate: z.iso.date().optional() })
      .optional()
      .describe(
        'The person tested. Not used to find the order; if it disagrees with the order, the message waits for an operator.',
      ),
    event: z.enum(RESULT_EVENTS),
    occurredAt: instant(),
    specimen: z
      .strictObject({ id: text(1, 255), collectedAt: instant().optional(), receivedAt: instant().optional() })
      .optional(),
    courier: name.optional(),
    trackingNumber: name.optional(),
    screen: z.enum(SCREENS).optional().describe('Required with the event `screened`.'),
    result: z.enum(RESULTS).optional().describe('Required with the event `result`.'),
    dilute: Flag.optional().describe('The specimen was dilute. Requires the result `negative`.'),
    reason: text(1, 1000).optional(),
    analytes: z.array(Analyte).max(100).optional(),
    documents: z.array(DocumentInput).max(10).optional().describe('Up to 10 MB in total.'),
    corrected: Flag.optional().describe('Replaces a result. Only for the medical reviewer.'),
  })
  .meta({ id: 'ResultMessage', description: 'A report of a laboratory, reviewer, courier or collection site.' })

export type ResultMessage = z.infer<typeof ResultMessage>

const RESULT_STATES = ['applied', 'queued', 'dismissed'] as const
export type ResultState = (typeof RESULT_STATES)[number]

/** Why a result report waits for an operator. */
const QUEUE_REASONS = [
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
  'Why it waits, or waited, for an operator. `noMatch`, `severalMatches`, `matchesDisagree`: its references match no ' +
  'service, several, or different ones. `personDiffers`: the person is not the participant. `orderClosed`: the order ' +
  'accepts no more results. `notNext`: it cannot follow the current status. `reviewNeeded`: only the medical reviewer may ' +
  'report it. `correctionNeeded`: the service has another result. `senderDiffers`: this kind of sender, or this laboratory, ' +
  'does not report on the service, or the token may not send for the sender of an HL7 message. `notCollected`: no ' +
  'collection was reported, and the result names no specimen or is not from the laboratory or reviewer of the service. ' +
  '`notUnderstood`: an HL7 message that could not be interpreted. `idReused`: an HL7 control id that was used for another ' +
  'message.'

export const ResultReceipt = z
  .object({
    id: z.string(),
    object: z.literal('resultReceipt'),
    messageId: z.string(),
    state: z.enum(RESULT_STATES),
    why: z.enum(QUEUE_REASONS).nullable().describe(WHY),
    orderId: z.string().nullable(),
    serviceId: z.string().nullable(),
    receivedAt: Timestamp,
  })
  .meta({ id: 'ResultReceipt', description: 'The outcome of a message.' })

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

export const ResultSender = z
  .object({
    kind: z.enum(SENDER_KINDS),
    id: z.string(),
    name: z.string().nullable().describe('Name of the laboratory, if the catalog has one with this id.'),
  })
  .meta({ id: 'ResultSender' })

const Result = ResultReceipt.extend({
  object: z.literal('result'),
  sender: ResultSender,
  orderCode: z.string().nullable().describe('The order that the message names.'),
  specimenId: z.string().nullable().describe('The specimen that the message names.'),
  event: z.string(),
  occurredAt: Timestamp,
  settledAt: Timestamp.nullable(),
  settledBy: z
    .string()
    .nullable()
    .describe(
      'Id of the token that assigned or dismissed it. Null if it waited for the medical reviewer, whose report settled it.',
    ),
  url: z.string().meta({ format: 'uri-reference' }),
}).meta({ id: 'Result' })

export type Result = z.infer<typeof Result>

const FullResult = Result.extend({
  message: z
    .unknown()
    .describe(
      'The message as received, without the content of documents and without what `hiddenFor` hides. `participant`, and `original`, the text of an ' +
        'HL7 message, are absent for tokens without `operator.participants.read`, and masked unless `participants` is `full`.',
    ),
  hiddenFor: z
    .enum(['review', 'assignment'])
    .nullable()
    .describe(
      'Why findings of the laboratory are hidden, in the text of the message too. `review`: the medical reviewer has not decided (49 CFR 40.97). ' +
        '`assignment`: the message is not applied to a service, which may need a review.',
    ),
  unknownCode: z
    .string()
    .nullable()
    .describe(
      "The laboratory's code (OBR-4) of a queued HL7 message if no service is known for it. Remember it with the assignment.",
    ),
  problems: z.array(z.string()).describe('The reasons for which an HL7 message was answered AE.'),
  documents: z.array(DocumentReference),
}).meta({ id: 'FullResult' })

const messages = { path: '/api/operator/v1/results', tag: 'Results', one: 'message', many: 'messages' }
const documents = { path: '/api/operator/v1/documents', tag: 'Results', one: 'document', many: 'documents' }
const settlement = {
  method: 'POST',
  scope: 'operator.results.write',
  tag: 'Results',
  params: idOf(messages),
  reply: Result,
  refusals: [422],
} as const

export const postResult = endpoint({
  method: 'POST',
  path: messages.path,
  scope: INTAKE_SCOPES,
  tag: 'Results',
  summary: 'Submit a result or a milestone.',
  description:
    'Accepts JSON, and HL7 v2 ORU^R01 as `application/hl7-v2`, which is answered with an ACK. An accepted message is ' +
    'applied to its order or waits for an operator. Results of DOT drug tests are accepted only from the medical reviewer ' +
    '(49 CFR 40.97). A laboratory result without a reported collection is applied only if it names a specimen and comes ' +
    'from the laboratory or reviewer of the service. Other results are applied if they come from the right kind of sender: ' +
    'breath tests from `bat` and `collector`, instant tests from `collector`, health services from `clinic`, background ' +
    'checks from `background`. Everything else waits for an operator.',
  body: ResultMessage,
  replies: { 200: 'The message was applied.', 202: 'The message waits for an operator.' },
  reply: ResultReceipt,
  refusals: [409, 422],
  otherTypes: { 'application/hl7-v2': { body: examples.hl7Message, reply: examples.hl7Acknowledgement } },
  example: { body: examples.resultMessage, reply: examples.receipt, replies: { 202: examples.queuedReceipt } },
})

export const listResults = listOf(messages, {
  headers: AfterWrite,
  scope: 'operator.results.read',
  summary: 'List messages, newest first.',
  filters: {
    state: z.enum(RESULT_STATES).optional().describe('Messages in this state. `queued` messages wait for an operator.'),
    orderId: filter('Messages about this order.'),
    senderId: filter('Messages from this sender.'),
  },
  item: Result,
  example: examples.result,
  exampleQuery: { state: 'queued' },
})

export const personsOfMessage = z
  .enum(['full', 'masked'])
  .default('masked')
  .describe('`full`: the person as received, also in the text of the message. Requires `operator.participants.read`.')

export const readResult = endpoint({
  method: 'GET',
  path: `${messages.path}/{id}`,
  scope: 'operator.results.read',
  tag: 'Results',
  summary: 'Read a message with its content.',
  description: 'Each read is recorded in the audit log, as `result.reveal` if the person is shown in full.',
  params: idOf(messages),
  query: z.strictObject({ participants: personsOfMessage }),
  replies: { 200: 'The message.' },
  reply: FullResult,
  example: { params: { id: examples.fullResult.id }, reply: examples.fullResult },
})

export const assignResult = endpoint({
  ...settlement,
  path: `${messages.path}/{id}/assignment`,
  summary: 'Apply a queued message to a service.',
  description:
    'The operator confirms that the message is about this service. If the service already has a result, it is corrected.',
  body: z
    .strictObject({
      serviceId: text(1, 255),
      reason: text(1, 1000).optional(),
      rememberCode: Flag.optional().describe(
        "Whether later messages of this sender with the message's `unknownCode` are about the same service of the catalog.",
      ),
    })
    .meta({ id: 'ResultAssignment' }),
  replies: { 200: 'The message, applied.' },
  example: {
    params: { id: examples.result.id },
    body: { serviceId: examples.assignedServiceId, reason: 'The laboratory mistyped the code.' },
    reply: examples.appliedResult,
  },
})

export const dismissResult = endpoint({
  ...settlement,
  path: `${messages.path}/{id}/dismissal`,
  summary: 'Dismiss a queued message.',
  body: z.strictObject({ reason: text(1, 1000) }).meta({ id: 'ResultDismissal' }),
  replies: { 200: 'The message, dismissed.' },
  example: {
    params: { id: examples.misdirectedId },
    body: { reason: 'Sent to us by mistake.' },
    reply: examples.dismissedResult,
  },
})

export const readDocument = readOf(documents, {
  scope: 'operator.documents.read',
  description:
    'What the sender sent. A document of the laboratory is refused while its test awaits the medical reviewer or is not known. ' +
    'Each read is recorded in the audit log.',
  refusals: [422],
  reply: z.string(),
  replyType: 'application/pdf',
  example: '%PDF-1.7 …',
  id: examples.documentId,
})
