import type { CatalogAddress } from '@order-testing/contract'
import { locate, type Point } from '../places/postal-places.ts'
import type { OrderPlaces } from './order-zone.ts'

/** About three miles: enough to sort clinics by distance, too coarse to tell where a person lives. */
const STEP = 0.05

/** Where clinics for an order are looked for: around the participant if their address is known here, else the location. */
export function pointNear({ address: location }: OrderPlaces, participant: CatalogAddress | null): Point | null {
  const point = (participant && locate(participant)) ?? (location && locate(location))
  return point && { lat: coarse(point.lat), long: coarse(point.long) }
}

const coarse = (degrees: number) => Number((Math.round(degrees / STEP) * STEP).toFixed(2))
