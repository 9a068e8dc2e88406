import { event, order, orderEvent, orderRequest } from './examples.ts'

export { matchedOrder, order } from './examples.ts'

export const placedOrder = { ...orderRequest, source: 'app' } as const

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

/** Segments end with a carriage return; here the specimen has arrived (OBR-25 is I). */
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

export const fullResult = { ...result, message: resultMessage, problems: [], documents: [] } as const

const settled = { settledAt: '2026-03-04T16:02:40.100Z', settledBy: 'operator' } as const
export const appliedResult = { ...result, ...settled, state: 'applied', orderId: order.id, serviceId } as const
export const dismissedResult = { ...result, ...settled, state: 'dismissed' } as const

export const refusedMessage = {
  id: 'rfm_01jnbp3f5h2w4x6y8z0a2b4c6d',
  object: 'refusedMessage',
  door: 'mllp',
  code: 'AR',
  reason: 'MSH-9: only ORU^R01 is taken.',
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

const { callbackOrigin } = orderEvent.deliveries[0]
const deliveryId = orderEvent.deliveries[0].id

export const delivery = {
  id: deliveryId,
  object: 'delivery',
  eventId: event.id,
  orderId: order.id,
  version: 'v2',
  callbackUrl: 'https://hooks.example.com/orders',
  callbackOrigin,
  state: 'failed',
  attempts: 14,
  createdAt: event.createdAt,
  lastAttemptAt: '2026-03-05T19:21:08.300Z',
  lastStatus: null,
  lastError: 'timeout',
  nextAttemptAt: null,
  heldReason: null,
  heldUntil: null,
  endedAt: '2026-03-05T19:21:23.310Z',
  url: `/api/operator/v1/deliveries/${deliveryId}`,
} as const

export const fullDelivery = {
  ...delivery,
  log: [
    {
      at: delivery.lastAttemptAt,
      ms: 15_000,
      status: null,
      error: 'timeout',
      detail: 'No answer within 15 seconds.',
      excerpt: null,
    },
  ],
} as const

export const replayedDelivery = {
  ...delivery,
  state: 'held',
  attempts: 0,
  heldReason: 'breakerOpen',
  heldUntil: '2026-03-05T19:31:23.310Z',
  endedAt: null,
} as const

export const callback = {
  id: 'cbk_01jnbk6w9e7m9n1p3q5r7s9t1v',
  object: 'callback',
  orderId: order.id,
  target: delivery.callbackUrl,
  origin: callbackOrigin,
  version: 'v2',
  showsParticipant: false,
  isActive: true,
  registeredBy: 'hiring',
  changedBy: null,
  createdAt: order.createdAt,
  changedAt: null,
  endedAt: null,
  endReason: null,
  url: '/api/operator/v1/callbacks/cbk_01jnbk6w9e7m9n1p3q5r7s9t1v',
} as const

export const endedCallback = {
  ...callback,
  isActive: false,
  endedAt: '2026-03-09T12:00:00.000Z',
  endReason: 'operator',
} as const

export const receiver = {
  object: 'receiver',
  origin: callbackOrigin,
  state: 'open',
  failures: 7,
  openUntil: '2026-03-05T19:31:23.310Z',
  pausedAt: null,
  held: 12,
  waiting: 3,
  oldestAt: '2026-03-05T18:52:41.120Z',
} as const

export const pausedReceiver = { ...receiver, pausedAt: '2026-03-05T19:25:00.000Z', isKnown: true } as const
export const resumedReceiver = { ...receiver, state: 'closed', failures: 0, openUntil: null, isKnown: true } as const

export const tokenRequest = {
  id: 'payroll',
  name: 'Payroll system',
  scopes: ['order.read', 'order.list'],
  companies: ['prairie-rail'],
  expiresAt: '2027-03-01T00:00:00Z',
} as const

export const token = {
  ...tokenRequest,
  object: 'token',
  rateLimit: null,
  senders: null,
  origin: 'issued',
  state: 'active',
  expiresAt: '2027-03-01T00:00:00.000Z',
  revokedAt: null,
  lastUsedAt: null,
  createdAt: '2026-03-02T09:00:00.000Z',
  url: `/api/operator/v1/tokens/${tokenRequest.id}`,
} as const

export const issuedToken = { ...token, secret: 'otsk_0000000000000000000000000000000000000000' } as const
export const revokedToken = { ...token, state: 'revoked', revokedAt: '2026-03-09T12:00:00.000Z' } as const

export const catalogFile = {
  tenant: { id: 'prairie', name: 'Prairie Testing' },
  services: [
    {
      id: 'dot-urine-5',
      name: 'DOT 5-Panel Urine Drug Test',
      category: 'drug',
      type: 'urine',
      isDot: true,
      requiresMro: true,
      lab: { id: 'heartland', name: 'Heartland Toxicology' },
    },
  ],
  packages: [{ id: 'dot-urine', name: 'DOT Urine', services: ['dot-urine-5'], isActive: true }],
  clinics: [
    {
      id: 'naperville',
      name: 'Naperville Occupational Health',
      phone: '+16305550142',
      address: {
        line1: '1200 Ogden Avenue',
        line2: '',
        city: 'Naperville',
        state: 'IL',
        postalCode: '60540',
        country: 'US',
      },
      services: ['dot-urine-5'],
      timezone: 'America/Chicago',
      isActive: true,
    },
  ],
  companies: [
    {
      id: 'prairie-rail',
      name: 'Prairie Rail Freight',
      isActive: true,
      packages: ['dot-urine'],
      settings: { clinicRadiusMiles: 30 },
      locations: [{ id: 'prairie-rail-aurora', name: 'Aurora Yard', isActive: true }],
    },
  ],
  tokens: [
    { id: 'hiring', name: 'Hiring software', scopes: ['order.create', 'order.read'], companies: ['prairie-rail'] },
    {
      id: 'heartland',
      name: 'Results of Heartland Toxicology',
      scopes: ['intake.lab'],
      companies: [],
      senders: [{ id: 'HEARTLAND', role: 'lab', labs: ['heartland'], timezone: 'America/Chicago' }],
    },
  ],
  laboratoryCodes: [{ lab: 'heartland', code: '35105N', service: 'dot-urine-5' }],
}

export const catalogChanges = {
  object: 'catalogChanges',
  added: 1,
  changed: 1,
  deactivated: 0,
  openBookings: 0,
  changes: [
    { kind: 'clinics', id: 'naperville', name: 'Naperville Occupational Health', action: 'add', members: [] },
    { kind: 'companies', id: 'prairie-rail', name: 'Prairie Rail Freight', action: 'change', members: ['settings'] },
  ],
} as const
