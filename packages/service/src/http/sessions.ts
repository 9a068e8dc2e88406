import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { BACKGROUND_HEADER, SESSION_COOKIE } from '@order-testing/contract/operator'
import type { Caller } from '../domain/access/caller.ts'
import { hashFromCacheKey, secretCacheKey } from '../domain/access/tokens.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import { scopesOfRole } from '../domain/users/roles.ts'
import { isSessionSecret } from '../domain/users/secrets.ts'
import { hasEnded, isWorthNoting, lockedSince } from '../domain/users/sessions.ts'
import type { ConsoleContext } from '../operations/users/sessions.ts'
import type { FoundSession } from '../store/users/sessions.ts'
import type { Authenticate } from './authentication.ts'
import type { Freshness } from './freshness.ts'
import { Lookups } from './limits/lookups.ts'
import { requireConsole } from './same-origin.ts'
import { cookieOf } from './session-cookies.ts'

/** Secrets that were good at their last use. Their lookups do not queue behind made-up ones. */
const KNOWN = 1_000
/** Lists of companies, each for one version of the catalog. */
const TENANTS = 100

export interface SessionOptions extends ConsoleContext {
  freshness: Freshness
  authenticate: Authenticate
  /** The origin of OTS_PUBLIC_URL. */
  publicOrigin: string | undefined
}

/**
 * Finds people by the cookie of their session. Sessions are read from the database for every request, so that a sign-out or
 * a deactivation counts at once on all nodes: people send few requests.
 */
export class Sessions {
  readonly #options: SessionOptions
  readonly #lookups: Lookups<FoundSession | undefined>
  readonly #known = new LRUCache<string, true>({ max: KNOWN })
  #asked = 0
  readonly #companies = new LRUCache<string, string[]>({ max: TENANTS })

  constructor(options: SessionOptions) {
    this.#options = options
    this.#lookups = new Lookups((hash) => options.store.sessions.findUsable(hash))
  }

  /** The caller of an operator request. A token wins over the cookie. */
  readonly admit = (request: FastifyRequest): Caller | Promise<Caller> => {
    const { authorization } = request.headers
    const isToken = authorization !== undefined || cookieOf(request, SESSION_COOKIE) === undefined
    return isToken ? this.#options.authenticate(authorization) : this.#admitPerson(request)
  }

  /** The open session of a request by a page of the console; refuses any other. */
  async require(request: FastifyRequest): Promise<FoundSession> {
    const { store, now, limits } = this.#options
    const found = await this.requireAny(request)
    const at = now()
    const lockedAt = lockedSince(found, limits, at)
    if (lockedAt) throw locked(lockedAt)
    const isUse = request.headers[BACKGROUND_HEADER] === undefined
    if (isUse && isWorthNoting(found, at)) await store.sessions.noteUse(found, at)
    return found
  }

  /** The open session of a browser that loads a page, without the header of the console. For reading only. */
  async findOpen(request: FastifyRequest): Promise<FoundSession | undefined> {
    const { now, limits, production } = this.#options
    const secret = cookieOf(request, SESSION_COOKIE)
    const found = secret !== undefined && isSessionSecret(secret) ? await this.#find(secret) : undefined
    const isOpen = found && !hasEnded(found, now()) && !lockedSince(found, limits, now())
    return isOpen && !(production && found.isDemo) ? found : undefined
  }

  /** The session of a request by a page of the console, open or locked. That it was asked for is no use of it. */
  async requireAny(request: FastifyRequest): Promise<FoundSession> {
    const { publicOrigin, now, production } = this.#options
    const secret = cookieOf(request, SESSION_COOKIE)
    if (secret === undefined || !isSessionSecret(secret)) throw signedOut()
    requireConsole(request, publicOrigin)
    const found = await this.#find(secret)
    // Nobody proved anything to become the demo operator.
    if (!found || hasEnded(found, now()) || (production && found.isDemo)) throw signedOut()
    return found
  }

  async callerOf({ tenantId, id, userId, name, role }: FoundSession): Promise<Caller> {
    const catalogVersion = await this.#options.freshness.current()
    return {
      tenantId,
      tokenId: userId,
      user: { id: userId, name, sessionId: id },
      scopes: scopesOfRole(role),
      companyIds: await this.#companiesOf(tenantId, catalogVersion),
      rateLimit: null,
      catalogVersion,
      senders: null,
    }
  }

  async #admitPerson(request: FastifyRequest): Promise<Caller> {
    return this.callerOf(await this.require(request))
  }

  async #find(secret: string): Promise<FoundSession | undefined> {
    const key = secretCacheKey(secret)
    // Not shared with requests that began before a sign-out.
    const lookup = `${key} ${(this.#asked += 1)}`
    const found = await this.#lookups.find(hashFromCacheKey(key), lookup, { wasKnown: this.#known.has(key) })
    if (found) this.#known.set(key, true)
    else this.#known.delete(key)
    return found
  }

  async #companiesOf(tenantId: string, version: string): Promise<string[]> {
    const key = `${version}\n${tenantId}`
    const known = this.#companies.get(key)
    if (known) return known
    const ids = await this.#options.store.companies.idsOf(tenantId)
    this.#companies.set(key, ids)
    return ids
  }
}

const signedOut = () => refuse('unauthenticated', 'You are signed out, or your session has ended. Sign in again.')

/** Pages tell it by `meta.reason` from a session that has ended. */
const locked = (at: Date) => {
  const meta = { reason: 'sessionLocked', lockedAt: at.toISOString() }
  return new Refusal([{ code: 'unauthenticated', detail: 'This session is locked. Sign in again to unlock it.', meta }])
}
