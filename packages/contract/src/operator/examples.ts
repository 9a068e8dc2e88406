import { order } from '../examples.ts'

export { order } from '../examples.ts'

export const serviceId = order.services[0].id
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

export const queuedReceipt = {
  ...receipt,
  state: 'queued',
  why: 'noMatch',
  orderId: null,
  serviceId: null,
} as const

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

export const fullResult = { ...result, message: resultMessage, documents: [] } as const

const settled = { settledAt: '2026-03-04T16:02:40.100Z', settledBy: 'operator' } as const
export const appliedResult = { ...result, ...settled, state: 'applied', orderId: order.id, serviceId } as const
export const dismissedResult = { ...result, ...settled, state: 'dismissed' } as const

export const operatorOrder = {
  object: 'operatorOrder',
  order,
  source: 'api',
  requester: {
    email: 'dana.reed@example.com',
    firstName: 'Dana',
    lastName: 'Reed',
    middleName: null,
    phone: '+16305550142',
  },
  delivery: { type: 'email', to: 'maria.lopez@example.com', cc: [] },
  schedulingOption: 'link',
  clinicSelectionMode: null,
  billingCode: null,
  observedCollection: false,
  isBooked: false,
  appointmentAt: null,
  cancelReason: null,
  services: [
    {
      id: serviceId,
      object: 'orderService',
      serviceId: 'dot-urine-5',
      status: 'linkSent',
      nextStatuses: ['scheduled', 'checkedIn', 'cancelled', 'integrationError', 'expired'],
      requiresMro: true,
      statusHistory: [{ status: 'linkSent', at: order.createdAt }],
      screenHistory: [],
    },
  ],
  timeline: [{ at: order.createdAt, type: 'status', summary: 'The order was placed.', details: { status: 'ordered' } }],
} as const

export const auditEntry = {
  id: 'aud_01jnbp7k3m5n7p9q1r3s5t7v9w',
  object: 'auditEntry',
  at: '2026-03-04T16:02:40.100Z',
  tokenId: 'operator',
  action: 'order.cancel',
  subject: { type: 'order', id: order.id },
  reason: 'Placed twice.',
  before: { status: 'ordered' },
  after: { status: 'cancelled' },
} as const
