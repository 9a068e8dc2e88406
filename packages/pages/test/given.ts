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
