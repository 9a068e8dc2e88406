import { LRUCache } from 'lru-cache'
import type { Caller } from '../domain/access/caller.ts'
import { hashFromCacheKey, secretCacheKey } from '../domain/access/tokens.ts'
import { refuse } from '../domain/refusal.ts'
import type { UsableToken } from '../store/access/tokens.ts'
import type { Freshness } from './freshness.ts'
import type { LastUses } from './last-uses.ts'
import type { Lookups } from './limits/lookups.ts'

const CACHED = 10_000

/** How many tokens in use are found by their header alone, and for how long. */
const REMEMBERED = { most: 1_000, ms: 60_000 }

/** Number of cached unknown secrets. They have their own cache, so that a flood of them does not evict tokens. */
const UNKNOWN = 1_000

interface AuthenticationOptions {
  lookups: Lookups<UsableToken | undefined>
  freshness: Freshness
  uses: LastUses
  now: () => Date
  /** Secrets that are refused without asking the database. */
  isRefused?: (secret: string) => boolean
}

/** Synchronous for cached tokens, so that most requests do not wait. */
export type Authenticate = (header: string | undefined) => Caller | Promise<Caller>

/**
 * Finds the caller of a request. Cached results, including unknown secrets, are valid for one catalog version, so that
 * changes of tokens or catalog take effect at once.
 */
export function authentication(options: AuthenticationOptions): Authenticate {
  const { lookups, freshness, uses, now, isRefused = () => false } = options
  const known = new LRUCache<string, KnownToken>({ max: CACHED })
  const unknown = new LRUCache<string, true>({ max: UNKNOWN })
  /** By the headers they came in: hashing the secret is the slowest step for a known token. */
  const remembered = new Map<string, { name: string; token: KnownToken }>()
  setInterval(() => remembered.clear(), REMEMBERED.ms).unref()

  function admit(token: KnownToken): Caller {
    if (token.expiresAt && token.expiresAt <= now()) throw unauthenticated()
    uses.note(token)
    return token
  }

  async function find(name: string, catalogVersion: string): Promise<Caller> {
    const key = catalogVersion + name
    if (unknown.has(key)) throw unauthenticated()
    // Tokens in use do not queue behind made-up ones when the catalog has changed.
    const found = await lookups.find(hashFromCacheKey(name), key, { wasKnown: known.has(name) })
    if (!found) {
      known.delete(name)
      unknown.set(key, true)
      throw unauthenticated()
    }
    // One caller for all who asked at the same time: what is kept for a caller is found by this object.
    const last = known.get(name)
    const token = last?.catalogVersion === catalogVersion ? last : { ...found, catalogVersion }
    known.set(name, token)
    return admit(token)
  }

  const findAt = (header: string, name: string, version: string) => {
    const token = known.get(name)
    if (token?.catalogVersion !== version) return find(name, version)
    const caller = admit(token)
    if (remembered.size < REMEMBERED.most || remembered.has(header)) remembered.set(header, { name, token })
    return caller
  }

  const nameOf = (header: string) => {
    const secret = /^bearer +(\S+) *$/i.exec(header)?.[1]
    if (secret === undefined || isRefused(secret)) throw unauthenticated()
    return secretCacheKey(secret)
  }

  return (header = '') => {
    const last = remembered.get(header)
    const name = last?.name ?? nameOf(header)
    const version = freshness.current()
    if (last?.token.catalogVersion === version) return admit(last.token)
    if (typeof version === 'string') return findAt(header, name, version)
    return version.then((current) => findAt(header, name, current))
  }
}

type KnownToken = UsableToken & Caller

const unauthenticated = () => refuse('unauthenticated', 'Send a valid API token: Authorization: Bearer <token>.')
