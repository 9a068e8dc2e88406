import { z } from 'zod'
import { collection, LIMIT, paging, type Collection } from './collection.ts'
import { endpoint, type Endpoint } from './endpoint.ts'

/** A kind of resource, as its endpoints and their texts name it. */
export interface Resource {
  path: string
  tag: string
  one: string
  many: string
}

/** An identifier in a path. One that cannot exist is simply not found, so any string is accepted. */
export const resourceId = (what: string) => z.string().describe(`Identifier of the ${what}.`)

/** The path parameters of an endpoint for one resource. */
export const idOf = ({ one }: Pick<Resource, 'one'>) => z.strictObject({ id: resourceId(one) })

/** A first page that holds one resource, for examples. */
export const page = <T>(item: T): Collection<T> => ({ data: [item], limit: LIMIT.default, page: 1, total: 1 })

interface Definition extends Pick<Endpoint, 'scope' | 'description' | 'headers' | 'replyType' | 'refusals'> {
  summary?: string
  example: unknown
}

interface ListDefinition<Item, Filters> extends Definition {
  item: Item
  filters: Filters
  collectionId?: string
  exampleQuery?: Record<string, unknown>
}

/** An endpoint that lists resources by page. */
export function listOf<Item extends z.ZodType, Filters extends z.ZodRawShape>(
  { path, tag, many }: Resource,
  definition: ListDefinition<Item, Filters>,
) {
  const { item, filters, collectionId = `${item.meta()?.id}Collection`, example, exampleQuery, ...texts } = definition
  return endpoint({
    summary: `List ${many}.`,
    ...texts,
    method: 'GET',
    path,
    tag,
    query: z.strictObject({ ...paging, ...filters }),
    replies: { 200: `A page of ${many}.` },
    reply: collection(item, collectionId),
    example: { ...(exampleQuery && { query: exampleQuery }), reply: page(example) },
  })
}

const BOUNDED = 'The total is counted up to 100,000; `isMore` tells whether there are more.'

/** The same for a list whose total is counted up to a limit. */
export function boundedListOf<Item extends z.ZodType, Filters extends z.ZodRawShape>(
  resource: Resource,
  definition: ListDefinition<Item, Filters>,
) {
  const list = listOf(resource, definition)
  return {
    ...list,
    description: [definition.description, BOUNDED].filter((text) => text !== undefined).join(' '),
    reply: list.reply
      .extend({ isMore: z.boolean().describe('Whether there are more than `total`.') })
      .meta({ id: list.reply.meta()!.id! }),
    example: { ...list.example, reply: { ...list.example.reply, isMore: false } },
  }
}

/** An endpoint that reads one resource by its id. */
export function readOf<Reply extends z.ZodType>(
  resource: Resource,
  definition: Definition & {
    reply: Reply
    /** The id in the example, where the reply has none. */
    id?: string
  },
) {
  const { path, tag, one } = resource
  const { example, id = (example as { id: string }).id, ...rest } = definition
  return endpoint({
    summary: `Read ${/^[aeio]/.test(one) ? 'an' : 'a'} ${one}.`,
    ...rest,
    method: 'GET',
    path: `${path}/{id}`,
    tag,
    params: idOf(resource),
    replies: { 200: `The ${one}.` },
    example: { params: { id }, reply: example },
  })
}
