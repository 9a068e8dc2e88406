import type * as contract from '@order-testing/contract'
import { notFound } from '../../domain/refusal.ts'
import type { LocationRow } from '../../store/catalog/locations.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'
import { addressOf, companyReference, locationReference } from '../../domain/catalog/references.ts'

export const listLocations: Operation<typeof contract.listLocations> = async ({ query }, { caller, store }) =>
  ok(collectionOf(await store.locations.pageVisible(caller, query), query, presentLocation))

export const readLocation: Operation<typeof contract.readLocation> = async ({ params }, { caller, store }) => {
  const location = await store.locations.findVisible(caller, params.id)
  if (!location) throw notFound()
  return ok(presentLocation(location))
}

const presentLocation = (location: LocationRow): contract.Location => ({
  ...locationReference(location),
  address: addressOf(location.address),
  company: companyReference({ id: location.companyId, name: location.companyName }),
  createdAt: location.createdAt.toISOString(),
  phone: location.phone,
})
