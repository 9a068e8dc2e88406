import { setImmediate as nextTurn } from 'node:timers/promises'
import { endpoints } from '@order-testing/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { partyOf, type Caller } from '../domain/access/caller.ts'
import { makeId } from '../domain/ids.ts'
import { findOrderIds, recordBody, recordHeaders } from '../domain/sandbox/recorded-request.ts'
import { cleanPath, tokenRemover, type Cleaner } from '../domain/sandbox/secrets.ts'
import type { Random } from '../operations/operation.ts'
import type { Store } from '../store/store.ts'
import { Newest } from './newest.ts'
import type { AnsweredRequest } from './observers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body of the answer, for the log of a sandbox. */
    answerBody: string | Uint8Array | null
  }
}

const FLUSH_MS = 5_000

/** Requests of a token that wait for the next flush. No more are kept of one, so older ones need not be written. */
const MOST_WAITING = 100

/** With this many tokens, requests are written at once; while that takes, those of further tokens are not kept. */
const MOST_TOKENS = 20

/** Of larger bodies nothing is kept: removing their secrets would take longer than the request. */
const LARGEST_BODY = 64 * 1024

interface LogOptions {
  store: Store
  random: Random
  now: () => Date
  onFailure: (error: unknown) => void
}

interface Noted {
  caller: Caller
  at: number
  ms: number
  status: number
  request: Pick<FastifyRequest, 'id' | 'method' | 'url' | 'headers'> & { sent: unknown; answered: unknown }
}

/** Records the requests of integrators for `GET /api/sandbox/v1/requests`, after they were answered and in batches. */
export class RequestLog {
  readonly #options: LogOptions
  readonly #timer: NodeJS.Timeout
  /** By token. */
  readonly #waiting = new Map<string, Newest<Noted>>()
  #flushing: Promise<void> = Promise.resolve()

  constructor(options: LogOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  addTo(app: FastifyInstance): void {
    const { path } = endpoints.listRequests
    app.observers.push((request, answer) => {
      if (request.routeOptions.url !== path) this.#note(request, answer)
    })
    // The list has everything that this node answered before.
    app.addHook('onRoute', (route) => {
      if (route.url === path) route.preHandler = () => app.observed().then(() => this.flush())
    })
    app.addHook('onClose', () => app.observed().then(() => this.#stop()))
  }

  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#record())
    return this.#flushing
  }

  async #stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** Only tokens that could read the list are recorded. */
  #note(request: AnsweredRequest, { status, ms: elapsed }: { status: number; ms: number }): void {
    const { caller, id, method, url, headers, body, answerBody } = request
    if (!caller?.scopes.has('order.read')) return
    const waiting = this.#waitingOf(caller)
    if (!waiting) return
    const ms = Math.round(elapsed)
    const at = this.#options.now().getTime() - ms
    const sent = body === undefined || body === null ? null : sizeOf(headers) > LARGEST_BODY ? TOO_LARGE : body
    const answer = method !== 'HEAD' && hasBody(status) ? answerBody : null
    const answered = (answer?.length ?? 0) > LARGEST_BODY ? TOO_LARGE : answer
    waiting.add({ caller, at, ms, status, request: { id, method, url, headers, sent, answered } })
  }

  /** Undefined if too many tokens have requests that wait. */
  #waitingOf(caller: Caller): Newest<Noted> | undefined {
    const token = partyOf(caller)
    const known = this.#waiting.get(token)
    if (known || this.#waiting.size >= MOST_TOKENS) return known
    const waiting = new Newest<Noted>(MOST_WAITING)
    this.#waiting.set(token, waiting)
    if (this.#waiting.size === MOST_TOKENS) void this.flush()
    return waiting
  }

  async #record(): Promise<void> {
    const noted = [...this.#waiting.values()].flatMap((waiting) => waiting.list())
    this.#waiting.clear()
    if (noted.length === 0) return
    const { store, random, onFailure } = this.#options
    // A log that cannot be written is lost; the requests were answered.
    const rows: ReturnType<typeof toRow>[] = []
    const recorders = new Map<string | undefined, Recorder>()
    for (const each of noted) {
      const { authorization } = each.request.headers
      const recorder = recorders.get(authorization) ?? new Recorder(authorization)
      recorders.set(authorization, recorder)
      rows.push(toRow(each, recorder, random))
      // A page of orders takes as long as several requests.
      await nextTurn()
    }
    await store.transaction((tx) => tx.requests.record(rows)).catch((error: unknown) => onFailure(error))
  }
}

const TOO_LARGE = Symbol('too large')

/** A body whose length was not announced counts as large. */
const sizeOf = ({ 'content-length': length }: FastifyRequest['headers']) => Number(length ?? Infinity)

/** Records requests with the same `Authorization`. Those that got the same answer, such as one page, share its record. */
class Recorder {
  readonly clean: Cleaner
  readonly #recorded = new Map<unknown, ReturnType<typeof recordBody>>()

  constructor(authorization: string | undefined) {
    this.clean = tokenRemover(authorization)
  }

  record(body: unknown): ReturnType<typeof recordBody> {
    if (body === TOO_LARGE) return { body: null, isTruncated: true, orderIds: [] }
    const known = this.#recorded.get(body)
    if (known) return known
    const recorded = recordBody(body, this.clean)
    this.#recorded.set(body, recorded)
    return recorded
  }
}

const hasBody = (status: number) => status !== 204 && status !== 304

const LONGEST_PATH = 2_048

function toRow(noted: Noted, recorder: Recorder, random: Random) {
  const { caller, ms, status, request } = noted
  const { tenantId, tokenId } = caller
  const { clean } = recorder
  const at = new Date(noted.at)
  const { orderIds: sent, ...body } = recorder.record(request.sent)
  const { orderIds: answered, ...answer } = recorder.record(request.answered)
  const path = cleanPath(clean(request.url)).slice(0, LONGEST_PATH)
  return {
    tenantId,
    tokenId,
    id: makeId('req', at, random.bytes),
    at,
    orderIds: [...new Set([...findOrderIds(path), ...sent, ...answered])],
    content: {
      requestId: clean(request.id),
      method: request.method,
      path,
      status,
      ms,
      request: { headers: recordHeaders(request.headers, clean), ...body },
      answer,
    },
  }
}
