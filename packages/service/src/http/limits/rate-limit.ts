import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../domain/access/caller.ts'
import { refuse } from '../../domain/refusal.ts'

const WINDOW_MS = 60_000

/** Tokens counted at once: a token that is pushed out starts anew, so this is more than a node serves in a minute. */
const COUNTED = 200_000

/** Requests of the running minute, by who sends them. Each node counts for itself. */
export class Windows {
  readonly #clock: () => number
  readonly #windows = new LRUCache<string, { count: number; endsAt: number }>({ max: COUNTED })

  constructor(clock: () => number = () => Date.now()) {
    this.#clock = clock
  }

  /** Counts one more, and tells how many there were and in how many seconds counting starts anew. */
  count(key: string): { count: number; seconds: number } {
    const now = this.#clock()
    const window = this.#windowOf(key, now)
    window.count++
    return { count: window.count, seconds: Math.ceil((window.endsAt - now) / 1000) }
  }

  #windowOf(key: string, now: number) {
    const known = this.#windows.get(key)
    if (known && known.endsAt > now) return known
    const opened = { count: 0, endsAt: now + WINDOW_MS }
    this.#windows.set(key, opened)
    return opened
  }
}

/** Requests a minute by token, its own limit before the service's; 0 is off. */
export class RateLimit {
  readonly #fallback: number
  readonly #windows: Windows

  constructor(fallback: number, clock?: () => number) {
    this.#fallback = fallback
    this.#windows = new Windows(clock)
  }

  /** Counts the request, tells its sender how many are left, and refuses one too many. */
  take(caller: Caller, request: Pick<FastifyRequest, 'quota'>): void {
    const limit = caller.rateLimit ?? this.#fallback
    if (limit === 0) return
    const window = this.#windows.count(`${caller.tenantId}\n${caller.tokenId}`)
    const seconds = String(window.seconds)
    const left = String(Math.max(0, limit - window.count))
    const quota = ['ratelimit-limit', String(limit), 'ratelimit-remaining', left, 'ratelimit-reset', seconds]
    request.quota = quota
    if (window.count <= limit) return
    quota.push('retry-after', seconds)
    throw refuse('tooManyRequests', `Too many requests with this token. Try again in ${seconds} seconds.`)
  }
}
