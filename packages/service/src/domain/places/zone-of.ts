import type { CatalogAddress } from '@order-testing/contract'
import lookUp from '@photostructure/tz-lookup'
import { locate, type Point } from './postal-places.ts'
import { correctedZone, zonesOfRegion } from './region-zones.ts'
import { regionCode } from './regions.ts'

type Address = Pick<CatalogAddress, 'city' | 'state' | 'postalCode' | 'country'>

/** What is known of where a clinic is. */
export interface ClinicPlace {
  /** The zone of the catalog. */
  timezone: string | null
  point: Point | null
  address: Address | null
}

export interface Places {
  /** The clinic that was chosen, if any. */
  clinic: ClinicPlace | null
  participant: Address | null
  location: Address | null
}

/** The zone of times whose place is unknown. Pages and notifications that show such a time must name it. */
export const UNKNOWN_ZONE = 'UTC'

/** Null for the zone of unknown places. */
export const knownZone = (zone: string): string | null => (zone === UNKNOWN_ZONE ? null : zone)

/** Ruling 56: the zone in which times are shown to people. */
export const zoneOf = ({ clinic, participant, location }: Places): string =>
  (clinic && clinicZone(clinic)) ??
  (participant && addressZone(participant)) ??
  (location && addressZone(location)) ??
  UNKNOWN_ZONE

/** The zone of a clinic: the catalog's, else that of its position, else that of its address; null if nothing is known. */
export function clinicZone({ timezone, point, address }: ClinicPlace): string | null {
  if (timezone !== null) return timezone
  const byPoint = point && zoneAt(point, address ? regionOf(address) : undefined)
  return byPoint ?? (address && addressZone(address))
}

/** The zone of an address by its postal code, else by its city, else by its state if that has only one zone. */
export function addressZone(address: Address): string | null {
  const region = regionOf(address)
  if (region !== undefined && MILITARY.has(region)) return null
  const { city, state, postalCode, country } = address
  const corrected = country === 'US' ? correctedZone(postalCode) : undefined
  if (corrected !== undefined) return corrected
  const point = locate({ postalCode, city, state, country })
  const zones = region === undefined ? [] : zonesOfRegion(region)
  return (point && zoneAt(point, region)) ?? (zones.length === 1 ? zones[0]! : null)
}

/** Military mail goes anywhere in the world. */
const MILITARY = new Set(['AA', 'AE', 'AP'])

/** The zone at a point. A zone that the region does not have belongs to a neighbor. */
function zoneAt({ lat, long }: Point, region: string | undefined): string | null {
  const [main, ...others] = region === undefined ? [] : zonesOfRegion(region)
  const found = lookUp(lat, long)
  if (main !== undefined) return [main, ...others].includes(found) ? found : main
  // Zones at sea, and zones that are newer than this Node.
  return found.startsWith('Etc/') || !isKnown(found) ? null : found
}

function regionOf({ state, country }: Address): string | undefined {
  if (country === 'US' || country === 'CA') return regionCode(country, state)
  // Territories have a country code of their own, the same as that of the state.
  return TERRITORIES.has(country) ? country : undefined
}

const TERRITORIES = new Set(['PR', 'VI', 'GU', 'AS', 'MP', 'FM', 'MH', 'PW'])

function isKnown(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone }).format()
    return true
  } catch {
    return false
  }
}
