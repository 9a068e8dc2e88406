import type * as contract from '@order-testing/contract'
import { notFound } from '../../domain/refusal.ts'
import type { PackageRow } from '../../store/catalog/packages.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'
import { packageReference, serviceReference } from '../../domain/catalog/references.ts'

export const listPackages: Operation<typeof contract.listPackages> = async ({ query }, { caller, store }) =>
  ok(collectionOf(await store.packages.pageVisible(caller, query), query, presentPackage))

export const readPackage: Operation<typeof contract.readPackage> = async ({ params }, { caller, store }) => {
  const found = await store.packages.findVisible(caller, params.id)
  if (!found) throw notFound()
  return ok(presentPackage(found))
}

const presentPackage = (row: PackageRow): contract.Package => ({
  ...packageReference(row),
  locationIds: row.locationIds,
  services: row.services.map((service) => serviceReference(service)),
})
