import { order } from './examples.ts'

const serviceId = order.services[0].id
export const documentId = 'doc_01jnbp3f5h7k9m1n3p5q7r9s1t'

const at = '2026-03-04T15:10:00.000Z'

export const resultMessage = {
  messageId: 'HT-20260304-001877',
  sender: { kind: 'lab', id: 'heartland' },
  match: { orderCode: order.code, panel: 'dot-urine-5' },
  event: 'receivedAtLab',
  occurredAt: '2026-03-04T15:10:00Z',
  specimen: { id: 'HT-4471-9920' },
} as const

/** The specimen has arrived (OBR-25 is I). Segments end with a carriage return. */
export const hl7Message = [
  String.raw`MSH|^~\&|LIS|HEARTLAND|OTS|PRAIRIE|20260304151000+0000||ORU^R01^ORU_R01|${resultMessage.messageId}|P|2.5.1`,
  'PID|1||||Lopez^Maria',
  `OBR|1|${order.code}||dot-urine-5|||20260303160000+0000|||||||20260304150500+0000||||||||20260304151000+0000|||I`,
  '',
].join('\r')

export const hl7Acknowledgement = [
  String.raw`MSH|^~\&|OTS|PRAIRIE|LIS|HEARTLAND|20260304151002+0000||ACK^R01^ACK|rsl_01jnbp3f5h2w4x6y8z0a2b4c6d|P|2.5.1`,
  `MSA|AA|${resultMessage.messageId}|applied`,
  '',
].join('\r')

export const receipt = {
  id: 'rsl_01jnbp3f5h2w4x6y8z0a2b4c6d',
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
  sender: resultMessage.sender,
  event: 'receivedAtLab',
  occurredAt: at,
  settledAt: null,
  settledBy: null,
  url: `/api/operator/v1/results/${receipt.id}`,
} as const

export const fullResult = { ...result, message: resultMessage, problems: [], documents: [] } as const

const settled = { settledAt: '2026-03-04T16:02:40.100Z', settledBy: 'operator' } as const
export const appliedResult = { ...result, ...settled, state: 'applied', orderId: order.id, serviceId } as const
export const dismissedResult = { ...result, ...settled, state: 'dismissed' } as const

export const refusedMessage = {
  id: 'rfm_01jnbp3f5h2w4x6y8z0a2b4c6d',
  object: 'refusedMessage',
  door: 'mllp',
  code: 'AR',
  reason: 'MSH-9: only ORU^R01 is accepted.',
  sender: 'HEARTLAND',
  controlId: 'HT-20260304-001878',
  tokenId: 'heartland',
  address: '203.0.113.24',
  size: 412,
  count: 3,
  firstAt: at,
  lastAt: '2026-03-04T15:12:00.000Z',
  url: '/api/operator/v1/refusedMessages/rfm_01jnbp3f5h2w4x6y8z0a2b4c6d',
} as const

export const fullRefusedMessage = {
  ...refusedMessage,
  text: String.raw`MSH|^~\&|LIS|HEARTLAND|OTS|PRAIRIE|20260304151000+0000||ADT^A01|${refusedMessage.controlId}|P|2.5.1`,
} as const
