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
