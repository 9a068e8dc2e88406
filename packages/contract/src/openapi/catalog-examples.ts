export const tokenRequest = {
  id: 'hiring',
  name: 'Hiring software',
  scopes: ['order.read', 'order.list'],
  companies: ['co-tallow-creek'],
  expiresAt: '2036-03-01T00:00:00Z',
} as const

export const token = {
  ...tokenRequest,
  id: 'payroll',
  name: 'Payroll system',
  object: 'token',
  rateLimit: null,
  senders: null,
  origin: 'issued',
  state: 'active',
  expiresAt: '2036-03-01T00:00:00.000Z',
  revokedAt: null,
  lastUsedAt: null,
  createdAt: '2026-03-02T09:00:00.000Z',
  url: '/api/operator/v1/tokens/payroll',
} as const

export const fullToken = {
  ...token,
  use: {
    since: '2026-02-01',
    scopes: [
      { scope: 'order.read', requests: 18_330, lastOn: '2026-03-02' },
      { scope: 'order.list', requests: 0, lastOn: null },
    ],
  },
} as const

export const tokenLogEntry = {
  id: 'req_01kjqj1gkebpjq4qg2xtdzb9v0',
  object: 'tokenRequest',
  at: '2026-03-02T15:18:05.678Z',
  requestId: '7f0b5f3e-6c1c-4f0e-9d53-5b0f8f6f2a11',
  method: 'GET',
  route: '/api/v2/orders/{id}',
  status: 404,
  ms: 3,
  problems: [{ code: 'notFound', pointer: null, detail: 'Not found.' }],
} as const

export const issuedToken = {
  ...token,
  ...tokenRequest,
  expiresAt: token.expiresAt,
  url: '/api/operator/v1/tokens/hiring',
  secret: 'otsk_0000000000000000000000000000000000000000',
} as const
export const revokedToken = { ...token, state: 'revoked', revokedAt: '2026-03-09T12:00:00.000Z' } as const

export const catalogFile = {
  tenant: { id: 'demo', name: 'Northfold Compliance Partners' },
  services: [
    {
      id: 'svc-dot-urine-5',
      name: 'DOT 5-Panel Urine Drug Test',
      category: 'drug',
      type: 'urine',
      isDot: true,
      requiresMro: true,
      lab: { id: 'lab-halvorsen-ridge', name: 'Halvorsen Ridge Toxicology' },
    },
  ],
  packages: [{ id: 'pkg-dot-urine', name: 'DOT Urine Drug Test', services: ['svc-dot-urine-5'], isActive: true }],
  clinics: [
    {
      id: 'clinic-blue-river',
      name: 'Blue River Rail & Road Clinic',
      phone: '+18165550171',
      address: {
        line1: '1420 N Chouteau Trafficway',
        line2: '',
        city: 'Kansas City',
        state: 'MO',
        postalCode: '64120',
        country: 'US',
      },
      services: ['svc-dot-urine-5'],
      timezone: 'America/Chicago',
      isActive: true,
    },
  ],
  companies: [
    {
      id: 'co-tallow-creek',
      name: 'Tallow Creek & Western Railway',
      isActive: true,
      packages: ['pkg-dot-urine'],
      settings: { clinicRadiusMiles: 30 },
      locations: [{ id: 'loc-tallow-kansas-city', name: 'East Bottoms Yard', isActive: true }],
    },
  ],
  tokens: [
    { id: 'demo', name: 'Hiring software', scopes: ['order.create', 'order.read'], companies: ['co-tallow-creek'] },
    {
      id: 'demo-operator',
      name: 'Operator',
      scopes: ['operator.catalog.read', 'operator.catalog.write', 'operator.tokens.write'],
      companies: [],
    },
    {
      id: 'halvorsen-ridge',
      name: 'Results of Halvorsen Ridge Toxicology',
      scopes: ['intake.lab'],
      companies: [],
      senders: [{ id: 'HALVORSEN', role: 'lab', labs: ['lab-halvorsen-ridge'], timezone: 'America/Chicago' }],
    },
  ],
  laboratoryCodes: [{ lab: 'lab-halvorsen-ridge', code: 'HR-5DOT', service: 'svc-dot-urine-5' }],
}

export const catalogChanges = {
  object: 'catalogChanges',
  added: 1,
  changed: 1,
  deactivated: 0,
  basedOn: '5f0c9c5c0fbb43a1a6d2c0c8f3b0d1e2',
  openBookings: 0,
  openOrders: 0,
  changes: [
    {
      kind: 'tokens',
      id: 'halvorsen-ridge',
      name: 'Results of Halvorsen Ridge Toxicology',
      action: 'add',
      members: [],
    },
    {
      kind: 'companies',
      id: 'co-tallow-creek',
      name: 'Tallow Creek & Western Railway',
      action: 'change',
      members: ['settings'],
    },
  ],
} as const

export const clinicMap = {
  object: 'clinicMap',
  width: 975,
  height: 610,
  states: 'M517.6 295.4L530.2 296.1L531 310.7Z',
  clinics: [{ id: 'clinic-blue-river', isActive: true, x: 524.3, y: 302.8 }],
  isMore: false,
} as const

export const sender = {
  object: 'sender',
  id: 'HALVORSEN',
  role: 'lab',
  name: 'Halvorsen Ridge, result line',
  labs: ['lab-halvorsen-ridge'],
  timezone: 'America/Chicago',
  token: { id: 'lab-line', name: 'Laboratory line', isEditable: true },
  codes: [{ lab: 'lab-halvorsen-ridge', code: '35105N', service: 'svc-urine-10', origin: 'catalog' }],
} as const
