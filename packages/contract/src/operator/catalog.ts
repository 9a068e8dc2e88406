import { z } from 'zod'
import { CatalogFile } from '../catalog.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/operator-examples.ts'

/** A tenant with tens of thousands of clinics has a file of this size. */
export const CATALOG_BYTES = 64 * 1024 * 1024

const CatalogChange = z
  .object({
    kind: z.enum(['tenants', 'services', 'packages', 'clinics', 'companies', 'locations', 'tokens', 'laboratoryCodes']),
    id: z.string(),
    name: z.string(),
    action: z.enum(['add', 'change', 'deactivate']),
    members: z.array(z.string()).meta({ description: 'The members that differ, where an entry changes.' }),
  })
  .meta({ id: 'CatalogChange' })

const CatalogChanges = z
  .object({
    object: z.literal('catalogChanges'),
    added: z.int().min(0),
    changed: z.int().min(0),
    deactivated: z.int().min(0),
    openBookings: z.int().min(0).meta({
      description:
        'How many open bookings the clinics have that it switches off. `GET /api/operator/v1/bookings?isActive=false` lists them.',
    }),
    changes: z.array(CatalogChange),
  })
  .meta({ id: 'CatalogChanges' })

export type CatalogChanges = z.infer<typeof CatalogChanges>

const tag = 'Catalog'
const base = '/api/operator/v1/catalog'

export const exportCatalog = endpoint({
  name: 'exportCatalog',
  method: 'GET',
  path: base,
  scope: 'operator.catalog.read',
  tag,
  summary: 'Read the catalog as a file.',
  description: 'Without secrets of tokens, which are not known any more. Applying it again changes nothing.',
  replies: { 200: 'The catalog file.' },
  reply: CatalogFile,
  refusals: [400],
  example: { reply: examples.catalogFile },
})

export const applyCatalog = endpoint({
  name: 'applyCatalog',
  method: 'PUT',
  path: base,
  scope: 'operator.catalog.write',
  tag,
  summary: 'Make the catalog agree with a file.',
  description:
    'All of it or nothing. What the file no longer names is deactivated, not deleted. Where tokens would change, ' +
    '`operator.tokens.write` is needed too. A file that would switch off the token that applies it is refused. ' +
    'Up to 64 MiB.',
  body: CatalogFile,
  replies: { 200: 'What was changed.' },
  reply: CatalogChanges,
  refusals: [400, 409, 413, 415, 422],
  example: { body: examples.catalogFile, reply: examples.catalogChanges },
})

export const diffCatalog = endpoint({
  name: 'diffCatalog',
  method: 'POST',
  path: `${base}/diff`,
  scope: 'operator.catalog.read',
  tag,
  summary: 'See what applying a file would change.',
  description: 'Nothing is written. Up to 64 MiB.',
  body: CatalogFile,
  replies: { 200: 'What would be changed.' },
  reply: CatalogChanges,
  refusals: [400, 409, 413, 415],
  example: { body: examples.catalogFile, reply: examples.catalogChanges },
})
