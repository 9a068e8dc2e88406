import type * as contract from '@order-testing/contract'
import type { LocationRow } from '../../store/catalog/locations.ts'
import type { Operation } from '../operation.ts'
import { addressOf, companyReference, locationReference } from '../../domain/catalog/references.ts'
import { listVisible, readVisible } from './visible.ts'

export const listLocations: Operation<typeof contract.listLocations> = listVisible('locations', presentLocation)
export const readLocation: Operation<typeof contract.readLocation> = readVisible('locations', presentLocation)

function presentLocation(location: LocationRow): contract.Location {
  return {
    ...locationReference(location),
    address: addressOf(location.address),
    company: companyReference({ id: location.companyId, name: location.companyName }),
    createdAt: location.createdAt.toISOString(),
    phone: location.phone,
  }
}
