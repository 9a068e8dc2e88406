import { ParticipantInput, parsePartly, type ErrorCode, type Problem } from '@order-testing/contract'
import { normaliseAddress } from '../places/addresses.ts'
import { checkDetails, checkParticipant } from '../orders/people.ts'
import { needsLicense } from '../orders/regulation.ts'
import type { Order, Participant } from '../orders/order.ts'
import { participantPhone } from '../phones.ts'

/** What a participant typed, by field; all of it text. */
export type Typed = { readonly [name in DetailField]?: string | undefined }

export type DetailField =
  | 'line1'
  | 'line2'
  | 'city'
  | 'state'
  | 'postalCode'
  | 'country'
  | 'email'
  | 'phone'
  | 'birthDate'
  | 'identifierType'
  | 'identifierValue'
  | 'identifierState'
  | 'consent'

export interface DetailError {
  field: DetailField
  fault: 'missing' | 'wrong' | 'tooLong'
}

/** Which details have to be asked for. What is on file is not: a link may be read by others. */
export interface Asked {
  birthDate: boolean
  identifier: 'no' | 'any' | 'driverLicense'
}

/** What people have at hand. Others come by the API alone. */
const IDENTIFIER_TYPES = new Set(['driverLicense', 'stateId', 'passport', 'ssn', 'employeeId'])
const Details = ParticipantInput.pick({ address: true, birthDate: true, email: true, phone: true, identifiers: true })

/** What an order with the option `order` would have needed at once, and is still not known. */
export function askedOf(order: Order): Asked {
  const isLicense = isLicenseNeeded(order)
  const missing = new Set(checkPerson(known(order.participant), isLicense).map(({ pointer }) => pointer))
  const isIdentifier = missing.has('/participant/identifiers')
  return {
    birthDate: missing.has('/participant/birthDate'),
    identifier: isIdentifier ? (isLicense ? 'driverLicense' : 'any') : 'no',
  }
}

/** Whether anything is still missing of what the option `order` would have needed. */
export const lacksDetails = (order: Order) => checkPerson(known(order.participant), isLicenseNeeded(order)).length > 0

/** The contact details on file, to be corrected; where messages go may be all that is known. */
export function contactOf({ participant: { address, email, phone }, delivery }: Order): Typed {
  return {
    line1: address?.line1,
    line2: address?.line2,
    city: address?.city,
    state: address?.state,
    postalCode: address?.postalCode,
    country: address?.country ?? 'US',
    email: email ?? (delivery.type === 'email' ? delivery.to : undefined),
    phone: phone ?? (delivery.type === 'mobile' ? delivery.phone : undefined),
  }
}

/** The participant with what was typed, by the rules of the API; or everything that is wrong with it. */
export function readDetails(typed: Typed, order: Order, now: Date): Participant | DetailError[] {
  const asked = askedOf(order)
  const onFile = known(order.participant)
  const { partial, problems: malformed } = parsePartly(Details, inputOf(typed, asked))
  const birthDate = onFile.birthDate ?? partial.birthDate
  const identifiers = [...onFile.identifiers, ...(partial.identifiers ?? [])]
  const incomplete = checkPerson({ ...partial, birthDate, identifiers }, isLicenseNeeded(order))
  const wrong = checkDetails({ participant: partial }, now)
  const errors = [...malformed, ...incomplete, ...wrong].flatMap((problem) => errorsOf(problem))
  const all = [...errors, ...checkTyped(typed, asked)]
  // One word a field: what is malformed has been told, and need not be told to be missing.
  const first = [...new Map(all.toReversed().map((error) => [error.field, error])).values()]
  if (first.length > 0) return first.toSorted((a, b) => FIELDS.indexOf(a.field) - FIELDS.indexOf(b.field))
  return participantOf(order.participant, partial as Filled, asked)
}

type Given = ReturnType<typeof Details.parse>
type Filled = { [name in 'address' | 'email' | 'phone']: NonNullable<Given[name]> } & Given

/** In the order in which they are asked. */
const FIELDS: DetailField[] = [
  'birthDate',
  'identifierType',
  'identifierValue',
  'identifierState',
  'email',
  'phone',
  'line1',
  'line2',
  'city',
  'state',
  'postalCode',
  'country',
  'consent',
]

function participantOf(before: Participant, filled: Filled, asked: Asked): Participant {
  const { line1, line2, city, state, postalCode, country } = normaliseAddress(filled.address)
  const given = asked.identifier === 'no' ? [] : (filled.identifiers ?? [])
  return {
    ...before,
    address: { line1, line2, city, state, postalCode, country },
    email: filled.email,
    phone: participantPhone(filled.phone),
    birthDate: before.birthDate ?? filled.birthDate ?? null,
    identifiers: [
      ...before.identifiers,
      ...given.map(({ type, value, issuingCountry = null, issuingState = null }) => ({
        type,
        value,
        issuingCountry,
        issuingState,
      })),
    ],
  }
}

function inputOf(typed: Typed, { birthDate, identifier }: Asked): object {
  const said = (field: DetailField) => typed[field]?.trim() || undefined
  const type = identifier === 'driverLicense' ? 'driverLicense' : said('identifierType')
  const isGiven = identifier !== 'no' && (said('identifierType') ?? said('identifierValue')) !== undefined
  const issued = { issuingState: said('identifierState') }
  return {
    address: {
      line1: said('line1'),
      line2: said('line2') ?? '',
      city: said('city'),
      state: said('state'),
      postalCode: said('postalCode'),
      country: said('country') ?? 'US',
    },
    email: said('email'),
    phone: said('phone'),
    ...(birthDate && { birthDate: said('birthDate') }),
    ...(isGiven && { identifiers: [{ type, value: said('identifierValue'), ...issued }] }),
  }
}

/** What a form asks beyond the API: an identifier of a type that it offers, and consent. */
function checkTyped({ identifierType = '', consent }: Typed, asked: Asked): DetailError[] {
  return [
    ...(asked.identifier === 'any' && identifierType !== '' && !IDENTIFIER_TYPES.has(identifierType)
      ? [{ field: 'identifierType', fault: 'wrong' } as const]
      : []),
    ...(consent === 'yes' ? [] : [{ field: 'consent', fault: 'missing' } as const]),
  ]
}

const isLicenseNeeded = ({ agencyId, services }: Order) =>
  needsLicense(agencyId === null ? {} : { agency: { id: agencyId } }, services)

const checkPerson = (participant: object, isLicense: boolean) =>
  checkParticipant({ participant, settings: { schedulingOption: 'order' } }, { needsLicense: isLicense })

/** What is not known is absent from requests, and null in orders. */
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

function errorsOf({ code, pointer = '' }: Problem): DetailError[] {
  const place = pointer.replace(/^\/participant/, '')
  const fields = PLACES[place] ?? FIELDS.filter((field) => place === `/${field}` || place === `/address/${field}`)
  return fields.map((field) => ({ field, fault: faultOf(field, code) }))
}

/** A date can be too late, but not too long. */
const faultOf = (field: DetailField, code: ErrorCode) =>
  field === 'birthDate' && code === 'tooBig' ? 'wrong' : (FAULTS[code] ?? 'wrong')
