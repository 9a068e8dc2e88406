import type { Collection, DeepPartial, Endpoint, Input, Problem, Reply, SuccessStatus } from '@order-testing/contract'
import type { Caller } from '../domain/access/caller.ts'
import type { InvitationMail } from '../domain/users/users.ts'
import type { CallbackPolicy } from '../domain/webhooks/callbacks.ts'
import type { Page, PageRequest } from '../store/db/page.ts'
import type { Store } from '../store/store.ts'

/** The dependencies of an operation. */
export interface Context {
  caller: Caller
  store: Store
  now: () => Date
  random: Random
  /** The W3C trace of the request, which its events keep. */
  trace?: string | undefined
  policy: CallbackPolicy
  /** Requests per minute of a token that has no limit of its own; 0 for no limit. */
  defaultRateLimit: number
  /** Seconds before each attempt of a delivery, if not as usual. */
  retrySchedule?: readonly number[] | undefined
  /** Must be called after a change of tokens or catalog, so that this process applies it at once. */
  catalogChanged: () => void
  /** Absent in threads, which invite nobody. */
  console?: ConsoleSettings | undefined
}

/** What invitations need to know about the console. */
export interface ConsoleSettings {
  /** Where browsers reach it; undefined if that is not known. */
  origin: () => string | undefined
  /** Returns whether the mail server has accepted it; absent without one. */
  sendInvitation?: ((invitation: InvitationMail) => Promise<boolean>) | undefined
}

export interface Random {
  bytes: (count: number) => Buffer
  /** An integer from 0 to the limit, exclusive. */
  below: (limit: number) => number
}

/** A response: a body to serialize, its JSON text, or bytes of any content type. */
export type Answer<T> = { status: SuccessStatus; headers?: Readonly<Record<string, string>> } & (
  | { body: T }
  | { text: string }
  | {
      bytes: Buffer
      type?: string | undefined
      /** Whether the same bytes are kept to be sent again. */
      isKept?: boolean
    }
)

/** Handles one endpoint: takes a parsed and authorized request, returns the response. */
export type Operation<E extends Endpoint> = (input: Input<E>, context: Context) => Promise<Answer<Reply<E>>>

/** Handles an endpoint that parses its own body, so that it can report schema and semantic problems together. */
export type RawOperation<E extends Endpoint> = (
  input: Omit<Input<E>, 'body'> & {
    body: unknown
    /** Problems of the rest of the request, to be reported together with those of the body. */
    faults: Problem[]
  },
  context: Context,
) => Promise<Answer<Reply<E>>>

/** The problems that the rules of an operation find in the valid members of a request that its schemas refuse. */
export type Check<E extends Endpoint> = (
  valid: { query: DeepPartial<Input<E>['query']>; body: DeepPartial<Input<E>['body']> },
  known: { faults: readonly Problem[]; policy: CallbackPolicy },
) => Problem[]

export function bytesOf(answer: Answer<unknown>): Buffer {
  if ('bytes' in answer) return answer.bytes
  return Buffer.from('text' in answer ? answer.text : JSON.stringify(answer.body))
}

export const ok = <T>(body: T): Answer<T> => ({ status: 200, body })

export function collectionOf<Row, T>(
  { rows, total }: Page<Row>,
  { limit, page }: PageRequest,
  present: (row: Row) => T,
): Collection<T> {
  return { data: rows.map((row) => present(row)), limit, page, total }
}
