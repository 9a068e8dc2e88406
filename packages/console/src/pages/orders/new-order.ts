import type { CatalogFileOutput, OperatorOrderRequest } from '@order-testing/client/operator'
import { AGENCIES, type Agency } from '@order-testing/contract/agencies'

/** What is typed into the form. */
export interface Draft {
  company: string
  location: string
  package: string
  testReason: string
  agency: string
  jobCategory: string
  isObserved: boolean
  firstName: string
  lastName: string
  birthDate: string
  email: string
  phone: string
  sendBy: 'email' | 'mobile'
  requesterFirstName: string
  requesterLastName: string
  requesterEmail: string
  externalId: string
  billingCode: string
  expiresIn: string
}

export const EMPTY: Draft = {
  company: '',
  location: '',
  package: '',
  testReason: '',
  agency: '',
  jobCategory: '',
  isObserved: false,
  firstName: '',
  lastName: '',
  birthDate: '',
  email: '',
  phone: '',
  sendBy: 'email',
  requesterFirstName: '',
  requesterLastName: '',
  requesterEmail: '',
  externalId: '',
  billingCode: '',
  expiresIn: '',
}

export const TEST_REASONS = [
  'preEmployment',
  'random',
  'postAccident',
  'reasonableSuspicion',
  'returnToDuty',
  'followUp',
  'periodic',
  'periodicMedical',
  'promotion',
  'jobTransfer',
  'fitnessForDuty',
  'preSiteAccess',
  'probation',
  'injury',
  'sweep',
  'notIndicated',
] as const

interface Entry {
  id: string
  name: string
}

export interface Offered {
  companies: Entry[]
  locations: Entry[]
  packages: Entry[]
  /** Empty unless the package has a regulated test. */
  agencies: readonly Agency[]
  jobCategories: Entry[]
  /** Whether the reason may need a collection under observation. */
  asksObserved: boolean
}

const RETURNING = new Set(['returnToDuty', 'followUp'])

/** What can be chosen after what has been chosen. */
export function offeredFor(draft: Draft, catalog: CatalogFileOutput): Offered {
  const companies = catalog.companies.filter(({ isActive }) => isActive)
  const company = companies.find(({ id }) => id === draft.company)
  const locations = company?.locations.filter(({ isActive }) => isActive) ?? []
  const location = locations.find(({ id }) => id === draft.location)
  const offered = location && (location.packages ?? company!.packages)
  const packages = catalog.packages.filter(({ id }) => offered?.includes(id) ?? false)
  const chosen = packages.find(({ id }) => id === draft.package)
  const services = catalog.services.filter(({ id }) => chosen?.services.includes(id) ?? false)
  const agencies = services.some(({ isDot }) => isDot) ? AGENCIES : []
  return {
    companies,
    locations,
    packages,
    agencies,
    jobCategories: agencies.find(({ id }) => id === draft.agency)?.jobCategories ?? [],
    asksObserved: agencies.length > 0 && RETURNING.has(draft.testReason),
  }
}

/** The draft with a change, and without what the change makes impossible; the only choice is made at once. */
export function withChange(draft: Draft, change: Partial<Draft>, catalog: CatalogFileOutput): Draft {
  const next = { ...draft, ...change }
  const keep = (chosen: string, entries: readonly Entry[]) => {
    if (entries.some(({ id }) => id === chosen)) return chosen
    return entries.length === 1 ? entries[0]!.id : ''
  }
  next.location = keep(next.location, offeredFor(next, catalog).locations)
  next.package = keep(next.package, offeredFor(next, catalog).packages)
  const { agencies, asksObserved } = offeredFor(next, catalog)
  next.agency = keep(next.agency, agencies)
  next.jobCategory = keep(next.jobCategory, offeredFor(next, catalog).jobCategories)
  next.isObserved &&= asksObserved
  return next
}

/** The order as the service takes it. Whether it is complete and right is for the service to say. */
export function requestOf(draft: Draft): OperatorOrderRequest {
  const text = (name: keyof Draft) => String(draft[name]).trim()
  const given = <Name extends string>(name: Name, value: string) =>
    (value === '' ? {} : { [name]: value }) as { [name in Name]?: string }
  return {
    source: 'portal',
    company: { id: draft.company },
    location: { id: draft.location },
    package: { id: draft.package },
    testReason: draft.testReason as OperatorOrderRequest['testReason'],
    ...(draft.agency && { agency: { id: draft.agency } }),
    ...(draft.jobCategory && { jobCategory: { id: draft.jobCategory } }),
    participant: {
      firstName: text('firstName'),
      lastName: text('lastName'),
      ...given('birthDate', text('birthDate')),
      ...given('email', text('email')),
      ...given('phone', text('phone')),
    },
    deliveryMethods: [
      draft.sendBy === 'email' ? { type: 'email', to: text('email') } : { type: 'mobile', phone: text('phone') },
    ],
    requester: {
      firstName: text('requesterFirstName'),
      lastName: text('requesterLastName'),
      email: text('requesterEmail'),
    },
    settings: {
      schedulingOption: 'link',
      ...given('billingCode', text('billingCode')),
      ...(text('expiresIn') !== '' && { expiresIn: Number(text('expiresIn')) }),
      ...(draft.isObserved && { observedCollection: true }),
    },
    ...given('externalId', text('externalId')),
  }
}

/** The fields of the form by what the service calls them. */
const FIELDS: Record<string, keyof Draft> = {
  '/company': 'company',
  '/location': 'location',
  '/package': 'package',
  '/testReason': 'testReason',
  '/agency': 'agency',
  '/jobCategory': 'jobCategory',
  '/participant/firstName': 'firstName',
  '/participant/lastName': 'lastName',
  '/participant/birthDate': 'birthDate',
  '/participant/email': 'email',
  '/participant/phone': 'phone',
  '/deliveryMethods/0/to': 'email',
  '/deliveryMethods/0/phone': 'phone',
  '/requester/firstName': 'requesterFirstName',
  '/requester/lastName': 'requesterLastName',
  '/requester/email': 'requesterEmail',
  '/externalId': 'externalId',
  '/settings/billingCode': 'billingCode',
  '/settings/expiresIn': 'expiresIn',
  '/settings/observedCollection': 'isObserved',
}

interface Problem {
  detail: string
  pointer?: string | undefined
}

export interface Refused {
  /** What is wrong with a field, the first problem of each. */
  fields: Partial<Record<keyof Draft, string>>
  /** What is wrong with none of them. */
  others: string[]
}

/** Puts each problem beside its field. */
export function sortProblems(problems: readonly Problem[]): Refused {
  const refused: Refused = { fields: {}, others: [] }
  for (const { detail, pointer = '' } of problems) {
    const field = FIELDS[pointer] ?? FIELDS[pointer.replace(/\/(id|name|code)$/, '')]
    if (field === undefined) refused.others.push(detail)
    else refused.fields[field] ??= detail
  }
  return refused
}
