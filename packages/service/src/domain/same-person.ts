import { normaliseName } from './names.ts'
import type { Participant } from './orders.ts'

/**
 * Whether two participants are the same person beyond doubt: two of name, birth date and an identifier are equal, and birth dates
 * do not differ. Stricter than matching: what is exported or erased for one person must not be another's.
 */
export function isSamePerson(a: Participant, b: Participant): boolean {
  const isDateKnown = a.birthDate !== null && b.birthDate !== null
  if (isDateKnown && a.birthDate !== b.birthDate) return false
  const known = new Set(a.identifiers.map((identifier) => identityOf(identifier)))
  const sharesIdentifier = b.identifiers.some((identifier) => known.has(identityOf(identifier)))
  return [isDateKnown, nameOf(a) === nameOf(b), sharesIdentifier].filter(Boolean).length >= 2
}

const nameOf = ({ firstName, lastName }: Participant) => `${normaliseName(firstName)} ${normaliseName(lastName)}`

const identityOf = ({ type, value, issuingCountry, issuingState }: Participant['identifiers'][number]) =>
  [type, value.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase(), issuingCountry ?? '', issuingState ?? ''].join(' ')
