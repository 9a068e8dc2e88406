import { z } from 'zod'
import { AddressInput } from './address.ts'
import { filter, paging } from './collection.ts'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { Coordinates, Flag, FlagText, numeric, text } from './primitives.ts'
import { ClinicReference, ServiceReference } from './references.ts'
import { listOf, page, readOf } from './resource-endpoints.ts'

export const Clinic = ClinicReference.extend({
  coordinates: Coordinates.nullable().describe('Null if unknown.'),
  distance: z.object({ miles: z.number() }).nullable().describe('Distance from the point in `near`; null without one.'),
  isActive: z.boolean(),
  services: z.array(ServiceReference).describe('Ordered by name.'),
}).meta({ id: 'Clinic' })

export type Clinic = z.infer<typeof Clinic>

export const RADIUS_MILES = { default: 50, max: 500 }

/** An address to search near, complete or not: as members or as one line of text. */
const NearAddress = z.union([
  AddressInput.extend({ postalCode: text(1, 255), state: text(1, 255) }).partial(),
  text(1, 500),
])

export const ClinicSearch = z
  .strictObject({
    query: text(1, 255).optional().describe('Words of the name or the city. Misspellings are tolerated.'),
    near: z
      .strictObject({
        postalCode: text(1, 20).optional().describe('US ZIP or ZIP+4, or Canadian postal code.'),
        address: NearAddress.optional().describe(
          'The known parts of the address, as members or as one line. Located by city and state if the postal code is unknown.',
        ),
        coordinates: z.strictObject(Coordinates.shape).optional(),
      })
      .optional()
      .describe('The point to measure from. The most precise member is used.'),
    radiusMiles: numeric(z.number().gt(0).max(RADIUS_MILES.max))
      .default(RADIUS_MILES.default)
      .meta({ description: 'Maximum distance from the point.', override: { default: RADIUS_MILES.default } }),
    serviceIds: z.array(text(1, 255)).max(100).optional().describe('Only clinics that offer all of these services.'),
    packageId: text(1, 255).optional().describe('Only clinics that offer every in-person service of this package.'),
    isActive: Flag.default(true).meta({
      description: 'Only active or only inactive clinics.',
      override: { default: true },
    }),
    ...paging,
  })
  .meta({ id: 'ClinicSearch', description: 'At least one of `query` and `near` is required.' })

export type ClinicSearch = z.infer<typeof ClinicSearch>

const clinics = { path: '/api/v2/clinics', tag: 'Clinics', one: 'clinic', many: 'clinics' }

export const listClinics = listOf(clinics, {
  scope: 'clinic.list',
  description: "The collection sites of the token's tenant, ordered by name.",
  filters: {
    name: filter('Part of the name, case-insensitive.'),
    isActive: FlagText.optional().describe('Only active or only inactive clinics.'),
    city: filter('Part of the city, case-insensitive.'),
    state: filter('State or region code, case-insensitive.'),
  },
  item: Clinic,
  example: examples.clinic,
  exampleQuery: { city: 'kansas' },
})

export const readClinic = readOf(clinics, { scope: 'clinic.read', reply: Clinic, example: examples.clinic })

export const searchClinics = endpoint({
  method: 'POST',
  path: '/api/v2/clinics/search',
  scope: 'clinic.search',
  tag: 'Clinics',
  summary: 'Search clinics by place or text.',
  description:
    'With `near`, the nearest clinics come first and have a `distance`; otherwise the best text matches come first.',
  body: ClinicSearch,
  replies: { 200: 'A page of clinics, best match first.' },
  reply: listClinics.reply,
  example: {
    body: { query: 'Blu river', near: { postalCode: '64120' } },
    reply: page({ ...examples.clinic, distance: { miles: 1.4 } }),
  },
})
