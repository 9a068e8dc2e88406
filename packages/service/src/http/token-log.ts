import type { FastifyInstance } from 'fastify'
import { INTAKE_SCOPES, type Problem, type Scope } from '@order-testing/contract'
import type { Caller } from '../domain/access/caller.ts'
import { eachScopeUsed, recordProblems, type RouteScopes, type TokenRequest } from '../domain/access/token-use.ts'
import { makeId } from '../domain/ids.ts'
import type { Random } from '../operations/operation.ts'
import type { ScopeUse, TokenRequestRow } from '../store/access/token-uses.ts'
import type { Store } from '../store/store.ts'
import { Newest } from './newest.ts'
import type { AnsweredRequest } from './observers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it was refused. */
    problems: readonly Problem[] | null
  }
  interface FastifyContextConfig {
    scopes?: RouteScopes
    /** The path in OpenAPI's spelling. */
    route?: string
  }
}

const FLUSH_MS = 2_000

/** Requests of one token that one flush writes, of those that succeeded and of those that were refused. */
const MOST_OF_TOKEN = 50

/** Requests that one flush writes; of many busy tokens, fewer each. */
const MOST_WRITTEN = 1_000

interface LogOptions {
  store: Store
  random: Random
  now: () => Date
  onFailure: (error: unknown) => void
}

interface Noted extends Omit<TokenRequest, 'problems'> {
  at: number
  problems: readonly Problem[] | null
}

class Waiting {
  readonly scopes = new Map<Scope, number>()
  readonly succeeded = new Newest<Noted>(MOST_OF_TOKEN)
  readonly refused = new Newest<Noted>(MOST_OF_TOKEN)
}

/**
 * Counts which scopes tokens use, and keeps their last requests, without bodies and addresses. A request only leaves a note
 * in memory, after it was answered; the notes are written every two seconds, so that a crash loses no more than that.
 */
export class TokenLog {
  readonly #options: LogOptions
  readonly #timer: NodeJS.Timeout
  #waiting = new Map<Caller, Waiting>()
  #flushing: Promise<void> = Promise.resolve()

  constructor(options: LogOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  addTo(app: FastifyInstance): void {
    app.observers.push((request, answer) => {
      if (request.caller && !request.caller.user) this.#note(request.caller, request, answer)
    })
    app.addHook('onClose', () => app.observed().then(() => this.#stop()))
  }

  /** Counts a message that came over MLLP. Its sender decides which of the scopes it used. */
  noteMessage(caller: Caller): void {
    this.#countUse(this.#waitingOf(caller), { needed: INTAKE_SCOPES, widened: null }, caller)
  }

  /** Writes what was noted before. A failure of the database keeps nobody waiting. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async #stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  #note(caller: Caller, request: AnsweredRequest, { status, ms }: { status: number; ms: number }): void {
    const { scopes, route = '' } = request.routeOptions.config
    const waiting = this.#waitingOf(caller)
    if (scopes) this.#countUse(waiting, scopes, caller)
    const kept = status >= 400 ? waiting.refused : waiting.succeeded
    kept.add({
      requestId: request.id,
      method: request.method,
      route,
      status,
      ms: Math.round(ms),
      at: Date.now(),
      problems: request.problems,
    })
  }

  #waitingOf(caller: Caller): Waiting {
    let waiting = this.#waiting.get(caller)
    if (!waiting) {
      waiting = new Waiting()
      this.#waiting.set(caller, waiting)
    }
    return waiting
  }

  #countUse({ scopes: counts }: Waiting, used: RouteScopes, { scopes }: Caller): void {
    eachScopeUsed(used, scopes, (scope) => counts.set(scope, (counts.get(scope) ?? 0) + 1))
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return
    const waiting = [...this.#waiting]
    this.#waiting = new Map()
    const { store, random, onFailure } = this.#options
    const most = Math.max(1, Math.min(MOST_OF_TOKEN, Math.floor(MOST_WRITTEN / waiting.length)))
    const toRow = ({ tenantId, tokenId }: Caller, { at, problems, ...content }: Noted): TokenRequestRow => {
      const time = new Date(at)
      const id = makeId('req', time, random.bytes)
      return { tenantId, tokenId, id, at: time, content: { ...content, problems: recordProblems(problems ?? []) } }
    }
    const rows = waiting.flatMap(([caller, { succeeded, refused }]) =>
      [...refused.list().slice(-most), ...succeeded.list().slice(-most)].map((noted) => toRow(caller, noted)),
    )
    try {
      await store.transaction(async (tx) => {
        const uses = sumUses(waiting)
        if (uses.length > 0) await tx.tokenUses.count(uses)
        if (rows.length > 0) await tx.tokenUses.record(rows.slice(0, MOST_WRITTEN))
      })
    } catch (error) {
      // Lost: what is kept for later would grow for as long as the database is away.
      onFailure(error)
    }
  }
}

/** A token may have several callers, one for each version of the catalog. */
function sumUses(waiting: [Caller, Waiting][]): ScopeUse[] {
  const sums = new Map<string, ScopeUse>()
  for (const [{ tenantId, tokenId }, { scopes }] of waiting) {
    for (const [scope, requests] of scopes) {
      const key = `${tenantId} ${tokenId} ${scope}`
      const sum = sums.get(key) ?? { tenantId, tokenId, scope, requests: 0 }
      sums.set(key, { ...sum, requests: sum.requests + requests })
    }
  }
  return [...sums.values()]
}
