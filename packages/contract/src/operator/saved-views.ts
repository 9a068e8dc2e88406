import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/operator-examples.ts'
import { text, Timestamp } from '../primitives.ts'
import { idOf, listOf } from '../resource-endpoints.ts'
import { statusFilters } from './status-filters.ts'

/** A period that ends now, so that a view stays true from day to day. */
const days = (what: string) => z.int().min(1).max(366).optional().describe(`${what} within this many days.`)

const Filters = z
  .strictObject({
    ...statusFilters,
    companyId: filter('Orders for this company.'),
    locationId: filter('Orders at this location.'),
    code: filter('The exact order code.'),
    externalId: filter('Orders with exactly this `externalId`.'),
    specimenId: filter('Orders with this specimen.'),
    createdWithinDays: days('Created'),
    updatedWithinDays: days('Last updated'),
  })
  .meta({ id: 'SavedFilters' })

export type SavedFilters = z.infer<typeof Filters>

const SavedView = z
  .object({
    id: z.string(),
    object: z.literal('savedView'),
    name: z.string(),
    filters: Filters,
    isShared: z.boolean().describe('Whether all operators of the tenant see it.'),
    isMine: z.boolean().describe('Whether the caller saved it. Nobody else can change it.'),
    owner: z.object({ id: z.string(), name: z.string().nullable() }).describe('The person or token that saved it.'),
    createdAt: Timestamp,
  })
  .meta({ id: 'SavedView', description: 'A named set of filters of the list of orders.' })

export type SavedView = z.infer<typeof SavedView>

const views = { path: '/api/operator/v1/savedViews', tag: 'Orders', one: 'saved view', many: 'saved views' }
const change = { scope: 'operator.orders.read', tag: views.tag } as const
const name = text(1, 40)
const isShared = z.boolean().describe('Whether all operators of the tenant see it. Default: false.')

export const listSavedViews = listOf(views, {
  scope: 'operator.orders.read',
  summary: 'List saved views of orders.',
  description:
    'Those of the caller in their order, then those that others share, oldest first. A view belongs to the person who is signed in, or to the token.',
  filters: {},
  item: SavedView,
  example: examples.savedView,
})

export const createSavedView = endpoint({
  ...change,
  method: 'POST',
  path: views.path,
  summary: 'Save a view of orders.',
  description: 'It becomes the last of the caller, who may have 20.',
  body: z.strictObject({ name, filters: Filters, isShared: isShared.optional() }).meta({ id: 'NewSavedView' }),
  replies: { 201: 'The view.' },
  reply: SavedView,
  refusals: [422],
  example: {
    body: { name: 'With the laboratory', filters: { status: 'pending', createdWithinDays: 7 } },
    reply: examples.savedView,
  },
})

export const updateSavedView = endpoint({
  ...change,
  method: 'PATCH',
  path: `${views.path}/{id}`,
  summary: 'Rename, move, share or change a saved view.',
  description: 'Members that are not sent stay as they are.',
  params: idOf(views),
  body: z
    .strictObject({
      name: name.optional(),
      filters: Filters.optional(),
      isShared: isShared.optional(),
      position: z.int().min(1).max(20).optional().describe("Its place among the caller's views, from 1."),
    })
    .meta({ id: 'SavedViewChange' }),
  replies: { 200: 'The view, changed.' },
  reply: SavedView,
  example: {
    params: { id: examples.savedView.id },
    body: { name: 'With the laboratory', position: 1 },
    reply: examples.savedView,
  },
})

export const deleteSavedView = endpoint({
  ...change,
  method: 'DELETE',
  path: `${views.path}/{id}`,
  summary: 'Delete a saved view.',
  params: idOf(views),
  replies: { 200: 'The view that was deleted.' },
  reply: SavedView,
  example: { params: { id: examples.savedView.id }, reply: examples.savedView },
})
