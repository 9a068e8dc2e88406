import type { Collection, Endpoint, Input, Problem, Reply, SuccessStatus } from '@order-testing/contract'
import type { CallbackPolicy } from '../domain/webhooks/callbacks.ts'
import type { Caller } from '../domain/access/caller.ts'
import type { Page, PageRequest } from '../store/db/page.ts'
import type { Store } from '../store/store.ts'

/** What an operation works with: who asks, the data, the time and chance, and what the operator allows. */
export interface Context {
  caller: Caller
  store: Store
  now: () => Date
  random: Random
  policy: CallbackPolicy
  /** To be called when tokens or the catalog were changed, so that it counts at once. */
  catalogChanged: () => void
}

export interface Random {
  bytes: (count: number) => Buffer
  /** A whole number from 0, less than the limit. */
  below: (limit: number) => number
}

/** What is answered: a body, its text where that is ready, or bytes, which may be of another type. */
export type Answer<T> = { status: SuccessStatus } & (
  | { body: T }
  | { text: string }
  | { bytes: Buffer; type?: string | undefined }
)

/** One endpoint's work, from a request that was parsed and authorised to its answer. */
export type Operation<E extends Endpoint> = (input: Input<E>, context: Context) => Promise<Answer<Reply<E>>>

/** The same for an endpoint that reads its body itself, to tell problems of its form and beyond at once. */
export type RawOperation<E extends Endpoint> = (
  input: Omit<Input<E>, 'body'> & {
    body: unknown
    /** What is wrong with the rest of the request, to be told beside what is wrong with the body. */
    faults: Problem[]
  },
  context: Context,
) => Promise<Answer<Reply<E>>>

/** The bytes of an answer. */
export function bytesOf(answer: Answer<unknown>): Buffer {
  if ('bytes' in answer) return answer.bytes
  return Buffer.from('text' in answer ? answer.text : JSON.stringify(answer.body))
}

export const ok = <T>(body: T): Answer<T> => ({ status: 200, body })

/** A page of rows as the collection they make. */
export function collectionOf<Row, T>(
  { rows, total }: Page<Row>,
  { limit, page }: PageRequest,
  present: (row: Row) => T,
): Collection<T> {
  return { data: rows.map((row) => present(row)), limit, page, total }
}
