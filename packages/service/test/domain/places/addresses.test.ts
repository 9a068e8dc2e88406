import { describe, expect, test } from 'vitest'
import { checkAddress, normaliseAddress } from '../../../src/domain/places/addresses.ts'
import { regionCode } from '../../../src/domain/places/regions.ts'

const address = (members: object) => ({
  line1: '1 Main Street',
  line2: '',
  city: 'Somewhere',
  state: 'IL',
  postalCode: '60540',
  country: 'US',
  ...members,
})

const problemsOf = (members: object) =>
  checkAddress(address(members), '/address').map(({ code, pointer }) => `${code} ${pointer}`)

describe('ruling 38: addresses', () => {
  test.each([
    ['US', 'IL', 'IL'],
    ['US', ' il ', 'IL'],
    ['US', 'Illinois', 'IL'],
    ['US', 'NEW  YORK', 'NY'],
    ['US', 'Washington, D.C.', 'DC'],
    ['US', 'D.C.', 'DC'],
    ['US', 'Puerto Rico', 'PR'],
    ['US', 'U.S. Virgin Islands', 'VI'],
    ['US', 'Armed Forces Pacific', 'AP'],
    ['US', 'ae', 'AE'],
    ['CA', 'ON', 'ON'],
    ['CA', 'British Columbia', 'BC'],
    ['CA', 'québec', 'QC'],
    ['CA', 'Île-du-Prince-Édouard', 'PE'],
  ] as const)('ruling 38: in %s, the state %j is stored as %s', (country, state, code) => {
    expect(regionCode(country, state)).toBe(code)
  })

  test.each([
    ['US', 'ZZ'],
    ['US', 'ON'],
    ['US', 'Ill'],
    ['US', '-'],
    ['CA', 'IL'],
    ['CA', 'Canada'],
    ['CA', 'constructor'],
  ] as const)('ruling 38: in %s, the state %j is refused', (country, state) => {
    const postalCode = country === 'US' ? '60540' : 'K1A 0B6'
    expect(problemsOf({ country, state, postalCode })).toEqual(['invalidValue /address/state'])
  })

  test.each([
    ['US', '60540', '60540'],
    ['US', '60540-1234', '60540-1234'],
    ['CA', 'K1A 0B6', 'K1A 0B6'],
    ['CA', 'k1a0b6', 'K1A 0B6'],
  ] as const)('ruling 38: in %s, the postal code %j is stored as %j', (country, postalCode, stored) => {
    const state = country === 'US' ? 'IL' : 'ON'
    expect(problemsOf({ country, state, postalCode })).toEqual([])
    expect(normaliseAddress(address({ country, state, postalCode })).postalCode).toBe(stored)
  })

  test.each([
    ['US', '6054'],
    ['US', '605400'],
    ['US', '60540-12'],
    ['US', 'K1A 0B6'],
    ['CA', '60540'],
    ['CA', 'K1A'],
    ['CA', 'K1A 0B'],
  ] as const)('ruling 38: in %s, the postal code %j is refused', (country, postalCode) => {
    const state = country === 'US' ? 'IL' : 'ON'
    expect(problemsOf({ country, state, postalCode })).toEqual(['invalidFormat /address/postalCode'])
  })

  test('ruling 38: in other countries any state and postal code is stored unchanged', () => {
    const berlin = address({ country: 'DE', state: 'berlin', postalCode: '10115 Mitte' })
    expect(checkAddress(berlin, '/address')).toEqual([])
    expect(normaliseAddress(berlin)).toEqual(berlin)
  })

  test('ruling 38: only the country is reported if it is unknown', () => {
    expect(problemsOf({ country: 'ZZ', state: 'ZZ', postalCode: '' })).toEqual(['invalidValue /address/country'])
  })
})
