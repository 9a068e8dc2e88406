import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parse } from '@order-testing/contract'
import {
  CONSOLE_API,
  PasskeyAssertion,
  PasskeyRegistration,
  type SignInOptions,
} from '@order-testing/contract/operator'
import type { z } from 'zod'
import { orNotFound, Refusal, refuse } from '../../domain/refusal.ts'
import { DEMO_TENANT, demoTenant, signInDemo } from '../../operations/users/demo.ts'
import { acceptInvitation, invitationOptions, readInvitation } from '../../operations/users/invitations.ts'
import * as passkeys from '../../operations/users/passkeys.ts'
import {
  endOwnSessions,
  listSessions,
  presentSession,
  type ConsoleContext,
  type NewSession,
} from '../../operations/users/sessions.ts'
import type { FoundSession } from '../../store/users/sessions.ts'
import { awaitsAnswer, type Admission } from '../limits/admission.ts'
import { Windows, type RateLimit } from '../limits/rate-limit.ts'
import type { OidcClient } from '../oidc.ts'
import { hasLoopbackName, hostnameOf, isForwarded, isFromThisMachine } from '../request-host.ts'
import { requireConsole } from '../same-origin.ts'
import { JSON_TYPE } from '../sending.ts'
import { browserOf, forgetSession, keepSession } from '../session-cookies.ts'
import type { Sessions } from '../sessions.ts'
import { addOidcRoutes } from './oidc.ts'

/** Requests per minute and address that need no session. An office shares an address; a guesser gets nowhere. */
const MOST_BY_ADDRESS = 60

const SERVICE = 'Order Testing Service'

export interface SessionRoutes extends ConsoleContext {
  sessions: Sessions
  rateLimit: RateLimit
  admission: Admission
  oidc: OidcClient | undefined
  /** The origin of OTS_PUBLIC_URL. */
  publicOrigin: string | undefined
  /** Where browsers reach the console; undefined if that is not known. */
  origin: () => string | undefined
  /** Whether others reach this sandbox. */
  isPublic: boolean
  /** Whether this sandbox accepts the public operator token of the demo catalog. */
  hasDemoToken: boolean
}

/** Work that is answered with JSON; undefined is answered with 204. */
type Work = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Sign-in and sessions of people, for the console: JSON, with a cookie. */
export function addSessionRoutes(app: FastifyInstance, options: SessionRoutes): void {
  const { sessions, rateLimit, admission, publicOrigin, production } = options
  const windows = new Windows()
  const inTurn = (work: Work) => async (request: FastifyRequest, reply: FastifyReply) => {
    const party = { tenantId: request.ip, tokenId: '' }
    const run = async () => ({ body: await work(request, reply) })
    const done = await admission.run('change', party, run, awaitsAnswer(request, reply))
    if (!done || reply.sent) return reply
    if (done.body === undefined) return reply.code(204).send()
    return reply.type(JSON_TYPE).send(JSON.stringify(done.body))
  }
  const limited = (request: FastifyRequest) => {
    const { count, seconds } = windows.count(request.ip)
    if (count > MOST_BY_ADDRESS) throw tooMany(seconds)
  }
  /** For anyone, within limits. */
  const open = (work: Work) => inTurn(async (request, reply) => (limited(request), work(request, reply)))
  /** Signs in: only pages of the console may, so that no other site signs a browser in as somebody else. */
  const entry = (work: Work) =>
    open(async (request, reply) => (requireConsole(request, publicOrigin), work(request, reply)))
  /** For the person who is signed in. */
  const own = (work: (session: FoundSession, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    inTurn(async (request, reply) => {
      const session = await sessions.require(request)
      rateLimit.take(await sessions.callerOf(session), request)
      return work(session, request, reply)
    })
  const begin = (reply: FastifyReply, { secret, session }: NewSession) => {
    keepSession(reply, secret, options)
    return session
  }
  const at = (path: string) => `${CONSOLE_API}${path}`

  app.get(
    at('/signIn'),
    open(async (request) => signInOptions(request, options)),
  )
  if (!production)
    app.post(
      at('/session/demo'),
      entry(async (request, reply) => {
        if (!(await hasDemo(request, options))) throw refuse('notFound', NO_DEMO)
        return begin(reply, await signInDemo(browserOf(request), options))
      }),
    )
  app.post(
    at('/session/passkey/options'),
    entry((request) => passkeys.passkeySignInOptions(partyOf(request, options), options)),
  )
  app.post(
    at('/session/passkey'),
    entry(async (request, reply) => {
      const given = { party: partyOf(request, options), browser: browserOf(request) }
      return begin(reply, await passkeys.signInWithPasskey(bodyOf(PasskeyAssertion, request), given, options))
    }),
  )
  if (options.oidc) addOidcRoutes(app, { ...options, oidc: options.oidc, limited })
  addOwnRoutes(app, { at, own }, options)
  addInvitationRoutes(app, { at, open, entry, begin }, options)
}

type Own = (
  work: (session: FoundSession, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) => (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** What people see and change of their own account. */
function addOwnRoutes(
  app: FastifyInstance,
  { at, own }: { at: (path: string) => string; own: Own },
  options: SessionRoutes,
): void {
  const end = (all: boolean) =>
    own(async (session, _request, reply) => {
      await endOwnSessions(session, all ? undefined : session.id, options)
      forgetSession(reply, options)
    })
  app.get(
    at('/session'),
    own(async (session) => presentSession(session, options)),
  )
  app.delete(at('/session'), end(false))
  app.get(
    at('/sessions'),
    own((session) => listSessions(session, options)),
  )
  app.delete(at('/sessions'), end(true))
  app.delete(
    at('/sessions/:id'),
    own((session, request) => endOwnSessions(session, paramOf(request, 'id'), options)),
  )
  app.get(
    at('/passkeys'),
    own((session) => passkeys.listPasskeys(session, options)),
  )
  app.post(
    at('/passkeys/options'),
    own(async ({ tenantId, userId }, request) => {
      const user = orNotFound(await options.store.users.find(tenantId, userId))
      return passkeys.registrationOptions(user, partyOf(request, options), options)
    }),
  )
  app.post(
    at('/passkeys'),
    own(async (session, request) => {
      const registration = { response: bodyOf(PasskeyRegistration, request), party: partyOf(request, options) }
      return passkeys.addPasskey(session, registration, options)
    }),
  )
  app.delete(
    at('/passkeys/:id'),
    own((session, request) => passkeys.removePasskey(session, paramOf(request, 'id'), options)),
  )
}

interface EntryRoutes {
  at: (path: string) => string
  open: (work: Work) => (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  entry: EntryRoutes['open']
  begin: (reply: FastifyReply, started: NewSession) => NewSession['session']
}

/** The link of an invitation takes the place of a session. */
function addInvitationRoutes(app: FastifyInstance, routes: EntryRoutes, options: SessionRoutes): void {
  const { at, open, entry, begin } = routes
  const secretOf = (request: FastifyRequest) => paramOf(request, 'secret')
  app.get(
    at('/invitations/:secret'),
    open((request) => readInvitation(secretOf(request), options)),
  )
  app.post(
    at('/invitations/:secret/passkey/options'),
    entry((request) => invitationOptions(secretOf(request), partyOf(request, options), options)),
  )
  app.post(
    at('/invitations/:secret/passkey'),
    entry(async (request, reply) => {
      const response = bodyOf(PasskeyRegistration, request)
      const given = { response, party: partyOf(request, options), browser: browserOf(request) }
      return begin(reply, await acceptInvitation(secretOf(request), given, options))
    }),
  )
}

async function signInOptions(request: FastifyRequest, options: SessionRoutes): Promise<SignInOptions> {
  const { store, production, oidc } = options
  const [first, ...others] = await store.catalog.tenants()
  return {
    object: 'signInOptions',
    tenantName: first && others.length === 0 ? first.name : SERVICE,
    mode: production ? 'production' : 'sandbox',
    hasPasskeys: findParty(request, options) !== undefined,
    oidc: oidc ? { name: oidc.name } : null,
    hasDemo: await hasDemo(request, options),
  }
}

/**
 * One click opens a sandbox to whoever works on its machine. Where others reach it, only if they could also use the public
 * token of the demo catalog. The Host header must name this machine, so that no site gets in by DNS rebinding.
 */
async function hasDemo(request: FastifyRequest, options: SessionRoutes): Promise<boolean> {
  const { production, isPublic, hasDemoToken, store } = options
  if (production || !hasLoopbackName(request) || isForwarded(request)) return false
  const tenantId = await demoTenant(store)
  if (tenantId === undefined) return false
  return (!isPublic && isFromThisMachine(request)) || (hasDemoToken && tenantId === DEMO_TENANT)
}

const NO_DEMO = 'The demo operator signs in only on the machine of the sandbox, under localhost, 127.0.0.1 or [::1].'

/** Browsers bind passkeys to a host name. They accept neither an address nor a name that is not that of the page. */
function findParty(request: FastifyRequest, options: SessionRoutes): passkeys.RelyingParty | undefined {
  const origin = options.origin()
  if (origin === undefined) return undefined
  const { hostname } = new URL(origin)
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return undefined
  if (options.publicOrigin === undefined && hostnameOf(request.headers.host) !== hostname) return undefined
  return { id: hostname, name: SERVICE, origin }
}

function partyOf(request: FastifyRequest, options: SessionRoutes): passkeys.RelyingParty {
  const party = findParty(request, options)
  if (party) return party
  const detail = options.production
    ? 'Passkeys need OTS_PUBLIC_URL with a host name.'
    : 'Passkeys need a host name. Open the console as http://localhost:<port>/console.'
  throw refuse('invalidState', detail)
}

const paramOf = ({ params }: FastifyRequest, name: string) =>
  (params as Record<string, string>)[name]!.replaceAll('\u0000', '')

function bodyOf<T extends z.ZodType>(schema: T, { body }: FastifyRequest): z.output<T> {
  const parsed = parse(schema, body)
  if (parsed.ok) return parsed.value
  throw new Refusal(parsed.problems)
}

const tooMany = (seconds: number) =>
  new Refusal([{ code: 'tooManyRequests', detail: `Too many requests. Try again in ${seconds} seconds.` }], {
    retryAfter: seconds,
  })
