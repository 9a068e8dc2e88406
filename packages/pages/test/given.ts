import type { ClinicCard, ClinicsView, TimeView } from '../src/clinic-views.ts'
import type { DetailsView } from '../src/views-details.ts'
import type { Brand, OrderView, ServiceView } from '../src/views.ts'

export const BRAND: Brand = {
  tenant: 'Northfold',
  company: 'Acme',
  logo: null,
  accent: null,
  privacyUrl: null,
  contacts: [{ name: 'Acme', phone: '+16305550101', email: 'help@acme.example' }],
}

export const service = (name: string, members: Partial<ServiceView> = {}): ServiceView => ({
  name,
  names: {},
  type: 'urine',
  ...members,
})

export const ORDER: OrderView = {
  reader: 'participant',
  brand: BRAND,
  code: 'K7M4-2QXD',
  company: 'Acme',
  name: 'Maria Lopez',
  firstName: 'Maria',
  services: [service('Urine')],
  isForNewJob: false,
  expiresAt: null,
  timezone: null,
}

export const clinicCard = (members: Partial<ClinicCard> = {}): ClinicCard => ({
  id: 'c',
  name: 'Clinic',
  address: [],
  phone: null,
  miles: null,
  at: null,
  hours: null,
  timezone: 'America/Chicago',
  zone: 'America/Chicago',
  open: { state: 'unknown' },
  walkIns: true,
  appointments: true,
  walkInToday: null,
  driveMinutes: null,
  point: null,
  isBookable: true,
  ...members,
})

export const clinicsView = (members: Partial<ClinicsView> = {}): ClinicsView => ({
  order: ORDER,
  zone: 'America/Chicago',
  now: new Date('2026-11-17T20:12:00.000Z'),
  booked: null,
  isChange: false,
  hasDraft: false,
  near: 'address',
  found: null,
  radiusMiles: 50,
  clinics: [],
  filters: { openNow: false, walkIns: false, openSaturday: false },
  nearest: [],
  isSaturdayTooLate: false,
  hasAskedForHelp: false,
  map: null,
  values: {},
  errors: [],
  ...members,
})

export const timeView = (members: Partial<TimeView> = {}): TimeView => ({
  order: ORDER,
  zone: 'America/Chicago',
  booked: null,
  isChange: false,
  filters: { openNow: false, walkIns: false, openSaturday: false },
  hasDraft: false,
  clinic: clinicCard(),
  choosesClinic: true,
  from: '2027-01-01',
  until: '2027-02-01',
  choice: 'anyTime',
  days: null,
  day: null,
  slots: [],
  arrivals: [],
  selected: null,
  taken: null,
  values: {},
  errors: [],
  ...members,
})
/** The first page of the form, with everything to be filled in. */
export const DETAILS_PAGE: Omit<DetailsView, keyof OrderView | 'values' | 'errors'> = {
  step: 'you',
  part: { at: 1, of: 3 },
  isFirst: true,
  back: null,
  asks: ['birthDate', 'identifier', 'email', 'phone', 'address'],
  identifier: 'any',
  enteredIdentifier: null,
  regions: [['IL', 'Illinois']],
  issuers: [['IL', 'Illinois']],
  clinic: 'choose',
}
