import { LRUCache } from 'lru-cache'
import type { Scope } from '@order-testing/contract'
import type { Caller } from '../domain/caller.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import { hashSecret } from '../domain/tokens.ts'
import type { FoundToken } from '../store/tokens.ts'
import type { Store } from '../store/store.ts'
import type { Freshness } from './freshness.ts'
import type { LastUses } from './last-uses.ts'

/** Tokens remembered. */
const REMEMBERED = 10_000

/** Secrets remembered that open nothing, apart from the tokens: a flood of made-up ones must not push those out. */
const UNKNOWN = 1_000

export interface AuthenticationOptions {
  store: Store
  freshness: Freshness
  uses: LastUses
  now: () => Date
  /** Secrets that open nothing, whatever the database says. */
  isRefused?: (secret: string) => boolean
}

/** At once where the token is remembered: most requests need not wait for anything. */
export type Authenticate = (header: string | undefined) => Caller | Promise<Caller>

/** Finds who a request comes from. A token that was found is remembered until a token or the catalog changes. */
export function authentication({
  store,
  freshness,
  uses,
  now,
  isRefused = () => false,
}: AuthenticationOptions): Authenticate {
  const remembered = new LRUCache<string, { version: string; token: FoundToken }>({ max: REMEMBERED })
  const unknown = new LRUCache<string, string>({ max: UNKNOWN })

  async function find(header: string | undefined): Promise<Caller> {
    const secret = secretOf(header)
    if (isRefused(secret)) throw unauthenticated()
    const hash = hashSecret(secret)
    const version = await freshness.current()
    const entry = remembered.get(header!)
    if (entry?.version === version) return admit(entry.token)
    const key = hash.toString('latin1')
    if (unknown.get(key) === version) throw unauthenticated()
    const token = await store.tokens.findUsable(hash)
    if (token) remembered.set(header!, { version, token })
    else unknown.set(key, version)
    return admit(token)
  }

  function admit(token: FoundToken | undefined): Caller {
    const time = now()
    if (!token || (token.expiresAt && token.expiresAt <= time)) throw unauthenticated()
    uses.note(token, time)
    return token
  }

  return (header) => {
    const entry = remembered.get(header ?? '')
    return entry && entry.version === freshness.current() ? admit(entry.token) : find(header)
  }
}

/** The one scope, or any of several. */
export function requireScope({ scopes }: Caller, any: readonly Scope[]): void {
  if (!any.some((scope) => scopes.has(scope))) throw new ScopeRefusal(any)
}

/** The token is good, but not for this. */
export class ScopeRefusal extends Refusal {
  /** As the challenge names them. */
  readonly scopes: string

  constructor(any: readonly Scope[]) {
    super([{ code: 'insufficientScope', detail: `This token lacks the scope ${any.join(' or ')}.` }])
    this.scopes = any.join(' ')
  }

  /** The interface asks for 403 on creating orders and 401 everywhere else. */
  get status(): 401 | 403 {
    return this.scopes === 'order.create' ? 403 : 401
  }
}

function secretOf(header: string | undefined): string {
  const secret = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  if (secret === undefined) throw unauthenticated()
  return secret
}

const unauthenticated = () => refuse('unauthenticated', 'Send a valid API token: Authorization: Bearer <token>.')
