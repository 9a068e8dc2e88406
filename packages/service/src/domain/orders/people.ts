import type { Problem } from '@order-testing/contract'
import { checkAddress } from '../places/addresses.ts'
import type { Draft } from './references.ts'
import { normalisePhone } from '../phones.ts'

/** Required with the scheduling option `order`, since the participant is not asked for them later. */
const FOR_ORDER = ['address', 'birthDate', 'email', 'phone'] as const

/** Checks that the participant has what the scheduling option requires. */
export function checkParticipant(
  { participant = {}, settings: { schedulingOption, clinicSelectionMode } = {} }: Draft,
  { needsLicense }: { needsLicense: boolean },
): Problem[] {
  const required =
    schedulingOption === 'order'
      ? FOR_ORDER
      : schedulingOption === 'schedule' && clinicSelectionMode !== 'configured'
        ? (['address'] as const)
        : []
  const types = (participant.identifiers ?? []).map((identifier) => identifier?.type)
  return [
    ...required
      .filter((member) => participant[member] === undefined)
      .map((member) => missing(member, schedulingOption)),
    ...(schedulingOption === 'order' && types.length === 0 && !needsLicense
      ? [missing('identifiers', schedulingOption)]
      : []),
    ...(needsLicense && !types.includes('driverLicense') ? [NO_LICENSE] : []),
    ...repeatedTypes(types),
  ]
}

export const EARLIEST_BIRTH = '1900-01-01'

/** Checks each detail of the participant on its own (rulings 35 and 38). */
export function checkDetails({ participant: { address, birthDate } = {} }: Draft, now: Date): Problem[] {
  return [
    ...(address ? checkAddress(address, '/participant/address') : []),
    ...(birthDate === undefined ? [] : checkBirthDate(birthDate, dayOf(now))),
  ]
}

/** The day in UTC. */
export const dayOf = (at: Date) => at.toISOString().slice(0, 10)

function checkBirthDate(birthDate: string, today: string): Problem[] {
  const pointer = '/participant/birthDate'
  if (birthDate < EARLIEST_BIRTH)
    return [{ code: 'tooSmall', detail: `Expected ${EARLIEST_BIRTH} or later.`, pointer, constraint: 'min' }]
  if (birthDate > today)
    return [{ code: 'tooBig', detail: `Expected today (${today} in UTC) or earlier.`, pointer, constraint: 'max' }]
  return []
}

/** Checks the phones that notifications go to, which are stored as E.164. */
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
  detail: `Required with the scheduling option "${option}".`,
  pointer: `/participant/${member}`,
})

const NO_LICENSE: Problem = {
  code: 'required',
  detail: 'FMCSA orders require an identifier of type "driverLicense".',
  pointer: '/participant/identifiers',
}

function repeatedTypes(types: readonly (string | undefined)[]): Problem[] {
  return types.flatMap((type, i) =>
    type === undefined || types.indexOf(type) === i
      ? []
      : [
          {
            code: 'invalidValue',
            detail: 'Duplicate identifier type: send each type once.',
            pointer: `/participant/identifiers/${i}/type`,
          } as const,
        ],
  )
}

function checkPhone(phone: string | undefined, pointer: string): Problem[] {
  if (phone === undefined || normalisePhone(phone) !== null) return []
  const detail = 'Expected a phone number in US national or E.164 format, such as (630) 555-0100 or +16305550100.'
  return [{ code: 'invalidFormat', detail, pointer, constraint: 'isPhoneNumber' }]
}
