import type { ListedOrder } from '../../api/masking.ts'
import { isBeforeCheckIn, isClosed } from '../../parts/statuses.ts'

export type BulkAction = 'cancel' | 'extend' | 'sendLink'

/** More orders at once are refused: nobody can look over what happened to them. */
export const MOST_AT_ONCE = 5_000

export interface BulkOutcome {
  order: ListedOrder
  /** Why it was refused; undefined if it was done. */
  refusal?: string
}

interface Progress {
  /** Stops between two orders. */
  signal: AbortSignal
  onProgress: (done: number) => void
}

/** Whether the action can do anything to the order, as far as the list tells. The service decides in the end. */
export function isPossible(action: BulkAction, { status, services }: ListedOrder): boolean {
  if (isClosed(status)) return false
  return action === 'cancel' || services.some((service) => isBeforeCheckIn(service.status))
}

/** How many orders an action leaves out, by the status that makes it impossible; the most frequent first. */
export function leftOutOf(action: BulkAction, orders: readonly ListedOrder[]): [status: string, count: number][] {
  const counts = new Map<string, number>()
  for (const order of orders)
    if (!isPossible(action, order)) counts.set(order.status, (counts.get(order.status) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)
}

/** A page of the list. */
interface Page {
  data: ListedOrder[]
  total: number
}

/** Reads all orders of a filter, each once, before anything is done to them. */
export async function collect(
  readPage: (page: number) => Promise<Page>,
  { signal, onProgress }: Progress,
): Promise<ListedOrder[]> {
  const found = new Map<string, ListedOrder>()
  for (let page = 1; !signal.aborted; page += 1) {
    const { data, total } = await readPage(page)
    for (const order of data) found.set(order.id, order)
    onProgress(found.size)
    if (data.length === 0 || found.size >= Math.min(total, MOST_AT_ONCE)) break
  }
  return [...found.values()].slice(0, MOST_AT_ONCE)
}

interface Telling {
  isRefusal: (error: unknown) => boolean
  /** Why an order was refused, for people. */
  explain?: (error: unknown) => string
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Does one order after the other, and goes on after a refusal. A failure that is no refusal of the order stops the rest:
 * those after it would fail too.
 */
export async function runBulk(
  orders: readonly ListedOrder[],
  act: (order: ListedOrder) => Promise<unknown>,
  { signal, onProgress, isRefusal, explain = messageOf }: Progress & Telling,
): Promise<{ outcomes: BulkOutcome[]; failure?: unknown }> {
  const outcomes: BulkOutcome[] = []
  for (const order of orders) {
    if (signal.aborted) break
    try {
      await act(order)
      outcomes.push({ order })
    } catch (error) {
      if (!isRefusal(error)) return { outcomes, failure: error }
      outcomes.push({ order, refusal: explain(error) })
    }
    onProgress(outcomes.length)
  }
  return { outcomes }
}
