import { describe, expect, test } from 'vitest'
import { zonesOfRegion } from '../../../src/domain/places/region-zones.ts'
import { addressZone, clinicZone, zoneOf } from '../../../src/domain/places/zone-of.ts'
import { instantIn } from '../../../src/domain/places/zones.ts'

const at = (postalCode: string, state = '', country = 'US', city = '') => ({ postalCode, state, country, city })
const clinic = (members: object = {}) => ({ timezone: null, point: null, address: null, ...members })
const DENVER = { lat: 39.7392, long: -104.9903 }

describe('the zone in which times are shown (ruling 56)', () => {
  const places = { clinic: clinic({ timezone: 'America/Denver' }), participant: at('60540'), location: at('10001') }

  test('times are shown in the zone of the clinic, else of the participant, else of the location', () => {
    expect(zoneOf(places)).toBe('America/Denver')
    expect(zoneOf({ ...places, clinic: null })).toBe('America/Chicago')
    expect(zoneOf({ ...places, clinic: null, participant: null })).toBe('America/New_York')
    expect(zoneOf({ ...places, clinic: clinic() })).toBe('America/Chicago')
    expect(zoneOf({ clinic: null, participant: at('00000'), location: at('10001') })).toBe('America/New_York')
  })

  test('times are shown in UTC if nothing is known', () => {
    expect(zoneOf({ clinic: null, participant: null, location: null })).toBe('UTC')
    expect(zoneOf({ clinic: clinic(), participant: at('', '', 'FR'), location: at('') })).toBe('UTC')
  })

  test('the zone of a clinic is that of the catalog, else of its position, else of its address', () => {
    const address = at('90001', 'CA')
    expect(clinicZone(clinic({ timezone: 'America/Boise', point: DENVER, address }))).toBe('America/Boise')
    expect(clinicZone(clinic({ point: DENVER }))).toBe('America/Denver')
    expect(clinicZone(clinic({ address }))).toBe('America/Los_Angeles')
    expect(clinicZone(clinic({ point: { lat: 0, long: -140 } }))).toBeNull()
    expect(clinicZone(clinic())).toBeNull()
  })
})

describe('the zone of an address', () => {
  test.each([
    ['60540', 'IL', 'America/Chicago'],
    ['85001', 'AZ', 'America/Phoenix'],
    ['86505', 'AZ', 'America/Denver'],
    ['37402', 'TN', 'America/New_York'],
    ['37203', 'TN', 'America/Chicago'],
    ['79901', 'TX', 'America/Denver'],
    ['32501', 'FL', 'America/Chicago'],
    ['83814', 'ID', 'America/Los_Angeles'],
    ['99501', 'AK', 'America/Anchorage'],
    ['96813', 'HI', 'Pacific/Honolulu'],
    ['00901', 'PR', 'America/Puerto_Rico'],
    // The point of these is nearer to a neighbor's.
    ['04619', 'ME', 'America/New_York'],
    ['30731', 'GA', 'America/New_York'],
    ['58801', 'North Dakota', 'America/Chicago'],
  ])('the zone of ZIP code %s in %s is %s', (postalCode, state, zone) => {
    expect(addressZone(at(postalCode, state))).toBe(zone)
  })

  test('a Canadian address and a territory with a country code of its own have zones', () => {
    expect(addressZone(at('M5V 3L9', 'ON', 'CA'))).toBe('America/Toronto')
    expect(addressZone(at('S4P 3Y2', 'SK', 'CA'))).toBe('America/Regina')
    expect(addressZone(at('00901', '', 'PR'))).toBe('America/Puerto_Rico')
  })

  test('an unknown postal code falls back to the city, and to a state with one zone', () => {
    expect(addressZone(at('00000', 'TN', 'US', 'Knoxville'))).toBe('America/New_York')
    expect(addressZone(at('00000', 'IL'))).toBe('America/Chicago')
    expect(addressZone(at('00000', 'TN'))).toBeNull()
  })

  test('military mail and other countries have no zone', () => {
    expect(addressZone(at('09012', 'AE'))).toBeNull()
    expect(addressZone(at('75001', '', 'FR', 'Paris'))).toBeNull()
  })

  test('all zones of regions are known to this Node', () => {
    for (const code of ['AK', 'AL', 'IN', 'KY', 'MI', 'ND', 'FM', 'MH', 'BC', 'NU', 'ON', 'QC', 'SK', 'YT', 'NL'])
      for (const timeZone of zonesOfRegion(code))
        expect(() => new Intl.DateTimeFormat('en-US', { timeZone })).not.toThrow()
    expect(zonesOfRegion('XX')).toEqual([])
  })
})

describe('local times and instants', () => {
  const utc = (zone: string, local: string) => instantIn(zone, Date.parse(`${local}Z`)).toISOString()

  test('a local time skipped in spring moves to the hour after it', () => {
    expect(utc('America/Chicago', '2027-03-14T01:59')).toBe('2027-03-14T07:59:00.000Z')
    expect(utc('America/Chicago', '2027-03-14T02:30')).toBe('2027-03-14T08:30:00.000Z')
    expect(utc('America/Chicago', '2027-03-14T03:00')).toBe('2027-03-14T08:00:00.000Z')
  })

  test('of a local time repeated in autumn, the first counts', () => {
    expect(utc('America/Chicago', '2027-11-07T01:30')).toBe('2027-11-07T06:30:00.000Z')
    expect(utc('America/Chicago', '2027-11-07T02:00')).toBe('2027-11-07T08:00:00.000Z')
  })

  test('zones without daylight saving time have neither', () => {
    expect(utc('America/Phoenix', '2027-03-14T02:30')).toBe('2027-03-14T09:30:00.000Z')
    expect(utc('Pacific/Honolulu', '2027-11-07T01:30')).toBe('2027-11-07T11:30:00.000Z')
  })
})
