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
    phone: '+18165550100',
  },
  delivery: { type: 'email', to: 'maria.lopez@example.com', cc: [] },
  schedulingOption: 'link',
  clinicSelectionMode: null,
  billingCode: null,
  observedCollection: false,
  isBooked: false,
  appointmentAt: null,
  timezone: 'America/Chicago',
  near: { lat: 39.1, long: -94.6 },
  cancelReason: null,
  services: [
    {
      id: serviceId,
      object: 'orderService',
      serviceId: 'svc-dot-urine-5',
      status: 'linkSent',
      nextStatuses: ['scheduled', 'checkedIn', 'cancelled', 'integrationError', 'expired'],
      orderStatusAfter: {
        scheduled: 'scheduled',
        checkedIn: 'pending',
        cancelled: 'cancelled',
        integrationError: 'integrationError',
        expired: 'expired',
      },
      requiresMro: true,
      statusHistory: [{ status: 'linkSent', at: order.createdAt }],
      screenHistory: [],
    },
  ],
  agreements: [],
  timeline: [
    { at: order.createdAt, type: 'status', summary: 'The order became ordered.', details: { status: 'ordered' } },
  ],
} as const

/** An order as lists of people show it. */
export const maskedOrder = {
  ...order,
  participant: {
    address: null,
    birthDate: null,
    email: null,
    firstName: 'Maria',
    lastName: 'L.',
    middleName: null,
    phone: null,
  },
} as const

export const listedOrder = { ...order, timezone: 'America/Chicago', appointmentAt: null } as const

export const orderCsv =
  'id,code,status,participant,company,location,packages,agency,testReason,clinic,createdAt,statusUpdatedAt,expiresAt,externalId\r\n' +
  `${order.id},${order.code},${order.status},Maria L.,${order.company.name},${order.location.name},${order.packages[0].name},FMCSA,` +
  `${order.testReason},,${order.createdAt},${order.statusUpdatedAt},,${order.externalId}\r\n`

export const orderSearch = {
  object: 'orderSearch',
  kinds: ['specimenId', 'externalId', 'name'],
  data: [
    {
      object: 'orderHit',
      order: { ...maskedOrder, timezone: 'America/Chicago', appointmentAt: null },
      matchedOn: ['firstName', 'lastName'],
    },
  ],
  limit: 20,
  isMore: false,
} as const

export const openBooking = {
  object: 'booking',
  orderId: order.id,
  code: order.code,
  status: 'scheduled',
  company: { id: 'co-tallow-creek', name: 'Tallow Creek & Western Railway' },
  location: { id: 'loc-tallow-kansas-city', name: 'East Bottoms Yard' },
  clinic: { id: 'clinic-blue-river', name: 'Blue River Rail & Road Clinic', isActive: false },
  participant: { firstName: 'Maria', lastName: 'L.' },
  packages: ['DOT Pre-Employment Drug Test'],
  services: [{ serviceId: 'svc-dot-urine-5', name: 'DOT 5-Panel Urine Drug Test' }],
  appointmentAt: '2026-03-04T15:00:00.000Z',
  expiresAt: null,
  url: `/api/operator/v1/orders/${order.id}`,
} as const

export const clinicDay = {
  object: 'clinicDay',
  clinic: openBooking.clinic,
  date: '2026-03-04',
  zone: 'America/Chicago',
  hours: [{ from: '2026-03-04T14:00:00.000Z', until: '2026-03-04T23:00:00.000Z' }],
  slots: [{ at: '2026-03-04T15:00:00.000Z', time: '09:00', capacity: 2, taken: 1 }],
  bookings: [openBooking],
  isMore: false,
} as const

export const rebookings = {
  object: 'rebookings',
  data: [
    {
      object: 'rebooking',
      orderId: order.id,
      outcome: 'booked',
      appointmentAt: '2026-03-04T15:00:00.000Z',
      clinicId: 'clinic-blue-river',
      problems: [],
    },
  ],
} as const

export const helpRequest = {
  id: 'hlp_01kjqj55sex7n2nn9cq6avnj72',
  object: 'helpRequest',
  orderId: order.id,
  code: order.code,
  recipient: 'participant',
  reason: 'tooFar',
  isOpen: true,
  createdAt: '2026-03-02T15:20:05.678Z',
  doneAt: null,
  doneBy: null,
  url: '/api/operator/v1/helpRequests/hlp_01kjqj55sex7n2nn9cq6avnj72',
} as const

export const fullHelpRequest = {
  ...helpRequest,
  details: { place: 'Mullen, NE 69152', miles: 75, note: 'I work nights, mornings are best.' },
} as const

export const doneHelpRequest = {
  ...helpRequest,
  isOpen: false,
  doneAt: '2026-03-04T16:10:00.000Z',
  doneBy: 'demo-operator',
} as const

export const task = {
  id: 'tsk_01kjqj8mha6rjv3m5c2nqk0w4t',
  object: 'task',
  reason: 'stuck',
  actor: 'laboratory',
  subjectId: order.id,
  details: {
    serviceId: 'ose_01kjqj55sex7n2nn9cq6avnj73',
    status: 'testing',
    since: '2026-03-02T15:20:05.678Z',
    usualSeconds: 172_800,
  },
  foundAt: '2026-03-04T15:20:10.000Z',
  dueAt: '2026-03-05T15:20:05.678Z',
  claimedBy: { id: 'demo-operator', name: 'Demo operator', isMe: true },
  snoozedUntil: null,
  doneAt: null,
  order: {
    id: order.id,
    code: order.code,
    status: 'pending',
    company: 'Acme Logistics',
    location: 'Headquarters',
    package: 'DOT Urine Drug Test',
    participant: 'Maria L.',
    expiresAt: null,
    timezone: 'America/Chicago',
    url: `/api/operator/v1/orders/${order.id}`,
  },
  result: null,
  url: '/api/operator/v1/tasks/tsk_01kjqj8mha6rjv3m5c2nqk0w4t',
} as const

export const savedView = {
  id: 'vew_01kjqj9c4t6rjv3m5c2nqk0w4t',
  object: 'savedView',
  name: 'With the laboratory',
  filters: { status: 'pending', createdWithinDays: 7 },
  isShared: false,
  isMine: true,
  owner: { id: 'demo-operator', name: null },
  createdAt: '2026-03-02T15:40:05.678Z',
} as const

export const taskCounts = {
  object: 'taskCounts',
  open: 3,
  overdue: 1,
  mine: 1,
  snoozed: 0,
  done: 2,
  reasons: {
    helpAsked: 1,
    declined: 0,
    linkNotOpened: 0,
    expiring: 1,
    notificationFailed: 0,
    resultUnmatched: 0,
    clinicOff: 0,
    receiverFailing: 0,
    stuck: 1,
  },
} as const

export const figures = {
  object: 'figures',
  from: '2026-03-01T00:00:00.000Z',
  to: '2026-03-15T00:00:00.000Z',
  timezone: 'UTC',
  updatedAt: '2026-03-14T16:20:00.000Z',
  orders: { placed: 2192, placedBefore: 2106 },
  result: { count: 1604, median: 194_400, percentile90: 414_000, medianBefore: 212_400 },
  bookings: { booked: 1810, noShow: 69, bookedBefore: 1755, noShowBefore: 77 },
  deliveries: { delivered: 14_022, atFirstAttempt: 13_840, failed: 3, median: 2, percentile90: 41 },
  stages: [
    {
      stage: 'review',
      actor: 'reviewer',
      count: 412,
      median: 50_400,
      percentile90: 255_600,
      medianBefore: 32_400,
    },
  ],
  days: [{ date: '2026-03-02', ordered: 30, active: 52, final: 88, closed: 4 }],
  laboratories: [{ id: 'heartland', name: 'Heartland Toxicology', count: 641, median: 93_600, percentile90: 201_600 }],
  positivity: [
    { isDot: false, testReason: 'preEmployment', tests: 688, positive: 27 },
    { isDot: true, testReason: 'postAccident', tests: 39, positive: null },
  ],
  clinics: [{ id: 'clinic-blue-river', name: 'Blue River Occupational Health', booked: 88, noShow: 8 }],
} as const

export const auditEntry = {
  id: 'aud_01kjqj1gke4z8m6cjcjpxs1y2m',
  object: 'auditEntry',
  at: '2026-03-04T16:02:40.100Z',
  tokenId: 'demo-operator',
  user: null,
  actor: { type: 'token', user: null, host: null },
  action: 'order.cancel',
  subject: { type: 'order', id: order.id, name: order.code },
  reason: 'Placed twice.',
  before: { status: 'ordered' },
  after: { status: 'cancelled' },
} as const

export const auditCsv =
  'id,at,tokenId,actor,user,host,action,subjectType,subjectId,reason,before,after\r\n' +
  `${auditEntry.id},${auditEntry.at},${auditEntry.tokenId},token,,,${auditEntry.action},order,${auditEntry.subject.id},,,\r\n`

export const auditHead = {
  object: 'auditHead',
  seq: 4711,
  hash: '9f2c1d7a5e8b3046c1f0a97be2d45318f6a0c3b97d21e4586fb0912c7a3de845',
  entryId: auditEntry.id,
  linkedAt: '2026-03-04T16:02:40.900Z',
} as const

export const auditVerification = {
  object: 'auditVerification',
  links: 2000,
  entries: 0,
  head: { seq: 2000, hash: '41b7c0d8e6f52a93b80417dca5e9f36210cd84b7a9e35f6c02d1748b9ae6f053' },
  faults: [],
  next: 'link:2000',
} as const

const messageId = 'msg_01kjqh7w9ekmrkxfa69j8hfn6m'

export const message = {
  id: messageId,
  object: 'message',
  orderId: order.id,
  orderCode: order.code,
  to: 'm•••@example.com',
  kind: 'link',
  recipient: 'participant',
  channel: 'email',
  tokenId: 'demo',
  state: 'failed',
  reason: null,
  attempts: 1,
  copies: 0,
  dueAt: order.createdAt,
  createdAt: order.createdAt,
  endedAt: '2026-03-02T15:04:06.120Z',
  url: `/api/operator/v1/messages/${messageId}`,
} as const

export const fullMessage = {
  ...message,
  bounce: null,
  log: [
    { number: 1, at: '2026-03-02T15:04:06.020Z', durationMs: 84, outcome: 'refused', detail: '550 No such mailbox.' },
  ],
} as const

export const messagePreview = {
  object: 'messagePreview',
  messageId,
  channel: 'email',
  isRelevant: true,
  subject: 'Tallow Creek: book your test by March 16',
  text: 'Book your test\n\nBook a clinic:\nhttps://link-removed.invalid/\n',
} as const

export const waitingMessage = { ...message, state: 'waiting', endedAt: null } as const
