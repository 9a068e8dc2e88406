import { OrderTestingError } from './errors.ts'
import type { Page } from './pages.ts'
import { isTransient } from './retry.ts'
import type { CallOptions, Transport } from './transport.ts'
import { pause } from './waiting.ts'

export interface ChangesOptions {
  /** The cursor that came with the last change you have processed. Default: from the beginning. */
  cursor?: string | undefined
  /** How long to wait at the end before asking again. Default: 5 seconds. */
  pollMs?: number | undefined
  /** Ends the iteration. */
  signal?: AbortSignal | undefined
  /** Items per request. */
  limit?: number | undefined
  /** Told about failures that pass, such as a lost connection: the iteration goes on. Throw to end it. */
  onError?: ((error: OrderTestingError) => void) | undefined
}

interface CursorPage<T> extends Page<T> {
  nextCursor: string
}

/** No response may make the iteration wait longer than this. */
const MOST_WAIT_MS = 60_000

/** Reads a page from a cursor on. */
type Read<T> = (transport: Transport, query: object, options: CallOptions) => Promise<Page<T>>

/**
 * Reads a list on by its cursor without an end. `give` gets each item with the cursor to keep once it has been processed.
 *
 * The service has cursors between pages only. Within a page, the cursor to keep is that of the page and the number of items
 * processed. Going on from there reads a page of that many items first: some come again, none is skipped even if the page has
 * changed meanwhile, and its end is a cursor of the service, however early the caller stops each time.
 */
export async function* changes<T, Change>(
  transport: Transport,
  { cursor = '', pollMs = 5_000, signal, onError, ...query }: ChangesOptions,
  { read, give }: { read: Read<T>; give: (item: T, cursor: string) => Change },
): AsyncGenerator<Change, void, undefined> {
  const signals = transport.signals({ signal })
  const isAborted = () => signals.some((each) => each.aborted)
  const wait = (ms: number) => pause(ms, signals).catch(() => undefined)
  for (let { from, done } = placeOf(cursor); !isAborted();) {
    let page: CursorPage<T>
    try {
      page = withCursor(await read(transport, { ...query, cursor: from, ...limitOf(done, query) }, { signal }))
      if (page.data.length > 0 && page.nextCursor === from) throw new OrderTestingError('The page repeats its cursor')
    } catch (error) {
      if (isAborted()) return
      if (!(error instanceof OrderTestingError && isTransient(error))) throw error
      onError?.(error)
      await wait(Math.max(pollMs, Math.min(MOST_WAIT_MS, (error.retryAfter ?? 0) * 1000)))
      continue
    }
    for (const [i, item] of page.data.entries()) {
      yield give(item, i === page.data.length - 1 ? page.nextCursor : `${from}~${i + 1}`)
      if (isAborted()) return
    }
    if (page.data.length === 0) await wait(pollMs)
    from = page.nextCursor
    done = 0
  }
}

/** Cursors of the service have no `~`. */
function placeOf(kept: string): { from: string; done: number } {
  const [, from = kept, done = 0] = /^(.*)~([1-9]\d{0,3})$/s.exec(kept) ?? []
  return { from, done: Number(done) }
}

const limitOf = (done: number, { limit = done }: Pick<ChangesOptions, 'limit'>) =>
  done > 0 && { limit: Math.min(done, limit) }

function withCursor<T>(page: Page<T>): CursorPage<T> {
  const { nextCursor } = page
  if (typeof nextCursor !== 'string') throw new OrderTestingError('The page has no `nextCursor`')
  return { ...page, nextCursor }
}
