import { normaliseName } from '../matching/names.ts'
import { isIdentifying, plain, type Identifier } from '../matching/score.ts'
import type { Order, Participant } from './order.ts'

/** A participant, and the company that an `employeeId` belongs to. */
export type OrderedPerson = Pick<Order, 'participant' | 'company'>

/**
 * Whether the participants of two orders are certainly the same person: two of name, birth date and an identifier are equal,
 * and birth dates do not differ. Stricter than matching, so that nobody else's data is exported or erased.
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

/** Employee ids are unique only within a company. */
const identityOf = ({ type, value, issuingCountry, issuingState }: Identifier, companyId: string) =>
  JSON.stringify([type, plain(value), issuingCountry, issuingState, type === 'employeeId' ? companyId : null])
