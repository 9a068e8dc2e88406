/** The resources that all examples share, so that ids and links agree. */

const agencyReference = { code: 'FRA', id: 'fra', object: 'agency', url: '/api/v2/agencies/fra' } as const

const jobCategoryReference = named('agencies/fra/jobCategories', {
  id: 'engine-service',
  name: 'Engine Service',
  object: 'jobCategory',
})
const companyReference = named('companies', {
  id: 'co-tallow-creek',
  name: 'Tallow Creek & Western Railway',
  object: 'company',
})
const locationReference = named('locations', {
  id: 'loc-tallow-kansas-city',
  name: 'East Bottoms Yard',
  object: 'location',
})
const packageReference = named('packages', { id: 'pkg-dot-urine', name: 'DOT Urine Drug Test', object: 'package' })

const serviceReference = {
  id: 'svc-dot-urine-5',
  name: 'DOT 5-Panel Urine Drug Test',
  object: 'service',
  type: 'urine',
  url: '/api/v2/services/svc-dot-urine-5',
} as const

const address = {
  city: 'Kansas City',
  country: 'US',
  line1: '1420 N Chouteau Trafficway',
  line2: '',
  object: 'address',
  postalCode: '64120',
  state: 'MO',
} as const

const clinicReference = {
  address,
  id: 'clinic-blue-river',
  name: 'Blue River Rail & Road Clinic',
  object: 'clinic',
  phone: '+18165550171',
  url: '/api/v2/clinics/clinic-blue-river',
} as const

export const agency = {
  ...agencyReference,
  name: 'Federal Railroad Administration',
  regulation: '49 CFR 219',
  jobCategories: [jobCategoryReference],
} as const

export const jobCategory = { ...jobCategoryReference, agency: agencyReference } as const

export const clinic = {
  ...clinicReference,
  coordinates: { lat: 39.1262, long: -94.5352 },
  distance: null,
  isActive: true,
  services: [serviceReference],
} as const

export const company = {
  ...companyReference,
  address: { ...address, line1: '2020 Main Street', line2: 'Suite 900', postalCode: '64108' },
  createdAt: '2026-01-05T09:00:00.000Z',
  phone: '+18165550100',
} as const

export const location = {
  ...locationReference,
  address: { ...address, line1: '5200 Front Street' },
  company: companyReference,
  createdAt: '2026-01-05T09:00:00.000Z',
  phone: '+18165550101',
} as const

export const package_ = { ...packageReference, locationIds: [location.id], services: [serviceReference] } as const

export const service = {
  ...serviceReference,
  attributes: { category: 'drug', type: 'urine' },
  isDot: true,
} as const

export const orderRequest = {
  deliveryMethods: [{ type: 'email', to: 'maria.lopez@example.com' }],
  location: { id: location.id },
  package: { id: package_.id },
  agency: { code: 'FRA' },
  jobCategory: { id: jobCategory.id },
  testReason: 'random',
  participant: { firstName: 'Maria', lastName: 'Lopez' },
  requester: { email: 'dispatch@tallow-creek.example', firstName: 'Dana', lastName: 'Reed', phone: '(816) 555-0100' },
  settings: { schedulingOption: 'link', expiresIn: 5 },
  externalId: 'candidate-4711',
  callback: {
    url: 'https://hooks.example.com/orders',
    auth: { type: 'bearer', token: 'receiver-token', secretKey: 'signing-secret' },
  },
} as const

const placedAt = '2026-03-02T15:04:05.678Z'

export const order = {
  agency: agencyReference,
  clinic: null,
  code: 'K7M4-2QXD',
  company: companyReference,
  createdAt: placedAt,
  expiresAt: '2026-03-07T15:04:05.678Z',
  externalId: 'candidate-4711',
  id: 'ord_01kjqh7w9e3w39txkzfjp3h20w',
  isFinal: false,
  jobCategory: jobCategoryReference,
  location: locationReference,
  object: 'order',
  otherTestReason: null,
  packages: [packageReference],
  participant: {
    address: null,
    birthDate: null,
    email: null,
    firstName: 'Maria',
    identifiers: [],
    lastName: 'Lopez',
    middleName: null,
    phone: null,
  },
  services: [
    {
      attributes: { category: 'drug', type: 'urine' },
      courierServiceName: null,
      id: 'osv_01kjqh7w9e3w39txkzfjp3h20w_1',
      isDot: true,
      isFinal: false,
      lab: { id: 'lab-halvorsen-ridge', name: 'Halvorsen Ridge Toxicology', object: 'vendor', type: 'lab' },
      name: 'DOT 5-Panel Urine Drug Test',
      object: 'orderService',
      screenHistory: [],
      specimenId: null,
      status: 'linkSent',
      statusHistory: [
        {
          groupType: 'ordered',
          object: 'orderServiceStatusHistory',
          occurredAt: placedAt,
          status: 'linkSent',
        },
      ],
      statusUpdatedAt: placedAt,
      trackingNumber: null,
    },
  ],
  status: 'ordered',
  statusUpdatedAt: placedAt,
  testReason: 'random',
  updatedAt: placedAt,
  url: '/api/v2/orders/ord_01kjqh7w9e3w39txkzfjp3h20w',
} as const

export const matchedOrder = { ...order, matched: { originalSource: 'api', score: 98.8 } } as const

const cancelledAt = '2026-03-03T08:30:00.250Z'

export const cancelledOrder = {
  ...order,
  services: order.services.map((each) => ({
    ...each,
    status: 'cancelled',
    statusHistory: [
      ...each.statusHistory,
      { ...each.statusHistory[0], groupType: 'closed', occurredAt: cancelledAt, status: 'cancelled' },
    ],
    statusUpdatedAt: cancelledAt,
  })),
  status: 'cancelled',
  statusUpdatedAt: cancelledAt,
  updatedAt: cancelledAt,
} as const

/** The order of a sandbox that has a result, and the one that waits for the laboratory. */
export const finishedOrder = { id: 'ord_01kjqh9pwewzss6e6gdantybra', code: 'P3WT-9HC4' } as const
export const collectedOrder = { id: 'ord_01kjqhbhfeqjf80xke1bgrrkaw', code: 'R8VN-4TJV' } as const

/** The first service of an order. */
export const serviceOf = ({ id }: { id: string }) => `${id.replace('ord_', 'osv_')}_1`

export const event = {
  object: 'event',
  id: 'evt_01kjqht67evh356zbvmkryqphr',
  type: 'order.updated',
  createdAt: '2026-03-02T15:14:05.678Z',
  data: {
    object: 'order',
    id: finishedOrder.id,
    code: finishedOrder.code,
    externalId: 'candidate-4712',
    url: `/api/v2/orders/${finishedOrder.id}`,
  },
} as const

export const eventCursor = 'e.5a'

export const orderCallback = {
  id: 'cbk_01kjqh7w9efey0p0ytxm2h3pnj',
  object: 'callback',
  url: `${order.url}/callbacks/cbk_01kjqh7w9efey0p0ytxm2h3pnj`,
  target: orderRequest.callback.url,
  version: 'v2',
  headers: [],
  authType: 'bearer',
  isSigned: true,
  isActive: true,
  createdAt: placedAt,
} as const

export const orderValidation = {
  object: 'orderValidation',
  location: locationReference,
  package: packageReference,
  services: [service],
  agency: agencyReference,
  jobCategory: jobCategoryReference,
  clinic: null,
  expiresAt: order.expiresAt,
  match: null,
} as const

export const token = {
  id: 'demo',
  object: 'token',
  url: '/api/v2/token',
  name: 'Demo token: every scope, every active company',
  mode: 'sandbox',
  scopes: ['order.create', 'order.read', 'order.list'],
  companies: [companyReference],
  rateLimit: 1200,
  expiresAt: null,
} as const

const delivered = {
  id: 'dlv_01kjqht67ec3q3aqzjhrk4vvm3',
  object: 'delivery',
  version: 'v2',
  callbackOrigin: 'https://hooks.example.com',
  state: 'delivered',
  attempts: 2,
  lastAttemptAt: '2026-03-02T15:14:12.480Z',
  lastStatus: 204,
  lastError: null,
  nextAttemptAt: null,
  heldReason: null,
  heldUntil: null,
  endedAt: '2026-03-02T15:14:12.530Z',
} as const

const parked = {
  ...delivered,
  id: 'dlv_01kjqht67ec3q3aqzjhrk4vvm4',
  version: 'v1',
  callbackOrigin: 'https://legacy.example.com',
  state: 'held',
  attempts: 1,
  lastAttemptAt: '2026-03-02T15:14:08.020Z',
  lastStatus: 500,
  heldReason: 'breakerOpen',
  heldUntil: '2026-03-02T15:14:38.020Z',
  endedAt: null,
} as const

export const orderEvent = { ...event, deliveries: [delivered, parked] } as const

function named<R extends { id: string }>(path: string, reference: R) {
  return { ...reference, url: `/api/v2/${path}/${reference.id}` }
}
