import type { Collection, Endpoint, Input, Reply } from '@order-testing/contract'
import type { Caller } from '../domain/caller.ts'
import type { Page, PageRequest } from '../store/page.ts'
import type { Store } from '../store/store.ts'

/** What an operation works with: who asks, the data, and the time. */
export interface Context {
  caller: Caller
  store: Store
  now: () => Date
}

export interface Answer<T> {
  status: 200 | 201
  body: T
}

/** One endpoint's work, from a request that was parsed and authorised to its answer. */
export type Operation<E extends Endpoint> = (input: Input<E>, context: Context) => Promise<Answer<Reply<E>>>

export const ok = <T>(body: T): Answer<T> => ({ status: 200, body })

/** A page of rows as the collection they make. */
export function collectionOf<Row, T>(
  { rows, total }: Page<Row>,
  { limit, page }: PageRequest,
  present: (row: Row) => T,
): Collection<T> {
  return { data: rows.map((row) => present(row)), limit, page, total }
}
