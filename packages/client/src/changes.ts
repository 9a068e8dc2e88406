import { OrderTestingError } from './errors.ts'
import type { Page } from './pages.ts'
import { isTransient } from './retry.ts'
import type { CallOptions, Transport } from './transport.ts'
import { pause } from './waiting.ts'

export interface ChangesOptions {
  /** The cursor kept from earlier. Default: from the beginning. */
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

/** Reads a list on by its cursor without an end. `give` gets each item with the cursor to keep once it has been processed. */
export async function* changes<T, Change>(
  transport: Transport,
  { cursor = '', pollMs = 5_000, signal, onError, ...query }: ChangesOptions,
  { read, give }: { read: Read<T>; give: (item: T, cursor: string) => Change },
): AsyncGenerator<Change, void, undefined> {
  const signals = transport.signals({ signal })
  const isAborted = () => signals.some((each) => each.aborted)
  const wait = (ms: number) => pause(ms, signals).catch(() => undefined)
  for (let from = cursor; !isAborted();) {
    let page: CursorPage<T>
    try {
      page = withCursor(await read(transport, { ...query, cursor: from }, { signal }))
    } catch (error) {
      if (isAborted()) return
      if (!(error instanceof OrderTestingError && isTransient(error))) throw error
      onError?.(error)
      await wait(Math.max(pollMs, Math.min(MOST_WAIT_MS, (error.retryAfter ?? 0) * 1000)))
      continue
    }
    for (const [i, item] of page.data.entries()) {
      // Only the cursor after the whole page is known: going on from an earlier one repeats a part of the page.
      yield give(item, i === page.data.length - 1 ? page.nextCursor : from)
      if (isAborted()) return
    }
    if (page.nextCursor === from) await wait(pollMs)
    from = page.nextCursor
  }
}

function withCursor<T>(page: Page<T>): CursorPage<T> {
  const { nextCursor } = page
  if (typeof nextCursor !== 'string') throw new OrderTestingError('The page has no `nextCursor`')
  return { ...page, nextCursor }
}
