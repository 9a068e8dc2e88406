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
    const seen = new Set<string>()
    for await (const { data, nextCursor } of this.pages()) {
      const isRepeated = ({ id }: T) => nextCursor === undefined && seen.has(id)
      for (const item of data) {
        if (isRepeated(item)) continue
        seen.add(item.id)
        yield item
      }
    }
  }

  /** The pages, one after the other. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    for (let position: Position | undefined = this.#start; position;) {
      const page: Page<T> = await this.#read(position)
      yield page
      position = following(position, page)
    }
  }
}

function following(position: Position, { data, limit, total, nextCursor }: Page<unknown>): Position | undefined {
  // A page without progress is the end, whatever is on it.
  if (nextCursor !== undefined) return nextCursor === position.cursor ? undefined : { cursor: nextCursor }
  const page = position.page ?? 1
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
