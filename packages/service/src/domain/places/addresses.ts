import type { CatalogAddress, DeepPartial, Problem } from '@order-testing/contract'
import { problemAt } from '../refusal.ts'
import { isCountry } from './countries.ts'
import { regionCode } from './regions.ts'

const ZIP = /^\d{5}(-\d{4})?$/
const CANADIAN = /^([A-Z]\d[A-Z]) ?(\d[A-Z]\d)$/

/** Checks a participant's address beyond the format of its members (ruling 38). */
export function checkAddress(address: DeepPartial<CatalogAddress>, pointer: string): Problem[] {
  const { country, state, postalCode } = address
  if (country !== undefined && !isCountry(country)) {
    const detail = 'Expected a two-letter country code (ISO 3166) such as US.'
    return [problemAt(`${pointer}/country`, 'invalidValue', detail, 'isISO31661Alpha2')]
  }
  if (country !== 'US' && country !== 'CA') return []
  const { expectedState, expectedCode } = EXPECTED[country]
  const isState = state === undefined || regionCode(country, state) !== undefined
  const isCode = postalCode === undefined || postalCodeOf(country, postalCode) !== undefined
  return [
    ...(isState ? [] : [problemAt(`${pointer}/state`, 'invalidValue', expectedState, 'isEnum')]),
    ...(isCode ? [] : [problemAt(`${pointer}/postalCode`, 'invalidFormat', expectedCode, 'isPostalCode')]),
  ]
}

/** Brings an address into the form in which it is stored: US and Canadian regions by their postal abbreviations. */
export function normaliseAddress<A extends CatalogAddress>(address: A): A {
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
