import type * as contract from '@order-testing/contract'
import type { PackageRow } from '../../store/catalog/packages.ts'
import type { Operation } from '../operation.ts'
import { packageReference, serviceReference } from '../../domain/catalog/references.ts'
import { listVisible, readVisible } from './visible.ts'

export const listPackages: Operation<typeof contract.listPackages> = listVisible('packages', presentPackage)
export const readPackage: Operation<typeof contract.readPackage> = readVisible('packages', presentPackage)

function presentPackage(row: PackageRow): contract.Package {
  return {
    ...packageReference(row),
    locationIds: row.locationIds,
    services: row.services.map((service) => serviceReference(service)),
  }
}
