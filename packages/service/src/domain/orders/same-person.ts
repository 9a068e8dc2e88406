import { isIdentifying, plain, type Identifier } from '../matching/score.ts'
import { normaliseName } from '../matching/names.ts'
import type { Order, Participant } from './order.ts'

/** A participant, and the company whose numbers for employees they may have. */
export type OrderedPerson = Pick<Order, 'participant' | 'company'>

/**
 * Whether the participants of two orders are the same person beyond doubt: two of name, birth date and an identifier are equal,
 * and birth dates do not differ. Stricter than matching: what is exported or erased for one person must not be another's.
 */
export function isSamePerson(one: OrderedPerson, other: OrderedPerson): boolean {
  const [a, b] = [one.participant, other.participant]
  const isDateKnown = a.birthDate !== null && b.birthDate !== null
  if (isDateKnown && a.birthDate !== b.birthDate) return false
  const known = new Set(identitiesOf(one))
  const sharesIdentifier = identitiesOf(other).some((identity) => known.has(identity))
  return [isDateKnown, nameOf(a) === nameOf(b), sharesIdentifier].filter(Boolean).length >= 2
}

const nameOf = ({ firstName, lastName }: Participant) => `${normaliseName(firstName)} ${normaliseName(lastName)}`

const identitiesOf = ({ participant, company }: OrderedPerson) =>
  participant.identifiers.filter(isIdentifying).map((identifier) => identityOf(identifier, company.id))

/** Every company numbers its employees from 1. */
const identityOf = ({ type, value, issuingCountry, issuingState }: Identifier, companyId: string) =>
  JSON.stringify([type, plain(value), issuingCountry, issuingState, type === 'employeeId' ? companyId : null])
