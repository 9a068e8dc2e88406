import type { DeepPartial, Problem } from '@order-testing/contract'
import { isCountry } from './countries.ts'
import { regionCode } from './regions.ts'

export interface PostalAddress {
  line1: string
  line2: string
  city: string
  state: string
  postalCode: string
  country: string
}

const ZIP = /^\d{5}(-\d{4})?$/
const CANADIAN = /^([A-Z]\d[A-Z]) ?(\d[A-Z]\d)$/

/** Checks a participant's address beyond the format of its members (ruling 38). */
export function checkAddress(address: DeepPartial<PostalAddress>, pointer: string): Problem[] {
  const { country, state, postalCode } = address
  if (country !== undefined && !isCountry(country)) {
    const detail = 'Expected a two-letter country code (ISO 3166) such as US.'
    return [{ code: 'invalidValue', detail, pointer: `${pointer}/country`, constraint: 'isISO31661Alpha2' }]
  }
  if (country !== 'US' && country !== 'CA') return []
  const { expectedState, expectedCode } = EXPECTED[country]
  return [
    ...(state === undefined || regionCode(country, state) !== undefined
      ? []
      : [{ code: 'invalidValue', detail: expectedState, pointer: `${pointer}/state`, constraint: 'isEnum' } as const]),
    ...(postalCode === undefined || postalCodeOf(country, postalCode) !== undefined
      ? []
      : [
          {
            code: 'invalidFormat',
            detail: expectedCode,
            pointer: `${pointer}/postalCode`,
            constraint: 'isPostalCode',
          } as const,
        ]),
  ]
}

/** Brings an address into the form in which it is stored: US and Canadian regions by their postal abbreviations. */
export function normaliseAddress<A extends PostalAddress>(address: A): A {
  const { country, state, postalCode } = address
  if (country !== 'US' && country !== 'CA') return address
  return {
    ...address,
    state: regionCode(country, state) ?? state,
    postalCode: postalCodeOf(country, postalCode) ?? postalCode,
  }
}

const EXPECTED = {
  US: {
    expectedState: 'Expected a state, territory or military region of the United States, such as IL or Illinois.',
    expectedCode: 'Expected a ZIP code such as 60540 or 60540-1234.',
  },
  CA: {
    expectedState: 'Expected a province or territory of Canada, such as ON or Ontario.',
    expectedCode: 'Expected a Canadian postal code such as K1A 0B6.',
  },
}

function postalCodeOf(country: 'US' | 'CA', text: string): string | undefined {
  const code = text.trim().toUpperCase()
  if (country === 'US') return ZIP.test(code) ? code : undefined
  const [, area, unit] = CANADIAN.exec(code) ?? []
  return area === undefined ? undefined : `${area} ${unit}`
}
