import { z } from 'zod'
import { CatalogFile } from '../catalog.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/catalog-examples.ts'
import { text } from '../primitives.ts'

/** The size of a file with tens of thousands of clinics. */
export const CATALOG_BYTES = 64 * 1024 * 1024

const CatalogChange = z
  .object({
    kind: z.enum(['tenants', 'services', 'packages', 'clinics', 'companies', 'locations', 'tokens', 'laboratoryCodes']),
    id: z.string(),
    name: z.string(),
    action: z.enum(['add', 'change', 'deactivate']),
    members: z.array(z.string()).describe('The changed members of an entry.'),
  })
  .meta({ id: 'CatalogChange' })

const CatalogChanges = z
  .object({
    object: z.literal('catalogChanges'),
    added: z.int().min(0),
    changed: z.int().min(0),
    deactivated: z.int().min(0),
    openBookings: z
      .int()
      .min(0)
      .describe(
        'Open bookings at the clinics it deactivates. List them with `GET /api/operator/v1/bookings?isActive=false`.',
      ),
    openOrders: z
      .int()
      .min(0)
      .describe('Open orders of the companies it deactivates. They go on; no new ones can be placed.'),
    changes: z.array(CatalogChange),
    basedOn: z
      .string()
      .describe(
        'Version of the catalog that the file was compared with. Every change of the catalog makes another one.',
      ),
  })
  .meta({ id: 'CatalogChanges' })

export type CatalogChanges = z.infer<typeof CatalogChanges>

const catalog = { path: '/api/operator/v1/catalog', tag: 'Catalog' }

export const exportCatalog = endpoint({
  ...catalog,
  method: 'GET',
  scope: 'operator.catalog.read',
  summary: 'Read the catalog as a file.',
  description: 'Token secrets are not included: only their hashes are stored. Applying the file again changes nothing.',
  replies: { 200: 'The catalog file.' },
  reply: CatalogFile,
  example: { reply: examples.catalogFile },
})

export const applyCatalog = endpoint({
  ...catalog,
  method: 'PUT',
  scope: 'operator.catalog.write',
  summary: 'Apply a catalog file.',
  description:
    'All or nothing. Entries that the file no longer contains are deactivated, not deleted. Changes of tokens also require ' +
    '`operator.tokens.write`. A file that would deactivate the token of the request is refused. Up to 64 MiB.',
  query: z.strictObject({
    basedOn: text(1, 64)
      .optional()
      .describe('`basedOn` of the preview. The file is refused if the catalog has changed since.'),
  }),
  body: CatalogFile,
  replies: { 200: 'The changes made.' },
  reply: CatalogChanges,
  refusals: [409, 422],
  example: { body: examples.catalogFile, reply: examples.catalogChanges },
})

export const diffCatalog = endpoint({
  ...catalog,
  method: 'POST',
  path: `${catalog.path}/diff`,
  scope: 'operator.catalog.read',
  summary: 'Preview the changes of a catalog file.',
  description: 'Nothing is written. Up to 64 MiB.',
  body: CatalogFile,
  replies: { 200: 'The changes that applying the file would make.' },
  reply: CatalogChanges,
  refusals: [409],
  example: { body: examples.catalogFile, reply: examples.catalogChanges },
})
