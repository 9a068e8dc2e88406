import { z } from 'zod'
import { AddressInput } from './address.ts'
import { collection, filter, paging } from './collection.ts'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { Coordinates, Flag, FlagText, numeric, text } from './primitives.ts'
import { ClinicReference, ServiceReference } from './references.ts'
import { page, resourceId } from './shapes.ts'

export const Clinic = ClinicReference.extend({
  coordinates: Coordinates.nullable().meta({ description: 'Null where they are not known.' }),
  distance: z
    .object({ miles: z.number() })
    .nullable()
    .meta({ description: 'From the point that was searched near; null where there is none.' }),
  isActive: z.boolean(),
  services: z.array(ServiceReference).meta({ description: 'Ordered by name.' }),
}).meta({ id: 'Clinic' })

export type Clinic = z.infer<typeof Clinic>

const ClinicCollection = collection(Clinic, 'ClinicCollection')

export const RADIUS_MILES = { default: 50, max: 500 }

/** An address to search near: whatever of it is known, as members or as one line of text. */
const NearAddress = z.union([
  AddressInput.extend({ postalCode: text(1, 255), state: text(1, 255) }).partial(),
  text(1, 500),
])

export const ClinicSearch = z
  .strictObject({
    query: text(1, 255).optional().meta({ description: 'Words of the name or the city; misspellings are forgiven.' }),
    near: z
      .strictObject({
        postalCode: text(1, 20).optional().meta({ description: 'US ZIP or ZIP+4, or Canadian postal code.' }),
        address: NearAddress.optional().meta({
          description:
            'Whatever is known of it, as members or as one line; placed by its city and state where the postal code is not known.',
        }),
        coordinates: z.strictObject(Coordinates.shape).optional(),
      })
      .optional()
      .meta({ description: 'The point to measure from. The most exact of its members counts.' }),
    radiusMiles: numeric(z.number().gt(0).max(RADIUS_MILES.max))
      .default(RADIUS_MILES.default)
      .meta({ description: 'How far from the point a clinic may be.', override: { default: RADIUS_MILES.default } }),
    serviceIds: z
      .array(text(1, 255))
      .max(100)
      .optional()
      .meta({ description: 'Only clinics that offer all of these.' }),
    packageId: text(1, 255)
      .optional()
      .meta({ description: 'Only clinics that offer every in-person service of this package.' }),
    isActive: Flag.default(true).meta({
      description: 'Only active, or only inactive ones.',
      override: { default: true },
    }),
    ...paging,
  })
  .meta({ id: 'ClinicSearch', description: 'At least one of `query` and `near`.' })

export type ClinicSearch = z.infer<typeof ClinicSearch>

export const listClinics = endpoint({
  name: 'listClinics',
  method: 'GET',
  path: '/api/v2/clinics',
  scope: 'clinic.list',
  tag: 'Clinics',
  summary: 'List clinics.',
  description: "The collection sites of the token's tenant, ordered by name.",
  query: z.strictObject({
    ...paging,
    name: filter('Part of the name, in any case.'),
    isActive: FlagText.optional().meta({ description: 'Only active, or only inactive ones.' }),
    city: filter('Part of the city, in any case.'),
    state: filter('State or region code, in any case.'),
  }),
  replies: { 200: 'A page of clinics.' },
  reply: ClinicCollection,
  refusals: [400],
  example: { query: { city: 'naper' }, reply: page(examples.clinic) },
})

export const readClinic = endpoint({
  name: 'readClinic',
  method: 'GET',
  path: '/api/v2/clinics/{id}',
  scope: 'clinic.read',
  tag: 'Clinics',
  summary: 'Read a clinic.',
  params: z.strictObject({ id: resourceId('clinic') }),
  query: z.strictObject({}),
  replies: { 200: 'The clinic.' },
  reply: Clinic,
  refusals: [400, 404],
  example: { params: { id: examples.clinic.id }, reply: examples.clinic },
})

export const searchClinics = endpoint({
  name: 'searchClinics',
  method: 'POST',
  path: '/api/v2/clinics/search',
  scope: 'clinic.search',
  tag: 'Clinics',
  summary: 'Search clinics by place or by misspelt text.',
  description:
    'With `near`, the nearest come first and `distance` is filled; otherwise the best text match comes first.',
  query: z.strictObject({}),
  body: ClinicSearch,
  replies: { 200: 'A page of clinics, best first.' },
  reply: ClinicCollection,
  refusals: [400, 413, 415],
  example: {
    body: { query: 'Napervile ocupational', near: { postalCode: '60540' } },
    reply: page({ ...examples.clinic, distance: { miles: 1.4 } }),
  },
})
