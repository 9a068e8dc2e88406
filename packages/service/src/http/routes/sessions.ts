import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parse } from '@order-testing/contract'
import {
  CONSOLE_API,
  PasskeyAssertion,
  PasskeyRegistration,
  type Session,
  type SignInOptions,
} from '@order-testing/contract/operator'
import type { z } from 'zod'
import { Refusal, refuse } from '../../domain/refusal.ts'
import { DEMO_TENANT, demoTenant, signInDemo } from '../../operations/users/demo.ts'
import { acceptInvitation, invitationOptions, readInvitation } from '../../operations/users/invitations.ts'
import * as passkeys from '../../operations/users/passkeys.ts'
import {
  endOwnSessions,
  listSessions,
  lockSession,
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

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the person, on routes that need one. */
    session: FoundSession | null
  }
}

/** Work that is answered with JSON; undefined is answered with 204. */
type Work = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Refuses a request before its body is read. */
type Guard = (request: FastifyRequest) => void | Promise<void>

type Serve = (method: 'GET' | 'POST' | 'DELETE', path: string, work: Work) => void

/** Sign-in and sessions of people, for the console: JSON, with a cookie. */
export function addSessionRoutes(app: FastifyInstance, options: SessionRoutes): void {
  const { sessions, rateLimit, publicOrigin, oidc } = options
  const windows = new Windows()
  const limited: Guard = (request) => {
    const { count, seconds } = windows.count(request.ip)
    if (count > MOST_BY_ADDRESS) throw tooMany(seconds)
  }
  const fromConsole: Guard = (request) => requireConsole(request, publicOrigin)
  const known = async (request: FastifyRequest, session: FoundSession) => {
    request.session = session
    rateLimit.take(await sessions.callerOf(session), request)
  }
  const signedIn: Guard = async (request) => known(request, await sessions.require(request))
  const openOrLocked: Guard = async (request) => known(request, await sessions.requireAny(request))
  app.decorateRequest('session', null)
  const open = server(app, options, [limited])
  // Only pages of the console sign in, so that no other site signs a browser in as somebody else.
  const entry = server(app, options, [limited, fromConsole])
  addSignInRoutes(open, entry, options)
  addInvitationRoutes(open, entry, options)
  addLockRoutes(server(app, options, [openOrLocked]), options)
  addOwnRoutes(server(app, options, [signedIn]), options)
  if (oidc) addOidcRoutes(app, { ...options, oidc, limited })
}

/** Serves routes behind guards. */
const server =
  (app: FastifyInstance, { admission }: SessionRoutes, guards: Guard[]): Serve =>
  (method, path, work) =>
    app.route({
      method,
      url: `${CONSOLE_API}${path}`,
      onRequest: async (request) => {
        for (const guard of guards) await guard(request)
      },
      handler: async (request, reply) => {
        const party = { tenantId: request.ip, tokenId: '' }
        const run = async () => ({ body: await work(request, reply) })
        const done = await admission.run('change', party, run, awaitsAnswer(request, reply))
        if (!done || reply.sent) return reply
        if (done.body === undefined) return reply.code(204).send()
        return reply.type(JSON_TYPE).send(JSON.stringify(done.body))
      },
    })

function addSignInRoutes(open: Serve, entry: Serve, options: SessionRoutes): void {
  open('GET', '/signIn', (request) => signInOptions(request, options))
  if (!options.production)
    entry('POST', '/session/demo', async (request, reply) => {
      if (!(await hasDemo(request, options))) throw refuse('notFound', NO_DEMO)
      return begin(reply, await signInDemo(browserOf(request), options), options)
    })
  entry('POST', '/session/passkey/options', async (request) =>
    passkeys.passkeySignInOptions(partyOf(request, options), options),
  )
  entry('POST', '/session/passkey', async (request, reply) => {
    const given = { party: partyOf(request, options), browser: browserOf(request) }
    const started = await passkeys.signInWithPasskey(bodyOf(PasskeyAssertion, request), given, options)
    return begin(reply, started, options)
  })
}

/** The link of an invitation takes the place of a session. */
function addInvitationRoutes(open: Serve, entry: Serve, options: SessionRoutes): void {
  const path = '/invitations/:secret'
  const secretOf = (request: FastifyRequest) => paramOf(request, 'secret')
  open('GET', path, (request) => readInvitation(secretOf(request), options))
  entry('POST', `${path}/passkey/options`, async (request) =>
    invitationOptions(secretOf(request), partyOf(request, options), options),
  )
  entry('POST', `${path}/passkey`, async (request, reply) => {
    const response = bodyOf(PasskeyRegistration, request)
    const given = { response, party: partyOf(request, options), browser: browserOf(request) }
    return begin(reply, await acceptInvitation(secretOf(request), given, options), options)
  })
}

/** What a locked session can still do: tell whose it is, and end. Signing in is the only way to unlock it. */
function addLockRoutes(serve: Serve, options: SessionRoutes): void {
  serve('GET', '/session', async (request) => presentSession(sessionOf(request), options))
  serve('POST', '/session/lock', (request) => lockSession(sessionOf(request), options))
  serve('DELETE', '/session', (request, reply) => endAndForget(request, reply, options, sessionOf(request).id))
}

async function endAndForget(request: FastifyRequest, reply: FastifyReply, options: SessionRoutes, id?: string) {
  await endOwnSessions(sessionOf(request), id, options)
  forgetSession(reply, options)
}

/** What people see and change of their own account. */
function addOwnRoutes(serve: Serve, options: SessionRoutes): void {
  serve('GET', '/sessions', (request) => listSessions(sessionOf(request), options))
  serve('DELETE', '/sessions', (request, reply) => endAndForget(request, reply, options))
  serve('DELETE', '/sessions/:id', (request) => endOwnSessions(sessionOf(request), paramOf(request, 'id'), options))
  serve('GET', '/passkeys', (request) => passkeys.listPasskeys(sessionOf(request), options))
  serve('POST', '/passkeys/options', async (request) =>
    passkeys.ownRegistrationOptions(sessionOf(request), partyOf(request, options), options),
  )
  serve('POST', '/passkeys', async (request) => {
    const registration = { response: bodyOf(PasskeyRegistration, request), party: partyOf(request, options) }
    return passkeys.addPasskey(sessionOf(request), registration, options)
  })
  serve('DELETE', '/passkeys/:id', (request) =>
    passkeys.removePasskey(sessionOf(request), paramOf(request, 'id'), options),
  )
}

function sessionOf({ session }: FastifyRequest): FoundSession {
  if (!session) throw new Error('A route ran before its session was known.')
  return session
}

function begin(reply: FastifyReply, { secret, session }: NewSession, options: SessionRoutes): Session {
  keepSession(reply, secret, options)
  return session
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
 * One click opens a sandbox to anyone on its machine. Where others reach it, only if they could also use the public
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
