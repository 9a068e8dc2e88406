import { order, orderRequest } from './examples.ts'

export { order } from './examples.ts'

export const placedOrder = { ...orderRequest, source: 'app' } as const

export const serviceId = order.services[0].id

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
  timeline: [
    { at: order.createdAt, type: 'status', summary: 'The order became ordered.', details: { status: 'ordered' } },
  ],
} as const

export const openBooking = {
  object: 'booking',
  orderId: order.id,
  code: order.code,
  status: 'scheduled',
  company: { id: 'prairie-rail', name: 'Prairie Rail Freight' },
  location: { id: 'prairie-rail-aurora', name: 'Aurora Yard' },
  clinic: { id: 'naperville', name: 'Naperville Occupational Health', isActive: false },
  appointmentAt: '2026-03-04T15:00:00.000Z',
  expiresAt: null,
  url: `/api/operator/v1/orders/${order.id}`,
} as const

export const auditEntry = {
  id: 'aud_01jnbp7k3m5n7p9q1r3s5t7v9w',
  object: 'auditEntry',
  at: '2026-03-04T16:02:40.100Z',
  tokenId: 'operator',
  actor: { type: 'token', user: null, host: null },
  action: 'order.cancel',
  subject: { type: 'order', id: order.id },
  reason: 'Placed twice.',
  before: { status: 'ordered' },
  after: { status: 'cancelled' },
} as const

export const auditHead = {
  object: 'auditHead',
  seq: 4711,
  hash: '9f2c1d7a5e8b3046c1f0a97be2d45318f6a0c3b97d21e4586fb0912c7a3de845',
  entryId: auditEntry.id,
  linkedAt: '2026-03-04T16:02:40.900Z',
} as const

const messageId = 'msg_01jnbk6w9e3a5b7c9d1e3f5g7h'

export const message = {
  id: messageId,
  object: 'message',
  orderId: order.id,
  kind: 'link',
  recipient: 'participant',
  channel: 'email',
  tokenId: 'hiring',
  state: 'failed',
  reason: null,
  attempts: 1,
  dueAt: order.createdAt,
  createdAt: order.createdAt,
  endedAt: '2026-03-02T15:04:06.120Z',
  url: `/api/operator/v1/messages/${messageId}`,
} as const

export const fullMessage = {
  ...message,
  log: [
    { number: 1, at: '2026-03-02T15:04:06.020Z', durationMs: 84, outcome: 'refused', detail: '550 No such mailbox.' },
  ],
} as const

export const waitingMessage = { ...message, state: 'waiting', endedAt: null } as const
