import { z } from 'zod'
import { filter } from './collection.ts'
import * as examples from './openapi/examples.ts'
import { PackageReference, ServiceReference } from './references.ts'
import { listOf, readOf } from './resource-endpoints.ts'

export const Package = PackageReference.extend({
  locationIds: z
    .array(z.string())
    .describe("Locations of the token's companies that offer it, directly or through their company."),
  services: z.array(ServiceReference).describe('Ordered by name.'),
}).meta({ id: 'Package' })

export type Package = z.infer<typeof Package>

const packages = { path: '/api/v2/packages', tag: 'Packages', one: 'package', many: 'packages' }

export const listPackages = listOf(packages, {
  scope: 'package.list',
  description: 'The active packages of the companies linked to the token and of their locations, ordered by name.',
  filters: {
    locationId: filter("Packages that this location offers: its own, or its company's if it has none."),
    name: filter('Part of the name, case-insensitive.'),
  },
  item: Package,
  example: examples.package_,
  exampleQuery: { locationId: examples.location.id },
})

export const readPackage = readOf(packages, { scope: 'package.read', reply: Package, example: examples.package_ })
