import { z } from 'zod'
import { collection, LIMIT, paging, type Collection } from './collection.ts'
import { endpoint, type Endpoint } from './endpoint.ts'

/** An identifier in a path. One that cannot exist is simply not found, so any string is accepted. */
export const resourceId = (what: string) => z.string().describe(`Identifier of the ${what}.`)

/** A first page that holds one resource, for examples. */
export const page = <T>(item: T): Collection<T> => ({ data: [item], limit: LIMIT.default, page: 1, total: 1 })

type Named = Pick<Endpoint, 'name' | 'path' | 'scope' | 'tag' | 'description'> & { summary?: string }

/** An endpoint that lists resources by page. */
export function listOf<Item extends z.ZodType, Filters extends z.ZodRawShape>({
  items,
  item,
  filters,
  collectionId = `${item.meta()?.id}Collection`,
  example,
  exampleQuery,
  ...named
}: Named & {
  /** What is listed, in the plural. */
  items: string
  item: Item
  filters: Filters
  collectionId?: string
  example: unknown
  exampleQuery?: Record<string, unknown>
}) {
  return endpoint({
    summary: `List ${items}.`,
    ...named,
    method: 'GET',
    query: z.strictObject({ ...paging, ...filters }),
    replies: { 200: `A page of ${items}.` },
    reply: collection(item, collectionId),
    refusals: [400],
    example: { ...(exampleQuery && { query: exampleQuery }), reply: page(example) },
  })
}

/** The same for a list whose total is counted only so far. */
export function boundedListOf<Item extends z.ZodType, Filters extends z.ZodRawShape>(
  definition: Parameters<typeof listOf<Item, Filters>>[0],
) {
  const id = `${definition.item.meta()?.id}`
  const list = listOf<Item, Filters>({ ...definition, collectionId: `${id}Page` })
  return {
    ...list,
    description: 'The total is counted up to 100,000; `isMore` tells whether there are more.',
    reply: list.reply
      .extend({ isMore: z.boolean().describe('Whether there are more than `total`.') })
      .meta({ id: `${id}Collection` }),
    example: { ...list.example, reply: { ...list.example.reply, isMore: false } },
  }
}

/** An endpoint that reads one resource by its id. */
export function readOf<Reply extends z.ZodType>({
  what,
  reply,
  example,
  id = (example as { id: string }).id,
  ...named
}: Named & {
  /** What is read, in the singular. */
  what: string
  reply: Reply
  example: unknown
  /** The id in the example, where the reply has none. */
  id?: string
}) {
  return endpoint({
    summary: `Read ${/^[aeio]/.test(what) ? 'an' : 'a'} ${what}.`,
    ...named,
    method: 'GET',
    params: z.strictObject({ id: resourceId(what) }),
    replies: { 200: `The ${what}.` },
    reply,
    refusals: [400, 404],
    example: { params: { id }, reply: example },
  })
}
