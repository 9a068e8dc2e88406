import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../domain/access/caller.ts'
import { refuse } from '../../domain/refusal.ts'
import { nameOf } from './fair-queue.ts'

export const WINDOW_MS = 60_000

/** Tokens counted at once, more than a node serves in a minute: the count of an evicted token is lost. */
const COUNTED = 200_000

/** Counts requests per minute and key. Each node counts separately. */
export class Windows {
  readonly #clock: () => number
  /** In the order in which they began. A cache of this size would allocate all of it at the start. */
  readonly #windows = new Map<string, { count: number; endsAt: number }>()

  constructor(clock: () => number = () => Date.now()) {
    this.#clock = clock
  }

  /** Counts a request; returns the count and the seconds until the window ends. */
  count(key: string): { count: number; seconds: number } {
    const now = this.#clock()
    let window = this.#windows.get(key)
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + WINDOW_MS }
      this.#windows.delete(key)
      this.#windows.set(key, window)
      if (this.#windows.size > COUNTED) this.#windows.delete(this.#windows.keys().next().value!)
    }
    window.count++
    return { count: window.count, seconds: Math.ceil((window.endsAt - now) / 1000) }
  }
}

/** Limits requests per minute and token. The limit of the token overrides the default; 0 means no limit. */
export class RateLimit {
  readonly #fallback: number
  readonly #windows: Windows

  constructor(fallback: number, clock?: () => number) {
    this.#fallback = fallback
    this.#windows = new Windows(clock)
  }

  /** Counts the request, sets the rate limit headers, and refuses requests over the limit. */
  take(caller: Caller, request: Pick<FastifyRequest, 'ownHeaders'>): void {
    const limit = caller.rateLimit ?? this.#fallback
    if (limit === 0) return
    const window = this.#windows.count(nameOf(caller))
    const seconds = String(window.seconds)
    const left = String(Math.max(0, limit - window.count))
    const isOver = window.count > limit
    const quota = ['ratelimit-limit', String(limit), 'ratelimit-remaining', left, 'ratelimit-reset', seconds]
    if (isOver) quota.push('retry-after', seconds)
    request.ownHeaders = request.ownHeaders ? [...request.ownHeaders, ...quota] : quota
    if (!isOver) return
    throw refuse('tooManyRequests', `Too many requests with this token. Try again in ${seconds} seconds.`)
  }
}
