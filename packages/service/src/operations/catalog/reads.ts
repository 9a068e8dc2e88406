import type * as contract from '@order-testing/contract'
import type { Collection } from '@order-testing/contract'
import {
  addressOf,
  clinicReference,
  companyReference,
  locationReference,
  packageReference,
  serviceReference,
} from '../../domain/catalog/references.ts'
import { milesOf } from '../../domain/places/postal-places.ts'
import { orNotFound } from '../../domain/refusal.ts'
import type { ClinicRow } from '../../store/catalog/clinics.ts'
import type { CompanyRow } from '../../store/catalog/companies.ts'
import type { LocationRow } from '../../store/catalog/locations.ts'
import type { PackageRow } from '../../store/catalog/packages.ts'
import type { ServiceRow } from '../../store/catalog/services.ts'
import type { Page } from '../../store/db/page.ts'
import type { Store } from '../../store/store.ts'
import { collectionOf, ok, type Answer, type Context, type Operation } from '../operation.ts'

export const listClinics: Operation<typeof contract.listClinics> = listVisible('clinics', presentClinic)
export const readClinic: Operation<typeof contract.readClinic> = readVisible('clinics', presentClinic)
export const listCompanies: Operation<typeof contract.listCompanies> = listVisible('companies', presentCompany)
export const readCompany: Operation<typeof contract.readCompany> = readVisible('companies', presentCompany)
export const listLocations: Operation<typeof contract.listLocations> = listVisible('locations', presentLocation)
export const readLocation: Operation<typeof contract.readLocation> = readVisible('locations', presentLocation)
export const listPackages: Operation<typeof contract.listPackages> = listVisible('packages', presentPackage)
export const readPackage: Operation<typeof contract.readPackage> = readVisible('packages', presentPackage)
export const listServices: Operation<typeof contract.listServices> = listVisible('services', presentService)
export const readService: Operation<typeof contract.readService> = readVisible('services', presentService)

/** The parts of the store that list and find what a caller can see. */
type Part = 'clinics' | 'companies' | 'locations' | 'packages' | 'services'
type Query<P extends Part> = Parameters<Store[P]['pageVisible']>[1]
type Row<P extends Part> = Awaited<ReturnType<Store[P]['pageVisible']>>['rows'][number]

/** Makes the operation that lists the rows visible to the caller. */
function listVisible<P extends Part, T>(part: P, present: (row: Row<P>) => T) {
  return async ({ query }: { query: Query<P> }, { caller, store }: Context): Promise<Answer<Collection<T>>> =>
    ok(collectionOf((await store[part].pageVisible(caller, query as never)) as Page<Row<P>>, query, present))
}

/** Makes the operation that reads one row; one that is not visible to the caller is not found. */
function readVisible<P extends Part, T>(part: P, present: (row: Row<P>) => T) {
  return async ({ params }: { params: { id: string } }, { caller, store }: Context): Promise<Answer<T>> =>
    ok(present(orNotFound((await store[part].findVisible(caller, params.id)) as Row<P> | undefined)))
}

export function presentClinic(clinic: ClinicRow): contract.Clinic {
  return {
    ...clinicReference(clinic),
    coordinates: clinic.lat === null || clinic.long === null ? null : { lat: clinic.lat, long: clinic.long },
    distance: typeof clinic.chord === 'number' ? { miles: Math.round(milesOf(clinic.chord) * 100) / 100 } : null,
    isActive: clinic.isActive,
    services: clinic.services.map((service) => serviceReference(service)),
  }
}

function presentCompany(company: CompanyRow): contract.Company {
  return {
    ...companyReference(company),
    address: addressOf(company.address),
    createdAt: company.createdAt.toISOString(),
    phone: company.phone,
  }
}

function presentLocation(location: LocationRow): contract.Location {
  return {
    ...locationReference(location),
    address: addressOf(location.address),
    company: companyReference({ id: location.companyId, name: location.companyName }),
    createdAt: location.createdAt.toISOString(),
    phone: location.phone,
  }
}

function presentPackage(row: PackageRow): contract.Package {
  return {
    ...packageReference(row),
    locationIds: row.locationIds,
    services: row.services.map((service) => serviceReference(service)),
  }
}

function presentService(service: ServiceRow): contract.Service {
  return {
    ...serviceReference(service),
    attributes: { category: service.category, type: service.type },
    isDot: service.isDot,
  }
}
