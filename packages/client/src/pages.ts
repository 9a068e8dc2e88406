import { OrderTestingError } from './errors.ts'
import type { CallOptions, Transport } from './transport.ts'

/** A page of a list. */
export interface Page<T> {
  data: T[]
  /** Items per page. */
  limit: number
  /** Number of this page, starting at 1. */
  page: number
  /** Number of items on all pages. */
  total: number
  /** Where to read on, if the list was asked for with a cursor. */
  nextCursor?: string
}

interface Position {
  page?: number | undefined
  cursor?: string | undefined
}

/** The service has no page beyond this one. */
const LAST_PAGE = 10_000
/** Pages in a row without a new item after which a list is given up. Orders placed meanwhile make a few of them. */
const MOST_STALE = 100

/**
 * A list that is read when it is used: `await` it for its first page, or iterate over the items of all pages. Page numbers
 * shift when items are added meanwhile, so an item that appears again is left out; `changes()` misses nothing.
 */
export class List<T extends { id: string }> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #start: Position
  readonly #read: (position: Position) => Promise<Page<T>>
  #first: Promise<Page<T>> | undefined

  constructor(start: Position, read: (position: Position) => Promise<Page<T>>) {
    this.#start = start
    this.#read = read
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a list is awaited like the page that it begins with
  then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#read(this.#start)
    return this.#first.then(onPage, onError)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { fresh } of this.#steps()) yield* fresh
  }

  /** The pages, one after the other. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    for await (const { page } of this.#steps()) yield page
  }

  /** The pages, each with the items that were on no page before it. Under a cursor, an item that comes again has changed. */
  async *#steps(): AsyncGenerator<{ page: Page<T>; fresh: T[] }, void, undefined> {
    const [ids, cursors] = [new Set<string>(), new Set([this.#start.cursor])]
    let stale = 0
    for (let position: Position | undefined = this.#start; position;) {
      const page: Page<T> = await this.#read(position)
      const isFresh = ({ id }: T) => page.nextCursor !== undefined || (!ids.has(id) && ids.add(id))
      const fresh = page.data.filter(isFresh)
      stale = fresh.length > 0 ? 0 : stale + 1
      position = following(position, page)
      const { cursor } = position ?? {}
      if (stale > MOST_STALE || (cursor !== undefined && cursors.has(cursor)))
        throw new OrderTestingError('The list repeats itself without an end')
      cursors.add(cursor)
      yield { page, fresh }
    }
  }
}

function following(position: Position, reply: Page<unknown>): Position | undefined {
  const { data, limit, total, nextCursor } = reply
  if (nextCursor !== undefined)
    return data.length === 0 && nextCursor === position.cursor ? undefined : { cursor: nextCursor }
  const page = position.page ?? 1
  if (page > 1 && reply.page !== page)
    throw new OrderTestingError(`The answer is page ${reply.page} instead of ${page}`)
  const isLast = data.length === 0 || page * limit >= total || page >= LAST_PAGE
  return isLast ? undefined : { page: page + 1 }
}

/** A list read with GET. */
export function listOf<T extends { id: string }>(
  transport: Transport,
  path: string,
  query: object,
  options: CallOptions = {},
): List<T> {
  const read = pageReader<T>(path)
  return new List<T>(query, (position) => read(transport, { ...query, ...position }, options))
}

/** Reads one page with GET. */
export const pageReader =
  <T>(path: string) =>
  (transport: Transport, query: object, options: CallOptions) =>
    transport.send<Page<T>>({ method: 'GET', path, query, reply: 'page' }, options)
