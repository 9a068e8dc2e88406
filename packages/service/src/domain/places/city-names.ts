import { regionCode } from './regions.ts'

/** The name by which a city is found: its letters and its state. */
export const cityKey = (city: string, state: string) => `${cityName(city)}|${state}`

/** Compares letters only: people write St. Louis and Saint Louis, Winston Salem and Coeur d’Alene. */
export function cityName(city: string): string {
  const plain = city.normalize('NFKD').toLowerCase()
  const whole = plain.replaceAll(/\b(st|ft|mt)\b/g, (short) => SPELLED_OUT[short]!)
  return whole.replaceAll(/[^a-z]/g, '')
}

const SPELLED_OUT: Record<string, string> = { st: 'saint', ft: 'fort', mt: 'mount' }

export const stateCode = (state: string): string | undefined =>
  OTHER_STATES[state.trim().toLowerCase()] ?? regionCode('US', state) ?? regionCode('CA', state)

/** Names in the tables that are not the postal ones. */
const OTHER_STATES: Record<string, string> = { 'northwest territory': 'NT', 'nunavut territory': 'NU' }
