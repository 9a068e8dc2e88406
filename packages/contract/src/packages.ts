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

export const listPackages = listOf({
  name: 'listPackages',
  path: '/api/v2/packages',
  scope: 'package.list',
  tag: 'Packages',
  items: 'packages',
  description: 'The active packages of the companies linked to the token and of their locations, ordered by name.',
  filters: {
    locationId: filter("Packages that this location offers: its own, or its company's if it has none."),
    name: filter('Part of the name, case-insensitive.'),
  },
  item: Package,
  example: examples.package_,
  exampleQuery: { locationId: examples.location.id },
})

export const readPackage = readOf({
  name: 'readPackage',
  path: '/api/v2/packages/{id}',
  scope: 'package.read',
  tag: 'Packages',
  what: 'package',
  reply: Package,
  example: examples.package_,
})
