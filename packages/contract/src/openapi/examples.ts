/** The resources that all examples share, so that ids and links agree. */

const agencyReference = { code: 'FRA', id: 'fra', object: 'agency', url: '/api/v2/agencies/fra' } as const

const jobCategoryReference = named('agencies/fra/jobCategories', {
  id: 'engine-service',
  name: 'Engine Service',
  object: 'jobCategory',
})
const companyReference = named('companies', { id: 'prairie-rail', name: 'Prairie Rail Freight', object: 'company' })
const locationReference = named('locations', { id: 'prairie-rail-aurora', name: 'Aurora Yard', object: 'location' })
const packageReference = named('packages', { id: 'dot-urine', name: 'DOT Urine', object: 'package' })

const serviceReference = {
  id: 'dot-urine-5',
  name: 'DOT 5-Panel Urine Drug Test',
  object: 'service',
  type: 'urine',
  url: '/api/v2/services/dot-urine-5',
} as const

const address = {
  city: 'Naperville',
  country: 'US',
  line1: '1200 Ogden Avenue',
  line2: '',
  object: 'address',
  postalCode: '60540',
  state: 'IL',
} as const

const clinicReference = {
  address,
  id: 'naperville',
  name: 'Naperville Occupational Health',
  object: 'clinic',
  phone: '+16305550142',
  url: '/api/v2/clinics/naperville',
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
  coordinates: { lat: 41.7665, long: -88.1414 },
  distance: null,
  isActive: true,
  services: [serviceReference],
} as const

export const company = {
  ...companyReference,
  address: { ...address, city: 'Aurora', line1: '40 Depot Street', postalCode: '60505' },
  createdAt: '2026-01-05T09:00:00.000Z',
  phone: '+16305550100',
} as const

export const location = {
  ...locationReference,
  address: company.address,
  company: companyReference,
  createdAt: '2026-01-05T09:00:00.000Z',
  phone: '+16305550101',
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
  requester: { email: 'dispatch@prairie-rail.example', firstName: 'Dana', lastName: 'Reed', phone: '(630) 555-0100' },
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
  id: 'ord_01jnbk6w9e7x3v5c8m2q4t6y8z',
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
      id: 'osv_01jnbk6w9e7x3v5c8m2q4t6y90',
      isDot: true,
      isFinal: false,
      lab: { id: 'heartland', name: 'Heartland Toxicology', object: 'vendor', type: 'lab' },
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
  url: '/api/v2/orders/ord_01jnbk6w9e7x3v5c8m2q4t6y8z',
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

export const event = {
  object: 'event',
  id: 'evt_01jnbk9t4c2m8p6r5s7v3w1x0y',
  type: 'order.updated',
  createdAt: '2026-03-02T15:05:37.120Z',
  data: { object: 'order', id: order.id, code: order.code, externalId: order.externalId, url: order.url },
} as const

export const eventCursor = 'e.5a'

export const orderCallback = {
  id: 'cbk_01jnbk6w9e4n8r2t6v0x3z5a7c',
  object: 'callback',
  url: `${order.url}/callbacks/cbk_01jnbk6w9e4n8r2t6v0x3z5a7c`,
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
  id: 'payroll',
  object: 'token',
  url: '/api/v2/token',
  name: 'Payroll integration',
  mode: 'sandbox',
  scopes: ['order.create', 'order.read', 'order.list'],
  companies: [companyReference],
  rateLimit: 1200,
  expiresAt: null,
} as const

const delivered = {
  id: 'dlv_01jnbk9t4c7d2q9k3h5j8m1n6p',
  object: 'delivery',
  version: 'v2',
  callbackOrigin: 'https://hooks.example.com',
  state: 'delivered',
  attempts: 2,
  lastAttemptAt: '2026-03-02T15:05:42.480Z',
  lastStatus: 204,
  lastError: null,
  nextAttemptAt: null,
  heldReason: null,
  heldUntil: null,
  endedAt: '2026-03-02T15:05:42.530Z',
} as const

const parked = {
  ...delivered,
  id: 'dlv_01jnbk9t4c7d2q9k3h5j8m1n7r',
  version: 'v1',
  callbackOrigin: 'https://legacy.example.com',
  state: 'held',
  attempts: 1,
  lastAttemptAt: '2026-03-02T15:05:38.020Z',
  lastStatus: 500,
  heldReason: 'breakerOpen',
  heldUntil: '2026-03-02T15:06:08.020Z',
  endedAt: null,
} as const

export const orderEvent = { ...event, deliveries: [delivered, parked] } as const

function named<R extends { id: string }>(path: string, reference: R) {
  return { ...reference, url: `/api/v2/${path}/${reference.id}` }
}
