import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  endpoints,
  mayBeReplicated,
  scopesOf,
  WRITE_POSITION,
  type Endpoint,
  type Input,
} from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import { routeScopes } from '../../domain/access/token-use.ts'
import { checkCursor } from '../../domain/cursors.ts'
import { Refusal } from '../../domain/refusal.ts'
import { readTrace } from '../../domain/traces.ts'
import { checkCallback } from '../../domain/webhooks/callbacks.ts'
import { listAgencies, readAgency, readJobCategory } from '../../operations/catalog/agencies.ts'
import { checkSearch, searchClinics } from '../../operations/catalog/clinics.ts'
import * as reads from '../../operations/catalog/reads.ts'
import type { Context, Operation, RawOperation } from '../../operations/operation.ts'
import { readToken } from '../../operations/access/token.ts'
import { listEvents, listOrderEvents, resendEvent } from '../../operations/orders/events.ts'
import { createOrder, createOrderV1 } from '../../operations/orders/create.ts'
import { cancelOrder, checkSync, listOrders, readOrder } from '../../operations/orders/orders.ts'
import { troubleWebhook } from '../../operations/sandbox/trouble.ts'
import { validateOrder } from '../../operations/orders/validate.ts'
import { advanceClock } from '../../operations/sandbox/clock.ts'
import { listRequests } from '../../operations/sandbox/requests.ts'
import { simulateOrder } from '../../operations/sandbox/simulate.ts'
import {
  endOrderCallback,
  listOrderCallbacks,
  putOrderCallback,
  readOrderCallback,
} from '../../operations/webhooks/callbacks.ts'
import { MOST_IN_LOOP, type ThreadAnswer, type Threads } from '../../threads/thread-jobs.ts'
import type { AnswerCache } from '../answer-cache.ts'
import { createUrlMemory, type DirectRoute } from '../direct.ts'
import { handoverOf } from '../handover.ts'
import { ForeignBody } from '../bodies.ts'
import type { BodyBudget } from '../limits/body-budget.ts'
import { takeOwnTurn } from '../limits/own-turns.ts'
import type { Authenticate } from '../authentication.ts'
import { awaitsAnswer, type Admission, type Kind } from '../limits/admission.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { Store } from '../../store/store.ts'
import { requireScope } from '../scopes.ts'
import { sendableOf, sendAnswer } from '../sending.ts'
import { readInput, type Reading } from './input.ts'

type Replicated = NonNullable<Store['replicated']>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
  interface FastifyContextConfig {
    /** Media types that the route accepts, if not only JSON. */
    bodyTypes?: readonly string[]
  }
}

export interface RouteContext extends Omit<Context, 'caller'> {
  authenticate: Authenticate
  /** Finds the caller of a request: by its token, on operator routes also by the session of a person. */
  admit: (request: FastifyRequest) => Caller | Promise<Caller>
  rateLimit: RateLimit
  admission: Admission
  bodies: BodyBudget
  answers: AnswerCache
  /** The routes that can do without the framework. */
  direct: DirectRoute[]
  threads: Threads
}

export function addRoutes(app: FastifyInstance, context: RouteContext): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('heldBody', null)
  const serve = router(app, context)
  const { production } = context.policy
  serveAll(
    (endpoint, ...rest) => (production && endpoint.isSandboxOnly ? undefined : serve(endpoint, ...rest)),
    endpoints,
    ROUTES,
  )
}

export const CREATE: Options = { kind: 'create', readsBody: true }
export const LIST: Options = { kind: 'list' }
const CACHED: Options = { isCached: true }

/** The id of an order in a URL without anything else. */
function readOrderId(url: string): object | undefined {
  const [, id] = /^\/api\/v2\/orders\/(ord_[0-9a-z]{26})$/.exec(url) ?? []
  return id === undefined ? undefined : { params: { id } }
}

const ROUTES: Routes<typeof endpoints> = {
  createOrder: [createOrder, CREATE],
  createOrderV1: [createOrderV1, CREATE],
  listOrders: [listOrders, { kind: 'sharedList', isDirect: true, check: ({ query }) => checkSync(query) }],
  readOrder: [readOrder, { isDirect: true, inputOf: readOrderId }],
  cancelOrder: [cancelOrder],
  listOrderEvents: [listOrderEvents],
  validateOrder: [validateOrder, CREATE],
  listOrderCallbacks: [listOrderCallbacks],
  readOrderCallback: [readOrderCallback],
  putOrderCallback: [putOrderCallback, { check: ({ body }, { policy }) => checkCallback(body, policy, []) }],
  endOrderCallback: [endOrderCallback],
  listEvents: [listEvents, { ...LIST, check: ({ query: { cursor = '' } }) => checkCursor('events', cursor) }],
  resendEvent: [resendEvent],
  readToken: [readToken],
  listAgencies: [listAgencies, CACHED],
  readAgency: [readAgency, CACHED],
  readJobCategory: [readJobCategory, CACHED],
  listClinics: [reads.listClinics, CACHED],
  readClinic: [reads.readClinic, CACHED],
  searchClinics: [searchClinics, { ...LIST, check: checkSearch }],
  listCompanies: [reads.listCompanies, CACHED],
  readCompany: [reads.readCompany, CACHED],
  listLocations: [reads.listLocations, CACHED],
  readLocation: [reads.readLocation, CACHED],
  listPackages: [reads.listPackages, CACHED],
  readPackage: [reads.readPackage, CACHED],
  listServices: [reads.listServices, CACHED],
  readService: [reads.readService, CACHED],
  simulateOrder: [simulateOrder],
  advanceClock: [advanceClock],
  troubleWebhook: [troubleWebhook],
  listRequests: [listRequests],
}

/** The operation and options of every endpoint, by name. */
export type Routes<Endpoints> = {
  [Name in keyof Endpoints]: Endpoints[Name] extends Endpoint
    ? [
        operation: Operation<Endpoints[Name]> | RawOperation<Endpoints[Name]>,
        options?: Options & Reading<Endpoints[Name]>,
      ]
    : never
}

export function serveAll<Name extends string>(
  serve: ReturnType<typeof router>,
  all: Record<NoInfer<Name>, Endpoint>,
  routes: Record<Name, [operation: unknown, options?: Options]>,
): void {
  for (const [name, [operation, options]] of Object.entries(routes) as [Name, (typeof routes)[Name]][])
    serve(all[name], operation as Operation<Endpoint>, options)
}

export interface Options extends Pick<Reading<Endpoint>, 'readsBody'> {
  /** Which limit applies. Default: `read` or `change`, by method. */
  kind?: Kind
  /** How long it may take, if longer than usual. */
  takesUpToMs?: number
  /** Whether answers are cached until the catalog changes. */
  isCached?: boolean
  /** Whether it is asked often enough to do without the framework. It must depend on the URL, the headers of its endpoint and the caller alone. */
  isDirect?: boolean
  /** Reads such a URL; otherwise only those that the framework has read before are known. */
  inputOf?: (url: string) => object | undefined
  /** Limit of the body in bytes, if larger than usual. */
  bodyLimit?: number
  /** Handles unparsed bodies of these types. */
  foreign?: {
    types: readonly string[]
    answer: (body: ForeignBody, context: Context, address: string) => Promise<ThreadAnswer>
  }
}

type Parsed<E extends Endpoint> = Input<E> & Parameters<RawOperation<E>>[0]

/**
 * Checks token, scope and rate limit and then parses the request, in this order, for every endpoint. Ordinary requests of direct
 * routes are answered before they come here (`direct.ts`).
 */
export const router =
  (app: FastifyInstance, context: RouteContext) =>
  <E extends Endpoint>(
    endpoint: E,
    operation: Operation<E> | RawOperation<E>,
    options: Options & Reading<E> = {},
  ): void => {
    const { rateLimit, admission, bodies, answers } = context
    const { isCached = false, bodyLimit, foreign, takesUpToMs } = options
    const { method, path } = endpoint
    const kind = options.kind ?? (method === 'GET' ? 'read' : 'change')
    const scopes = scopesOf(endpoint)
    // The interface requires 403 when creating orders and 401 everywhere else.
    const scopeStatus = endpoint.refusals?.includes(403) ? 403 : 401
    const isTagged = method === 'GET' && isSingleRead(path)
    const isReplicated = mayBeReplicated(endpoint)
    const { replicated } = context.store
    const positionAfter = method !== 'GET' && replicated ? () => writePosition(replicated) : undefined
    // Requests of a caller share a context: copying its twenty members for each of them is slow.
    const contexts = new WeakMap<Caller, Context>()
    const usualContext = (caller: Caller): Context => {
      let known = contexts.get(caller)
      if (!known) contexts.set(caller, (known = { ...context, caller }))
      return known
    }
    const deprecation = endpoint.deprecation ? deprecationHeaders(endpoint.deprecation) : null
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = callerOf(request)
      const trace = readTrace(request.headers['traceparent'])
      if (foreign && request.body instanceof ForeignBody) {
        const { faults } = readInput(endpoint, request, { readsBody: true }, context)
        if (faults.length > 0) throw new Refusal(faults)
        const taken = await foreign.answer(request.body, { ...context, caller, trace }, request.ip)
        return sendAnswer(request, reply, { ...taken, headers: await positionAfter?.() })
      }
      if (request.hasLargeBody) await takeOwnTurn()
      const input = readInput(endpoint, request, options, context) as Parsed<E>
      const store = isReplicated && replicated ? await storeFor(request, replicated, context.store) : context.store
      const isUsual = store === context.store && trace === undefined
      const given = await operation(input, isUsual ? usualContext(caller) : { ...context, store, caller, trace })
      const sendable = sendableOf(given)
      const { bytes } = sendable
      inputs?.set(request.url, { params: input.params, query: input.query })
      if (isCached) answers.keep(caller, request.url, { bytes, isTagged, routeOptions: routeOf(request) })
      const headers = positionAfter ? { ...sendable.headers, ...(await positionAfter()) } : sendable.headers
      await sendAnswer(request, reply, { ...sendable, headers, isTagged })
    }
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    const config = {
      scopes: routeScopes(path, scopes),
      route: path,
      ...(foreign && { bodyTypes: ['application/json', ...foreign.types] }),
      ...(takesUpToMs !== undefined && { takesUpToMs }),
    }
    // Which replica answers depends on more than the URL.
    const isDirect = options.isDirect === true && !(isReplicated && replicated)
    const inputs = isDirect && !options.inputOf ? createUrlMemory() : undefined
    if (isDirect)
      context.direct.push({
        kind,
        scopes,
        headers: Object.keys(endpoint.headers?.shape ?? {}).map((name) => name.toLowerCase()),
        isTagged,
        routeOptions: { url, config: { ...config, url, method } },
        inputOf: options.inputOf ?? ((asked) => inputs?.get(asked)),
        answer: (input, caller) => operation(input as Parsed<E>, usualContext(caller)),
      })
    app.route({
      method,
      url,
      ...(bodyLimit !== undefined && { bodyLimit }),
      config,
      onRequest: (request, reply, done) => {
        const before = handoverOf(request.raw)
        if (before) {
          request.caller = before.caller
          request.ownHeaders = before.ownHeaders
          throw before.error
        }
        if (deprecation) request.ownHeaders = deprecation
        const enter = (caller: Caller) => {
          request.caller = caller
          requireScope(caller, scopes, scopeStatus)
          rateLimit.take(caller, request)
          admission.check(kind, caller)
          if (bodyLimit !== undefined) bodies.holdFor(request, reply, { caller, limit: bodyLimit })
        }
        const found = context.admit(request)
        // An asynchronous hook costs a turn of the event loop, so only requests that must wait do.
        if (found instanceof Promise) return found.then(enter)
        enter(found)
        return done()
      },
      handler: (request, reply) => {
        const known = isCached ? answers.find(callerOf(request), request.url) : undefined
        if (known) return sendAnswer(request, reply, { status: 200, bytes: known.bytes, isTagged, isKept: true })
        const { heldBody } = request
        heldBody?.shrinkTo(sizeOf(request.body))
        const run = heldBody ? () => heldBody.during(() => answer(request, reply)) : () => answer(request, reply)
        return admission.run(kind, callerOf(request), run, awaitsAnswer(request, reply))
      },
    })
  }

/**
 * Tokens read lists from the replica. People read little, and see what they have just done or were told of: their lists come
 * from the primary.
 */
async function storeFor(request: FastifyRequest, replicated: Replicated, primary: Store): Promise<Store> {
  if (callerOf(request).user) return primary
  return replicated.forList(request.headers[WRITE_POSITION.toLowerCase()] as string | undefined)
}

/** The write has happened: without its position, the response only lacks the header. */
const writePosition = async (replicated: Replicated) =>
  replicated.writePosition().then(
    (position) => ({ [WRITE_POSITION.toLowerCase()]: position }),
    () => undefined,
  )

const routeOf = ({ routeOptions: { url, config } }: FastifyRequest) => ({ url, config })

/** Reads of one resource have an `ETag`; lists do not. */
const isSingleRead = (path: string) => path.endsWith('}') || path.endsWith('/token')

/** RFC 9745. */
const deprecationHeaders = ({ at, guide }: NonNullable<Endpoint['deprecation']>) => [
  'deprecation',
  `@${Date.parse(at) / 1000}`,
  'link',
  `<${guide}>; rel="deprecation"; type="text/html"`,
]

/** The size of a body in bytes; bodies parsed in the event loop are small. */
const sizeOf = (body: unknown) =>
  body instanceof ForeignBody ? body.bytes.length : Buffer.isBuffer(body) ? body.length : MOST_IN_LOOP

function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('A route ran before its caller was known.')
  return request.caller
}
