import type { Problem } from '@order-testing/contract'
import { isCountry } from './countries.ts'
import type { Draft } from './order-references.ts'
import { normalisePhone } from './phones.ts'

/** What must be known of the person when nobody is asked for it later. */
const FOR_ORDER = ['address', 'birthDate', 'email', 'phone'] as const

/** Who is tested, and whether all is said of them that this way to complete the order needs. */
export function checkParticipant(
  { participant = {}, settings: { schedulingOption, clinicSelectionMode } = {} }: Draft,
  { needsLicense }: { needsLicense: boolean },
): Problem[] {
  const needed =
    schedulingOption === 'order'
      ? FOR_ORDER
      : schedulingOption === 'schedule' && clinicSelectionMode !== 'configured'
        ? (['address'] as const)
        : []
  const types = (participant.identifiers ?? []).map((identifier) => identifier?.type)
  return [
    ...needed.filter((member) => participant[member] === undefined).map((member) => missing(member, schedulingOption)),
    ...checkCountry(participant.address?.country),
    ...(schedulingOption === 'order' && types.length === 0 && !needsLicense
      ? [missing('identifiers', schedulingOption)]
      : []),
    ...(needsLicense && !types.includes('driverLicense') ? [NO_LICENSE] : []),
    ...repeatedTypes(types),
  ]
}

/** Phones that messages go to, which are kept as E.164. */
export function checkPhones({ requester, deliveryMethods = [] }: Draft): Problem[] {
  return [
    ...checkPhone(requester?.phone, '/requester/phone'),
    ...deliveryMethods.flatMap((method, i) =>
      method?.type === 'mobile' ? checkPhone(method.phone, `/deliveryMethods/${i}/phone`) : [],
    ),
  ]
}

const missing = (member: string, option: string | undefined): Problem => ({
  code: 'required',
  detail: `The scheduling option "${option}" needs this.`,
  pointer: `/participant/${member}`,
})

const NO_LICENSE: Problem = {
  code: 'required',
  detail: 'An order under FMCSA needs an identifier of the type "driverLicense".',
  pointer: '/participant/identifiers',
}

function checkCountry(country: string | undefined): Problem[] {
  if (country === undefined || isCountry(country)) return []
  const detail = 'Expected the code of a country (ISO 3166).'
  return [{ code: 'invalidValue', detail, pointer: '/participant/address/country', constraint: 'isISO31661Alpha2' }]
}

function repeatedTypes(types: readonly (string | undefined)[]): Problem[] {
  return types.flatMap((type, i) =>
    type === undefined || types.indexOf(type) === i
      ? []
      : [
          {
            code: 'invalidValue',
            detail: 'Another identifier has this type already: give one of each.',
            pointer: `/participant/identifiers/${i}/type`,
          } as const,
        ],
  )
}

function checkPhone(phone: string | undefined, pointer: string): Problem[] {
  if (phone === undefined || normalisePhone(phone) !== null) return []
  const detail = 'Expected a telephone number in national (US) or E.164 spelling.'
  return [{ code: 'invalidFormat', detail, pointer, constraint: 'isPhoneNumber' }]
}
