import type { Caller } from '../domain/access/caller.ts'
import type { AnsweredRequest } from './observers.ts'

/** Approximate bytes of answers per process. */
const MOST_BYTES = 64 * 1024 * 1024

/** What an answer takes besides its bytes and its URL. */
const OVERHEAD_BYTES = 100

interface CachedAnswer {
  bytes: Uint8Array
  isTagged: boolean
  /** The route that gave it. */
  routeOptions: AnsweredRequest['routeOptions']
}

/** Those of callers that are no longer known go with them. */
type Answers = WeakMap<Caller, Map<string, CachedAnswer>>

/**
 * Caches answers of catalog reads: the catalog is read often and changes rarely. A caller is known for one version of the catalog,
 * so its answers need no other key, which would be joined and hashed for each request. Two maps
 * replace one that keeps the order of use: what is not used while one of them fills is forgotten.
 */
export class AnswerCache {
  readonly #mostBytes: number
  #recent: Answers = new WeakMap()
  #older: Answers = new WeakMap()
  #recentBytes = 0

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes
  }

  find(caller: Caller, url: string): CachedAnswer | undefined {
    const recent = this.#recent.get(caller)?.get(url)
    if (recent) return recent
    const older = this.#older.get(caller)?.get(url)
    if (older) this.keep(caller, url, older)
    return older
  }

  keep(caller: Caller, url: string, answer: CachedAnswer): void {
    const ofCaller = this.#recent.get(caller) ?? new Map<string, CachedAnswer>()
    if (!ofCaller.has(url)) this.#recentBytes += answer.bytes.length + url.length + OVERHEAD_BYTES
    this.#recent.set(caller, ofCaller.set(url, answer))
    if (this.#recentBytes <= this.#mostBytes / 2) return
    this.#older = this.#recent
    this.#recent = new WeakMap()
    this.#recentBytes = 0
  }
}
