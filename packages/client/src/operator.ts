import { OPERATIONS, type Operations } from './generated/operator.ts'
import { segment, Transport, type Call, type CallOptions, type TransportOptions } from './transport.ts'

export { NetworkError, NotFoundError, OrderTestingError, TimeoutError, type Problem } from './errors.ts'
export type * from './generated/operator.ts'
export type { Page } from './pages.ts'
export type { Call, CallOptions, TransportOptions } from './transport.ts'

/** What an operation takes besides options: its path parameters, query and body. */
export type RequestOf<Name extends keyof Operations> = Omit<Operations[Name], 'reply'>
export type ReplyOf<Name extends keyof Operations> = Operations[Name]['reply']

/** A request that nothing has to be given for may be left out. */
type Arguments<Name extends keyof Operations> =
  Record<string, never> extends RequestOf<Name>
    ? [request?: RequestOf<Name>, options?: CallOptions]
    : [request: RequestOf<Name>, options?: CallOptions]

/** Calls the operator API by the ids of its operations. Reads are retried, changes never. */
export class OperatorApi {
  readonly #transport: Transport

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options)
  }

  call<Name extends keyof Operations>(name: Name, ...[request, options]: Arguments<Name>): Promise<ReplyOf<Name>> {
    const { method, path } = OPERATIONS[name]
    const { params = {}, query, body } = (request ?? {}) as Partial<Record<'params' | 'query' | 'body', object>>
    return this.send(
      {
        method,
        path: path.replace(/\{(\w+)\}/g, (_, key: string) => segment((params as Record<string, string>)[key] ?? '')),
        query,
        body,
        ...(FILES.has(name) && { reply: 'file' }),
      },
      options,
    )
  }

  /** Calls what the operator API does not describe. */
  send<T>(call: Call, options?: CallOptions): Promise<T> {
    return this.#transport.send<T>({ ...call, ...(call.method !== 'GET' && { isOnce: true }) }, options)
  }
}

/** Operations that answer with a file. */
const FILES: ReadonlySet<string> = new Set<keyof Operations>([
  'readDocument',
  'readOrderDocument',
  'exportOrders',
  'exportAudit',
])
