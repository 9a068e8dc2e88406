import type { Problem } from '@order-testing/contract'
import { normalisePhone } from '../phones.ts'
import { problemAt, underRegulation } from '../refusal.ts'
import { checkAddress } from '../places/addresses.ts'
import type { Draft } from './references.ts'

/** Required with the scheduling option `order`, since the participant is not asked for them later. */
const FOR_ORDER = ['address', 'birthDate', 'email', 'phone'] as const

/** Checks that the participant has what the scheduling option requires. */
export function checkParticipant(
  { participant = {}, settings: { schedulingOption, clinicSelectionMode } = {} }: Draft,
  { needsLicense }: { needsLicense: boolean },
): Problem[] {
  const needsAddress = schedulingOption === 'schedule' && clinicSelectionMode !== 'configured'
  const required = schedulingOption === 'order' ? FOR_ORDER : needsAddress ? (['address'] as const) : []
  const types = (participant.identifiers ?? []).map((identifier) => identifier?.type)
  const missing = [
    ...required.filter((member) => participant[member] === undefined),
    ...(schedulingOption === 'order' && types.length === 0 && !needsLicense ? ['identifiers'] : []),
  ]
  return [
    ...missing.map((member) =>
      problemAt(`/participant/${member}`, 'required', `Required with the scheduling option "${schedulingOption}".`),
    ),
    ...(needsLicense && !types.includes('driverLicense')
      ? [underRegulation('49 CFR 382.123', problemAt('/participant/identifiers', 'required', NO_LICENSE))]
      : []),
    ...types.flatMap((type, i) =>
      type === undefined || types.indexOf(type) === i
        ? []
        : [problemAt(`/participant/identifiers/${i}/type`, 'invalidValue', REPEATED_TYPE)],
    ),
  ]
}

const NO_LICENSE = 'FMCSA orders require an identifier of type "driverLicense".'
const REPEATED_TYPE = 'Duplicate identifier type: send each type once.'

export const EARLIEST_BIRTH = '1900-01-01'

/** Checks each detail of the participant on its own (rulings 35 and 38). */
export function checkDetails({ participant: { address, birthDate } = {} }: Draft, now: Date): Problem[] {
  return [
    ...(address ? checkAddress(address, '/participant/address') : []),
    ...(birthDate === undefined ? [] : checkBirthDate(birthDate, now.toISOString().slice(0, 10))),
  ]
}

function checkBirthDate(birthDate: string, today: string): Problem[] {
  const pointer = '/participant/birthDate'
  if (birthDate < EARLIEST_BIRTH) return [problemAt(pointer, 'tooSmall', `Expected ${EARLIEST_BIRTH} or later.`, 'min')]
  if (birthDate > today) return [problemAt(pointer, 'tooBig', `Expected today (${today} in UTC) or earlier.`, 'max')]
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

function checkPhone(phone: string | undefined, pointer: string): Problem[] {
  if (phone === undefined || normalisePhone(phone) !== null) return []
  const detail = 'Expected a phone number in US national or E.164 format, such as (630) 555-0100 or +16305550100.'
  return [problemAt(pointer, 'invalidFormat', detail, 'isPhoneNumber')]
}
