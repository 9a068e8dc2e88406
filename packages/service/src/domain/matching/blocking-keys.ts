import { normaliseName } from './names.ts'
import { isIdentifying, lastTen, plain, type Person, type Profile } from './score.ts'

/** What two orders must have in common before their people are compared. */
export interface Purpose {
  locationId: string
  companyId: string
  packageIds: string[]
  testReason: string
  otherTestReason: string | null
  agencyId: string | null
  observed: boolean
  services: { category: string; type: string; isDot: boolean }[]
}

/** The highest score of two people without a common blocking key. */
export const MAX_SCORE_BY_NAMES = 84.6

/** Whether people without a common blocking key can reach the score, so that all orders with the purpose are searched. */
export const isWide = (minScore: number) => minScore <= MAX_SCORE_BY_NAMES

/** Blocking keys, of which every order that can reach the score has at least one. */
export function searchKeys(purpose: Purpose, person: Person, profile: Profile, minScore: number): string[] {
  const keys = personKeys(purpose, person, profile)
  return isWide(minScore) ? [purposeKey(purpose, profile), ...keys] : keys
}

/** The blocking keys of an order's person, in plain text; they are stored as hashes. */
export function personKeys(purpose: Purpose, person: Person, profile: Profile): string[] {
  const prefix = purposeKey(purpose, profile)
  return characteristicsOf(person).map((characteristic) => `${prefix} ${characteristic}`)
}

/** The blocking key that all orders with the same purpose share. */
export function purposeKey(purpose: Purpose, profile: Profile): string {
  return `${profile} ${profile === 'standard' ? standardPurpose(purpose) : appPurpose(purpose)}`
}

/** Reasons agree if they are equal or one of them is unknown. */
export function reasonsAgree(a: string, b: string): boolean {
  return a === b || a === 'unknown' || b === 'unknown'
}

function standardPurpose({ locationId, packageIds, testReason, otherTestReason, agencyId, observed }: Purpose): string {
  return JSON.stringify([locationId, packageIds, testReason, otherTestReason, agencyId, observed])
}

/** The reason is compared later, because either side may not know it. */
function appPurpose({ companyId, services }: Purpose): string {
  const kinds = services.map(({ category, type, isDot }) => JSON.stringify([category, type, isDot]))
  return JSON.stringify([companyId, [...new Set(kinds)].toSorted()])
}

/**
 * An equal identifier or e-mail address is enough to compare two people. A birth date or phone counts only together with the
 * last name: without an equal identifier or e-mail address, a different last name keeps the score below the limit.
 */
function characteristicsOf({ lastName, birthDate, email, phone, identifiers = [] }: Person): string[] {
  const last = normaliseName(lastName)
  return [
    ...(birthDate ? [`born ${birthDate} ${last}`] : []),
    ...(email ? [`email ${email.trim().toLowerCase()}`] : []),
    ...(lastTen(phone) === '' ? [] : [`phone ${lastTen(phone)} ${last}`]),
    ...identifiers.filter((each) => isIdentifying(each)).map(({ type, value }) => `${type} ${plain(value)}`),
  ]
}
