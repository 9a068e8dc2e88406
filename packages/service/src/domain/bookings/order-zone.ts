import type { CatalogAddress } from '@order-testing/contract'
import type { Order } from '../orders/order.ts'
import { zoneOf } from '../places/zone-of.ts'

/** Where an order takes place, by the catalog. */
export interface OrderPlaces {
  /** Position, address and zone of the clinic; null if unknown. */
  lat: number | null
  long: number | null
  clinicAddress: CatalogAddress | null
  timezone: string | null
  /** The address of the location or its company. */
  address: CatalogAddress | null
}

/** The zone in which the times of an order are shown (ruling 56). `address` replaces that of the participant. */
export const zoneOfOrder = (
  places: OrderPlaces,
  { clinic, participant }: Pick<Order, 'clinic' | 'participant'>,
  address: CatalogAddress | null = participant.address,
): string => zoneOfPlaces(places, { clinic, address })

/** The same by the address of the participant, null if it is unknown or hidden. */
export function zoneOfPlaces(
  { lat, long, clinicAddress, timezone, address: location }: OrderPlaces,
  { clinic, address }: { clinic: { address: CatalogAddress | null } | null; address: CatalogAddress | null },
): string {
  const point = lat === null || long === null ? null : { lat, long }
  // A clinic that the catalog no longer has is where the order says.
  const place = clinic && { timezone, point, address: clinicAddress ?? clinic.address }
  return zoneOf({ clinic: place, participant: address, location })
}
