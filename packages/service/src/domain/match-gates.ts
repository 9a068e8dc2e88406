import { normaliseName } from './names.ts'
import { isTelling, lastTen, plain, type Person, type Profile } from './matching.ts'

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

/** People without a trait in common have last names that differ, and nothing to outweigh it: the cap of one mismatch. */
export const MOST_WITHOUT_TRAIT = 84

/**
 * Words of which two orders share at least one whenever they could score more than that: each names the gate and one
 * trait of the person. Hashed, they are what candidates are found by.
 */
export function traitsOf(gate: Gate, person: Person, profile: Profile): string[] {
  return personTraits(person).map((trait) => `${gateWord(gate, profile)} ${trait}`)
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

function personTraits({ lastName, birthDate, email, phone, identifiers = [] }: Person): string[] {
  return [
    `last ${normaliseName(lastName)}`,
    ...(birthDate ? [`born ${birthDate}`] : []),
    ...(email ? [`email ${email.trim().toLowerCase()}`] : []),
    ...(lastTen(phone) === '' ? [] : [`phone ${lastTen(phone)}`]),
    ...identifiers.filter((each) => isTelling(each)).map(({ type, value }) => `${type} ${plain(value)}`),
  ]
}
