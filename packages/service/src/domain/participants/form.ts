import { ParticipantInput, parsePartly, type DeepPartial, type ErrorCode, type Problem } from '@order-testing/contract'
import type { Order, Participant } from '../orders/order.ts'
import { checkDetails, checkParticipant } from '../orders/people.ts'
import { needsLicense } from '../orders/regulation.ts'
import { participantPhone } from '../phones.ts'
import { normaliseAddress } from '../places/addresses.ts'
import { readBirthDate } from './birth-date.ts'
import { GROUPS, type DetailGroup, type DetailField, type DetailValues, type DetailError } from './detail-fields.ts'
import { IDENTIFIER_TYPES, wrongDigits } from './identifier.ts'

const GROUP_NAMES = Object.keys(GROUPS) as DetailGroup[]
const FIELDS = GROUP_NAMES.flatMap((group): readonly DetailField[] => GROUPS[group])
const Details = ParticipantInput.pick({ address: true, birthDate: true, email: true, phone: true, identifiers: true })

/** Finds the details that the option `order` would have required and that are still unknown. */
export function findMissing(order: Order): ReadonlySet<DetailGroup> {
  const problems = checkPerson(known(withDelivery(order)), isLicenseNeeded(order))
  const missing = new Set(problems.map(({ pointer = '' }) => pointer.replace('/participant/', '')))
  return new Set(GROUP_NAMES.filter((group) => missing.has(group === 'identifier' ? 'identifiers' : group)))
}

/** The identifier that has to be given if any: FMCSA wants a driver's license. */
export const identifierAsked = (order: Order): 'any' | 'driverLicense' =>
  isLicenseNeeded(order) ? 'driverLicense' : 'any'

/** Whether any detail that the option `order` would have required is unknown. */
export const lacksDetails = (order: Order) => checkPerson(known(order.participant), isLicenseNeeded(order)).length > 0

/** The groups in which something was entered. A country alone is not an address. */
export const findGiven = (values: DetailValues): ReadonlySet<DetailGroup> =>
  new Set(GROUP_NAMES.filter((group) => GROUPS[group].some((field) => field !== 'country' && values[field]?.trim())))

/** The participant, with the address that notifications go to if theirs is unknown. */
export function withDelivery({ participant, delivery }: Order): Participant {
  const { email, phone } = participant
  return {
    ...participant,
    email: email ?? (delivery.type === 'email' ? delivery.to : null),
    phone: phone ?? (delivery.type === 'mobile' ? delivery.phone : null),
  }
}

/** Adds the form values to the participant by the rules of the API, or returns everything that is wrong with them. */
export function readDetails(values: DetailValues, order: Order, now: Date): Participant | DetailError[] {
  const missing = findMissing(order)
  const given = findGiven(values)
  const isAsked = (group: DetailGroup) => missing.has(group) || given.has(group)
  const before = withDelivery(order)
  const birth = isAsked('birthDate') ? readBirthDate(values, now) : { errors: [] }
  const { partial, problems: malformed } = parsePartly(Details, toInput(values, order, isAsked, birth.date))
  const complete = { ...known(before), ...partial, identifiers: joinIdentifiers(before, partial.identifiers ?? []) }
  const incomplete = checkPerson(complete, isLicenseNeeded(order)).filter(
    // What is wrong with an identifier that was begun is said at its fields.
    ({ pointer }) => pointer !== '/participant/identifiers' || !identifierIn(values, order).hasAny,
  )
  const wrong = checkDetails({ participant: partial }, now)
  const errors = [
    ...birth.errors,
    ...checkIdentifier(values, order, isAsked),
    ...[...malformed, ...incomplete, ...wrong].flatMap((problem) => toErrors(problem)),
  ].filter(({ field, fault }) => field !== 'birthDate' || fault !== 'missing' || !hasWrongBox(birth.errors))
  // One error per field, the first one: a malformed value is not reported as missing too.
  const first = [...new Map(errors.toReversed().map((error) => [error.field, error])).values()]
  if (first.length > 0) return first.toSorted((a, b) => FIELDS.indexOf(a.field) - FIELDS.indexOf(b.field))
  return fillIn(before, partial)
}

/** A birth date with a wrong box is not missing too. */
const hasWrongBox = (errors: DetailError[]) => errors.some(({ field }) => field !== 'birthDate')

type Given = DeepPartial<ReturnType<typeof Details.parse>>
type Identifiers = Participant['identifiers']

function fillIn(before: Participant, filled: Given): Participant {
  const address = filled.address && normaliseAddress(filled.address as NonNullable<Participant['address']>)
  const { line1, line2, city, state, postalCode, country } = address ?? {}
  return {
    ...before,
    ...(address && { address: { line1, line2, city, state, postalCode, country } as Participant['address'] }),
    email: filled.email ?? before.email,
    phone: filled.phone === undefined ? before.phone : participantPhone(filled.phone),
    birthDate: filled.birthDate ?? before.birthDate,
    identifiers: joinIdentifiers(before, filled.identifiers ?? []),
  }
}

/** What is given takes the place of an identifier of its type. */
function joinIdentifiers({ identifiers }: Participant, given: NonNullable<Given['identifiers']>): Identifiers {
  const added = given.flatMap((each) =>
    each?.type === undefined || each.value === undefined
      ? []
      : [{ type: each.type, value: each.value, issuingCountry: null, issuingState: each.issuingState ?? null }],
  )
  return [...identifiers.filter(({ type }) => !added.some((each) => each.type === type)), ...added]
}

function toInput(
  values: DetailValues,
  order: Order,
  isAsked: (group: DetailGroup) => boolean,
  birthDate: string | undefined,
): object {
  const value = (field: DetailField) => values[field]?.trim() || undefined
  const { type, hasAny } = identifierIn(values, order)
  const issued = { issuingState: value('identifierState') }
  return {
    ...(isAsked('address') && {
      address: {
        line1: value('line1'),
        line2: value('line2') ?? '',
        city: value('city'),
        state: value('state'),
        postalCode: value('postalCode'),
        country: value('country') ?? 'US',
      },
    }),
    ...(isAsked('email') && { email: value('email') }),
    ...(isAsked('phone') && { phone: value('phone') }),
    ...(birthDate !== undefined && { birthDate }),
    ...(hasAny && { identifiers: [{ type, value: value('identifierValue'), ...issued }] }),
  }
}

function identifierIn({ identifierType, identifierValue }: DetailValues, order: Order) {
  const type = isLicenseNeeded(order) ? 'driverLicense' : identifierType?.trim() || undefined
  return { type, hasAny: Boolean(identifierType?.trim() || identifierValue?.trim()) }
}

/** The rules of the form beyond those of the API: an offered type, and a Social Security number that can be compared. */
function checkIdentifier(values: DetailValues, order: Order, isAsked: (group: DetailGroup) => boolean): DetailError[] {
  const { type } = identifierIn(values, order)
  if (!isAsked('identifier')) return []
  const count = wrongDigits(type, values.identifierValue ?? '')
  return [
    ...(type !== undefined && !IDENTIFIER_TYPES.has(type)
      ? [{ field: 'identifierType', fault: 'wrong' } as const]
      : []),
    ...(count === undefined ? [] : [{ field: 'identifierValue', fault: 'digits', count } as const]),
  ]
}

const isLicenseNeeded = ({ agencyId, services }: Order) =>
  needsLicense(agencyId === null ? {} : { agency: { id: agencyId } }, services)

const checkPerson = (participant: object, isLicense: boolean) =>
  checkParticipant({ participant, settings: { schedulingOption: 'order' } }, { needsLicense: isLicense })

/** Unknown details are null in orders, and absent from requests. */
const known = ({ address, birthDate, email, phone, identifiers }: Participant) => ({
  ...(address && { address }),
  ...(birthDate !== null && { birthDate }),
  ...(email !== null && { email }),
  ...(phone !== null && { phone }),
  identifiers,
})

const FAULTS: Partial<Record<ErrorCode, DetailError['fault']>> = { required: 'missing', tooBig: 'tooLong' }

const PLACES: Record<string, DetailField[]> = {
  '/identifiers': ['identifierType', 'identifierValue'],
  '/identifiers/0/type': ['identifierType'],
  '/identifiers/0/value': ['identifierValue'],
  '/identifiers/0/issuingState': ['identifierState'],
}

function toErrors({ code, pointer = '' }: Problem): DetailError[] {
  const place = pointer.replace(/^\/participant/, '')
  const fields = PLACES[place] ?? FIELDS.filter((field) => place === `/${field}` || place === `/address/${field}`)
  return fields.map((field) => ({ field, fault: FAULTS[code] ?? 'wrong' }))
}
