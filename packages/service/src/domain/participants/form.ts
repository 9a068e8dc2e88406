import { ParticipantInput, parsePartly, type ErrorCode, type Problem } from '@order-testing/contract'
import type { Order, Participant } from '../orders/order.ts'
import { checkDetails, checkParticipant } from '../orders/people.ts'
import { needsLicense } from '../orders/regulation.ts'
import { participantPhone } from '../phones.ts'
import { normaliseAddress } from '../places/addresses.ts'

/** In the order of the form. */
const FIELDS = [
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
] as const

export type DetailField = (typeof FIELDS)[number]
export type DetailValues = { readonly [name in DetailField]?: string | undefined }

export interface DetailError {
  field: DetailField
  fault: 'missing' | 'wrong' | 'tooLong'
}

/** The details to ask for. Details on file are not shown: others may read the link. */
export interface MissingDetails {
  birthDate: boolean
  identifier: 'no' | 'any' | 'driverLicense'
}

/** The types the form offers. The API accepts more. */
const IDENTIFIER_TYPES = new Set(['driverLicense', 'stateId', 'passport', 'ssn', 'employeeId'])
const Details = ParticipantInput.pick({ address: true, birthDate: true, email: true, phone: true, identifiers: true })

/** Finds the details that the option `order` would have required and that are still unknown. */
export function findMissingDetails(order: Order): MissingDetails {
  const isLicense = isLicenseNeeded(order)
  const missing = new Set(checkPerson(known(order.participant), isLicense).map(({ pointer }) => pointer))
  const identifier = isLicense ? 'driverLicense' : 'any'
  return {
    birthDate: missing.has('/participant/birthDate'),
    identifier: missing.has('/participant/identifiers') ? identifier : 'no',
  }
}

/** Whether any detail that the option `order` would have required is unknown. */
export const lacksDetails = (order: Order) => checkPerson(known(order.participant), isLicenseNeeded(order)).length > 0

/** The contact details on file, for the participant to correct. Falls back to the address notifications go to. */
export function toContactValues({ participant: { address, email, phone }, delivery }: Order): DetailValues {
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

/** Adds the form values to the participant by the rules of the API, or returns everything that is wrong with them. */
export function readDetails(values: DetailValues, order: Order, now: Date): Participant | DetailError[] {
  const missing = findMissingDetails(order)
  const onFile = known(order.participant)
  const { partial, problems: malformed } = parsePartly(Details, toInput(values, missing))
  const birthDate = onFile.birthDate ?? partial.birthDate
  const identifiers = [...onFile.identifiers, ...(partial.identifiers ?? [])]
  const incomplete = checkPerson({ ...partial, birthDate, identifiers }, isLicenseNeeded(order))
  const wrong = checkDetails({ participant: partial }, now)
  const errors = [...malformed, ...incomplete, ...wrong].flatMap((problem) => toErrors(problem))
  const all = [...errors, ...checkForm(values, missing)]
  // One error per field, the first one: a malformed value is not reported as missing too.
  const first = [...new Map(all.toReversed().map((error) => [error.field, error])).values()]
  if (first.length > 0) return first.toSorted((a, b) => FIELDS.indexOf(a.field) - FIELDS.indexOf(b.field))
  return fillIn(order.participant, partial as Filled, missing)
}

type Given = ReturnType<typeof Details.parse>
type Filled = { [name in 'address' | 'email' | 'phone']: NonNullable<Given[name]> } & Given

function fillIn(before: Participant, filled: Filled, missing: MissingDetails): Participant {
  const { line1, line2, city, state, postalCode, country } = normaliseAddress(filled.address)
  const given = missing.identifier === 'no' ? [] : (filled.identifiers ?? [])
  return {
    ...before,
    address: { line1, line2, city, state, postalCode, country },
    email: filled.email,
    phone: participantPhone(filled.phone),
    birthDate: before.birthDate ?? filled.birthDate ?? null,
    identifiers: [
      ...before.identifiers,
      ...given.map(({ issuingCountry = null, issuingState = null, ...identifier }) => ({
        ...identifier,
        issuingCountry,
        issuingState,
      })),
    ],
  }
}

function toInput(values: DetailValues, { birthDate, identifier }: MissingDetails): object {
  const value = (field: DetailField) => values[field]?.trim() || undefined
  const type = identifier === 'driverLicense' ? 'driverLicense' : value('identifierType')
  const isGiven = identifier !== 'no' && (value('identifierType') ?? value('identifierValue')) !== undefined
  const issued = { issuingState: value('identifierState') }
  return {
    address: {
      line1: value('line1'),
      line2: value('line2') ?? '',
      city: value('city'),
      state: value('state'),
      postalCode: value('postalCode'),
      country: value('country') ?? 'US',
    },
    email: value('email'),
    phone: value('phone'),
    ...(birthDate && { birthDate: value('birthDate') }),
    ...(isGiven && { identifiers: [{ type, value: value('identifierValue'), ...issued }] }),
  }
}

/** The rules of the form beyond those of the API: an identifier of an offered type, and consent. */
function checkForm({ identifierType = '', consent }: DetailValues, missing: MissingDetails): DetailError[] {
  return [
    ...(missing.identifier === 'any' && identifierType !== '' && !IDENTIFIER_TYPES.has(identifierType)
      ? [{ field: 'identifierType', fault: 'wrong' } as const]
      : []),
    ...(consent === 'yes' ? [] : [{ field: 'consent', fault: 'missing' } as const]),
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
  return fields.map((field) => ({ field, fault: faultOf(field, code) }))
}

/** A date that is too big is in the future, not too long. */
const faultOf = (field: DetailField, code: ErrorCode) =>
  field === 'birthDate' && code === 'tooBig' ? 'wrong' : (FAULTS[code] ?? 'wrong')
