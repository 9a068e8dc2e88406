import { z } from 'zod'
import { collection, filter, paging } from './collection.ts'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { PackageReference, ServiceReference } from './references.ts'
import { page, resourceId } from './shapes.ts'

export const Package = PackageReference.extend({
  locationIds: z
    .array(z.string())
    .meta({ description: "Locations under the token's companies that offer it, directly or through their company." }),
  services: z.array(ServiceReference).meta({ description: 'Ordered by name.' }),
}).meta({ id: 'Package' })

export type Package = z.infer<typeof Package>

export const listPackages = endpoint({
  name: 'listPackages',
  method: 'GET',
  path: '/api/v2/packages',
  scope: 'package.list',
  tag: 'Packages',
  summary: 'List packages.',
  description:
    'The active packages assigned to the companies linked to the token or to their locations, ordered by name.',
  query: z.strictObject({
    ...paging,
    locationId: filter("Packages this location offers: its own, or its company's when it has none."),
    name: filter('Part of the name, in any case.'),
  }),
  replies: { 200: 'A page of packages.' },
  reply: collection(Package, 'PackageCollection'),
  refusals: [400],
  example: { query: { locationId: examples.location.id }, reply: page(examples.package_) },
})

export const readPackage = endpoint({
  name: 'readPackage',
  method: 'GET',
  path: '/api/v2/packages/{id}',
  scope: 'package.read',
  tag: 'Packages',
  summary: 'Read a package.',
  params: z.strictObject({ id: resourceId('package') }),
  query: z.strictObject({}),
  replies: { 200: 'The package.' },
  reply: Package,
  refusals: [400, 404],
  example: { params: { id: examples.package_.id }, reply: examples.package_ },
})
