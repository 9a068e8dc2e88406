import { z } from 'zod'
import { Address } from './address.ts'
import { collection, filter, paging } from './collection.ts'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { Timestamp } from './primitives.ts'
import { CompanyReference, LocationReference } from './references.ts'
import { page, resourceId } from './shapes.ts'

export const Location = LocationReference.extend({
  address: Address.nullable(),
  company: CompanyReference,
  createdAt: Timestamp,
  phone: z.string().nullable(),
}).meta({ id: 'Location' })

export type Location = z.infer<typeof Location>

export const listLocations = endpoint({
  name: 'listLocations',
  method: 'GET',
  path: '/api/v2/locations',
  scope: 'location.list',
  tag: 'Locations',
  summary: 'List locations.',
  description: 'The active locations of the companies linked to the token, ordered by name.',
  query: z.strictObject({
    ...paging,
    companyId: filter('Locations of this company; one that is not linked gives an empty page.'),
    name: filter('Part of the name, in any case.'),
  }),
  replies: { 200: 'A page of locations.' },
  reply: collection(Location, 'LocationCollection'),
  refusals: [400],
  example: { query: { companyId: examples.company.id }, reply: page(examples.location) },
})

export const readLocation = endpoint({
  name: 'readLocation',
  method: 'GET',
  path: '/api/v2/locations/{id}',
  scope: 'location.read',
  tag: 'Locations',
  summary: 'Read a location.',
  params: z.strictObject({ id: resourceId('location') }),
  query: z.strictObject({}),
  replies: { 200: 'The location.' },
  reply: Location,
  refusals: [400, 404],
  example: { params: { id: examples.location.id }, reply: examples.location },
})
