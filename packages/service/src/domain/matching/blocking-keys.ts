import { normaliseName } from './names.ts'
import { isIdentifying, lastTen, plain, type Person, type Profile } from './score.ts'

/** What two orders must have in common before their people are compared at all. */
export interface Gate {
  locationId: string
  companyId: string
  packageIds: string[]
  testReason: string
  otherTestReason: string | null
  agencyId: string | null
  observed: boolean
  services: { category: string; type: string; isDot: boolean }[]
}

/** The highest score of two people who have no blocking key in common. */
export const MOST_BY_NAMES = 84.6

/** Whether people without a blocking key in common can reach the score, so that all orders behind the gate are searched. */
export const isWide = (minScore: number) => minScore <= MOST_BY_NAMES

/** The blocking keys of an order in plain text: each holds the gate and one trait of the person. They are stored as hashes. */
export function traitsOf(gate: Gate, person: Person, profile: Profile): string[] {
  const word = gateWord(gate, profile)
  return traits(person).map((trait) => `${word} ${trait}`)
}

/** Blocking keys of which every order that can reach the score has at least one. */
export function searchWords(gate: Gate, person: Person, profile: Profile, minScore: number): string[] {
  const words = traitsOf(gate, person, profile)
  return isWide(minScore) ? [gateWord(gate, profile), ...words] : words
}

/** The blocking key that all orders behind the same gate share, whoever they are for. */
export function gateWord(gate: Gate, profile: Profile): string {
  return `${profile} ${profile === 'standard' ? standardGate(gate) : appGate(gate)}`
}

function standardGate({ locationId, packageIds, testReason, otherTestReason, agencyId, observed }: Gate): string {
  return JSON.stringify([locationId, packageIds, testReason, otherTestReason, agencyId, observed])
}

/** The reason is compared later: either side may not know it. */
function appGate({ companyId, services }: Gate): string {
  const kinds = services.map(({ category, type, isDot }) => JSON.stringify([category, type, isDot]))
  return JSON.stringify([companyId, [...new Set(kinds)].toSorted()])
}

/** Reasons agree if they are equal or one of them is unknown. */
export function reasonsAgree(a: string, b: string): boolean {
  return a === b || a === 'unknown' || b === 'unknown'
}

/**
 * An equal identifier or e-mail address is enough to be compared. A birth date or phone counts only together with the last
 * name: without an equal identifier or e-mail address, a last name that differs keeps the score below the limit.
 */
function traits({ lastName, birthDate, email, phone, identifiers = [] }: Person): string[] {
  const last = normaliseName(lastName)
  return [
    ...(birthDate ? [`born ${birthDate} ${last}`] : []),
    ...(email ? [`email ${email.trim().toLowerCase()}`] : []),
    ...(lastTen(phone) === '' ? [] : [`phone ${lastTen(phone)} ${last}`]),
    ...identifiers.filter((each) => isIdentifying(each)).map(({ type, value }) => `${type} ${plain(value)}`),
  ]
}
