import { z } from 'zod'
import { Address } from './address.ts'
import { filter } from './collection.ts'
import * as examples from './openapi/examples.ts'
import { Timestamp } from './primitives.ts'
import { CompanyReference, LocationReference } from './references.ts'
import { listOf, readOf } from './resource-endpoints.ts'

export const Location = LocationReference.extend({
  address: Address.nullable(),
  company: CompanyReference,
  createdAt: Timestamp,
  phone: z.string().nullable(),
}).meta({ id: 'Location' })

export type Location = z.infer<typeof Location>

const locations = { path: '/api/v2/locations', tag: 'Locations', one: 'location', many: 'locations' }

export const listLocations = listOf(locations, {
  scope: 'location.list',
  description: 'The active locations of the companies linked to the token, ordered by name.',
  filters: {
    companyId: filter('Locations of this company. A company that is not linked to the token gives an empty page.'),
    name: filter('Part of the name, case-insensitive.'),
  },
  item: Location,
  example: examples.location,
  exampleQuery: { companyId: examples.company.id },
})

export const readLocation = readOf(locations, { scope: 'location.read', reply: Location, example: examples.location })
