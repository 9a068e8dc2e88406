import { maskedOrder } from './operator-examples.ts'
import { collectedOrder as order, serviceOf } from './examples.ts'

const serviceId = serviceOf(order)
/** The service that a queued report is about. */
export const assignedServiceId = 'osv_01kjqhdc2em7dn9q8zm2aeekrs_1'
export const misdirectedId = 'rsl_01kjqhxvde3r4cg3edfxjw5mem'
export const documentId = 'doc_01kjqht67ewd80b5r53w3k9fdx'

const at = '2026-03-04T15:10:00.000Z'

export const resultMessage = {
  messageId: 'HR-20260304-001877',
  sender: { kind: 'lab', id: 'lab-halvorsen-ridge' },
  match: { orderCode: order.code, panel: 'svc-dot-urine-5' },
  event: 'receivedAtLab',
  occurredAt: '2026-03-04T15:10:00Z',
  specimen: { id: `HR-${order.code}` },
} as const

/** The specimen has arrived (OBR-25 is I). Segments end with a carriage return. */
export const hl7Message = [
  String.raw`MSH|^~\&|LIS|HALVORSEN|OTS|NORTHFOLD|20260304151000+0000||ORU^R01^ORU_R01|${resultMessage.messageId}|P|2.5.1`,
  'PID|1||||Lopez^Maria',
  `OBR|1|${order.code}||svc-dot-urine-5|||20260303160000+0000|||||||20260304150500+0000||||||||20260304151000+0000|||I`,
  '',
].join('\r')

export const hl7Acknowledgement = [
  String.raw`MSH|^~\&|OTS|NORTHFOLD|LIS|HALVORSEN|20260304151002+0000||ACK^R01^ACK|rsl_01kjqhw0tekc9pgb0khs5arzj5|P|2.5.1`,
  `MSA|AA|${resultMessage.messageId}|applied`,
  '',
].join('\r')

export const receipt = {
  id: 'rsl_01kjqhw0tekc9pgb0khs5arzj5',
  object: 'resultReceipt',
  messageId: resultMessage.messageId,
  state: 'applied',
  why: null,
  orderId: order.id,
  serviceId,
  receivedAt: '2026-03-04T15:10:02.250Z',
} as const

const unmatched = { state: 'queued', why: 'noMatch', orderId: null, serviceId: null } as const
export const queuedReceipt = { ...receipt, ...unmatched } as const

export const result = {
  ...queuedReceipt,
  object: 'result',
  sender: { ...resultMessage.sender, name: 'Halvorsen Ridge Toxicology' },
  orderCode: resultMessage.match.orderCode,
  specimenId: resultMessage.specimen.id,
  event: 'receivedAtLab',
  occurredAt: at,
  settledAt: null,
  settledBy: null,
  url: `/api/operator/v1/results/${receipt.id}`,
} as const

export const fullResult = {
  ...result,
  message: resultMessage,
  hiddenFor: null,
  unknownCode: null,
  problems: [],
  documents: [],
} as const

export const knownCode = {
  object: 'laboratoryCode',
  lab: 'lab-halvorsen-ridge',
  code: 'D5U',
  service: { id: 'svc-dot-urine-5', name: 'DOT 5-Panel Urine Drug Test' },
  origin: 'learned',
  createdAt: '2026-03-04T16:02:40.100Z',
  url: '/api/operator/v1/laboratoryCodes/lab-halvorsen-ridge/D5U',
} as const

const settled = { settledAt: '2026-03-04T16:02:40.100Z', settledBy: 'operator' } as const
export const appliedResult = { ...result, ...settled, state: 'applied', orderId: order.id, serviceId } as const
export const dismissedResult = { ...result, ...settled, state: 'dismissed' } as const

export const resultCandidates = {
  object: 'resultCandidates',
  resultId: result.id,
  data: [
    {
      object: 'resultCandidate',
      rank: 1,
      serviceId,
      score: 70,
      agrees: ['specimenId', 'lastName', 'firstName'],
      differs: ['orderCode'],
      order: maskedOrder,
    },
  ],
} as const

export const refusedMessage = {
  id: 'rfm_01kjqhzp0eqayaa6aezee7v9jj',
  object: 'refusedMessage',
  door: 'mllp',
  code: 'AR',
  reason: 'MSH-9: only ORU^R01 is accepted.',
  sender: 'HALVORSEN',
  controlId: 'HR-20260304-001878',
  tokenId: 'demo-operator',
  address: '203.0.113.24',
  size: 412,
  count: 3,
  firstAt: at,
  lastAt: '2026-03-04T15:12:00.000Z',
  url: '/api/operator/v1/refusedMessages/rfm_01kjqhzp0eqayaa6aezee7v9jj',
} as const

export const fullRefusedMessage = {
  ...refusedMessage,
  text: String.raw`MSH|^~\&|LIS|HALVORSEN|OTS|NORTHFOLD|20260304151000+0000||ADT^A01|${refusedMessage.controlId}|P|2.5.1`,
} as const
