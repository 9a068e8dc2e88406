import { normaliseName } from './names.ts'
import { isIdentifying, lastTen, plain, type Person, type Profile } from './matching.ts'

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

/** What people score at most who have none of these traits in common. */
export const MOST_BY_NAMES = 84.6

/** Whether the score may be reached by people who share nothing that they could be found by, but for the gate. */
export const isWide = (minScore: number) => minScore <= MOST_BY_NAMES

/** The words that an order is found by: each names the gate and one trait of the person. Hashed, they are what is looked up. */
export function traitsOf(gate: Gate, person: Person, profile: Profile): string[] {
  const word = gateWord(gate, profile)
  return traits(person).map((trait) => `${word} ${trait}`)
}

/** Words of which every order that could reach the score has at least one. */
export function searchWords(gate: Gate, person: Person, profile: Profile, minScore: number): string[] {
  const words = traitsOf(gate, person, profile)
  return isWide(minScore) ? [gateWord(gate, profile), ...words] : words
}

/** The word that all orders behind the same gate share, whoever they are for. */
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

/** Reasons agree where they are equal, or where one of them is not known. */
export function reasonsAgree(a: string, b: string): boolean {
  return a === b || a === 'unknown' || b === 'unknown'
}

/**
 * An identifier or an address says enough by itself. A birth date or a number does so only together with the last name:
 * without an identifier or address in common, nothing makes up for a name that differs.
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
