import { randomUUID } from 'node:crypto'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { Registry } from 'prom-client'
import { isDamaged } from '../domain/access/tokens.ts'
import { refuse } from '../domain/refusal.ts'
import type { CallbackPolicy } from '../domain/webhooks/callbacks.ts'
import { DEFAULT_LIMITS, type SessionLimits } from '../domain/users/sessions.ts'
import type { ConsoleSettings } from '../operations/operation.ts'
import { PooledRandom } from '../operations/pooled-random.ts'
import type { Store } from '../store/store.ts'
import { startThreads, type ThreadDatabase } from '../threads/thread-jobs.ts'
import { createAnswerCache } from './answers.ts'
import { authentication } from './authentication.ts'
import { BODY_LIMIT, readJsonBodies } from './bodies.ts'
import { refuseBrokenRequest, takeOverFromNode } from './broken-requests.ts'
import { handleError, logIdsOf } from './errors.ts'
import { Freshness } from './freshness.ts'
import { LastUses } from './last-uses.ts'
import { Admission } from './limits/admission.ts'
import { BodyBudget } from './limits/body-budget.ts'
import { addDeadlines, ARRIVAL_MS, IDLE_MS } from './limits/deadlines.ts'
import { refuseFloods } from './limits/floods.ts'
import { Lookups } from './limits/lookups.ts'
import { addOverloadFigures } from './limits/overload.ts'
import { RateLimit } from './limits/rate-limit.ts'
import { refuseUnknownRoutes } from './methods.ts'
import { OidcClient, type OidcSettings } from './oidc.ts'
import { addConsole } from './routes/console.ts'
import { addDocs } from './routes/docs.ts'
import { addHealth, addMetrics, observe } from './routes/health.ts'
import { addMllpIntake } from './routes/hl7.ts'
import { addLiveRoute } from './routes/live.ts'
import { addMailbox } from './routes/mailbox.ts'
import { addOperatorRoutes } from './routes/operator.ts'
import { addParticipantViews } from './routes/participant-views.ts'
import { addParticipantRoutes, readableLink } from './routes/participants.ts'
import { Hl7Watch } from './routes/refused-hl7.ts'
import { RequestLog } from './request-log.ts'
import { addRoutes } from './routes/routes.ts'
import { addSessionRoutes } from './routes/sessions.ts'
import { addStartPage, type DemoTokens } from './routes/start-page.ts'
import { addStandingHeaders } from './sending.ts'
import { TokenLog } from './token-log.ts'
import { Sessions } from './sessions.ts'
import { releaseConnectionsOnStop } from './stopping.ts'

/** How long a silent connection is kept after the deadline of its request. */
const CUT_AFTER_MS = 10_000

/** Proxies are usually in one of these. */
const PRIVATE_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

export interface ServerOptions {
  store: Store
  logger: FastifyBaseLogger
  /** Requests per minute and token; 0 for no limit. */
  rateLimit: number
  /** The registry of `/metrics`. */
  registry?: Registry
  /** Which callbacks may be registered. */
  policy?: CallbackPolicy
  /** Seconds before each attempt of a delivery, if not as usual. */
  retrySchedule?: readonly number[] | undefined
  /** How threads reach the database; without it, large bodies are processed in the event loop. */
  database?: ThreadDatabase
  /** Published secrets, such as those of the demo catalog. They are refused in production. */
  publicSecrets?: readonly string[]
  /** The tokens of the demo catalog that the database accepts. They are shown in a sandbox. */
  demo?: DemoTokens
  /** Whether the documentation is served. */
  docs?: boolean
  /** The version of the service, for its start page. */
  version?: string
  /** Host names, besides loopback, under which the mailbox of a sandbox is served. */
  hosts?: readonly string[]
  /** Whether this sandbox is public: its mailbox then requires an operator token. */
  isPublic?: boolean
  now?: () => Date
  /** Requests are answered within this time, if need be with 503. */
  requestTimeoutMs?: number
  /** The proxies whose word about a client's address is taken: ranges, or names of private networks. */
  trustProxy?: string[] | undefined
  /** Whether metrics are served here. */
  metrics?: boolean | undefined
  /** Ids of keys that the process does without; it is not ready if it lacks any other. */
  missingKeys?: string[] | undefined
  /** The address of OTS_PUBLIC_URL. */
  publicUrl?: string | undefined
  /** How long sessions of people last. */
  sessionLimits?: SessionLimits
  /** The OpenID Connect provider that people can sign in with. */
  oidc?: OidcSettings | undefined
  sendInvitation?: ConsoleSettings['sendInvitation']
}

export async function createServer({
  store,
  logger,
  rateLimit: limit,
  registry = new Registry(),
  policy = { production: false, callbackAllow: [] },
  retrySchedule,
  database,
  publicSecrets = [],
  demo = {},
  docs = true,
  version = '',
  hosts = [],
  isPublic = false,
  now = () => new Date(),
  requestTimeoutMs = 10_000,
  trustProxy,
  metrics,
  missingKeys,
  publicUrl,
  sessionLimits: limits = DEFAULT_LIMITS,
  oidc,
  sendInvitation,
}: ServerOptions): Promise<FastifyInstance> {
  const app = createHealthServer({ store, logger, registry, requestTimeoutMs, trustProxy, metrics, missingKeys })
  const shown = policy.production ? {} : demo
  addDocs(app, { demo: shown, isServed: docs })
  addConsole(app)
  addStartPage(app, { version, isProduction: policy.production, demo: shown, hasDocs: docs })
  const uses = new LastUses(store, (error) => logger.warn({ err: error }, 'Failed to record last use of tokens'))
  app.addHook('onClose', () => uses.stop())
  const freshness = new Freshness(() => store.catalog.version())
  const lookups = new Lookups((hash) => store.tokens.findUsable(hash))
  const threads = startThreads(store, database)
  app.addHook('onClose', () => threads.stop())
  const isRefused = refusedSecrets(policy, publicSecrets)
  const authenticate = authentication({ lookups, freshness, uses, now, isRefused })
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  const origin = () => publicOrigin ?? (policy.production ? undefined : localOrigin(app))
  const context = {
    store,
    now,
    random: new PooledRandom(),
    policy,
    retrySchedule,
    threads,
    catalogChanged: () => freshness.forget(),
    console: { origin, sendInvitation },
    authenticate,
    admit: ({ headers }: FastifyRequest) => authenticate(headers.authorization),
    rateLimit: new RateLimit(limit),
    admission: new Admission(),
    bodies: new BodyBudget(),
    answers: createAnswerCache(),
    defaultRateLimit: limit,
  }
  const onUnrecorded = (error: unknown) => logger.warn({ err: error }, 'Failed to record the use of tokens')
  const tokenLog = new TokenLog({ ...context, onFailure: onUnrecorded })
  tokenLog.addTo(app)
  addOverloadFigures(registry, { ...context, lookups })
  if (!policy.production) {
    const onFailure = (error: unknown) => logger.warn({ err: error }, 'Failed to record requests')
    new RequestLog({ ...context, onFailure }).addTo(app)
  }
  addRoutes(app, context)
  const watch = new Hl7Watch({ ...context, log: logger, registry })
  const people = { ...context, production: policy.production, limits, publicOrigin }
  const sessions = new Sessions({ ...people, freshness })
  // Only these accept the session of a person.
  addOperatorRoutes(app, { ...context, admit: sessions.admit }, watch)
  const hasDemoToken = demo.operator !== undefined
  const provider = oidc && new OidcClient(oidc)
  addSessionRoutes(app, { ...people, sessions, origin, isPublic, hasDemoToken, oidc: provider })
  addLiveRoute(app, { store, admit: sessions.admit })
  if (!policy.production) addMailbox(app, { store, hosts, isPublic, hasDocs: docs, authenticate: context.authenticate })
  await addParticipantRoutes(app, context)
  addParticipantViews(app, context)
  addMllpIntake(app, context, { watch, log: logger, onUse: (caller) => tokenLog.noteMessage(caller) })
  return app
}

type HealthOptions = Pick<
  ServerOptions,
  'store' | 'logger' | 'requestTimeoutMs' | 'trustProxy' | 'metrics' | 'missingKeys'
> & {
  registry: Registry
  /** Whether its requests are measured. */
  observes?: boolean
}

/** A server with health checks and metrics, and the timeouts, headers and error bodies that all routes share. */
export function createHealthServer({
  store,
  logger,
  registry,
  requestTimeoutMs = 10_000,
  trustProxy = PRIVATE_NETWORKS,
  metrics = true,
  missingKeys = [],
  observes = true,
}: HealthOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: creating one per request costs more than the few lines that need its id.
    childLoggerFactory: (parent) => parent,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    bodyLimit: BODY_LIMIT,
    trustProxy: trustProxy.length > 0 && trustProxy,
    requestTimeout: ARRIVAL_MS,
    // Longer than the deadline, so that late requests are answered before the connection is closed.
    connectionTimeout: Math.max(60_000, requestTimeoutMs + CUT_AFTER_MS),
    keepAliveTimeout: IDLE_MS,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Requests are parsed with the contract's schemas. Otherwise every start would load Fastify's own compilers.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // The maximum length of a path: an unknown id is not found, however long it is.
    routerOptions: { maxParamLength: 16 * 1024 },
    rewriteUrl: ({ url = '/' }) => readableLink(url.startsWith('/') ? url : originForm(url)),
    clientErrorHandler: refuseBrokenRequest,
    // These errors occur before all hooks.
    frameworkErrors: (error, request, reply) => void handleError(error, request, addStandingHeaders(request, reply)),
  })
  app.decorateRequest('ownHeaders', null)
  app.decorateRequest('answerBody', null)
  addDeadlines(app, requestTimeoutMs)
  refuseFloods(app)
  app.addHook('onRequest', (request, _reply, done) =>
    done(isAddressed(request) ? undefined : refuse('badRequest', 'HTTP/1.1 requests require a Host header.')),
  )
  app.addHook('onSend', (request, reply, payload, done) => {
    void addStandingHeaders(request, reply)
    done(null, payload)
  })
  if (logger.level === 'debug' || logger.level === 'trace') app.addHook('onResponse', logAnswer)
  const isStopping = releaseConnectionsOnStop(app)
  takeOverFromNode(app.server)
  app.setErrorHandler(handleError)
  readJsonBodies(app)
  refuseUnknownRoutes(app)
  addHealth(app, { store, isStopping, missingKeys })
  if (metrics) addMetrics(app, registry)
  if (observes) observe(app, registry)
  return app
}

function noSchemas(): never {
  throw new Error('Routes have no Fastify schemas.')
}

/** Passkeys need a name, so a sandbox without a public address is reached as localhost. */
function localOrigin({ server }: FastifyInstance): string | undefined {
  const address = server.address()
  return typeof address === 'object' && address ? `http://localhost:${address.port}` : undefined
}

/** Production refuses damaged and published secrets; a sandbox accepts any secret of its catalog files. */
function refusedSecrets({ production }: CallbackPolicy, publicSecrets: readonly string[]) {
  const known = new Set(publicSecrets)
  return (secret: string) => production && (isDamaged(secret) || known.has(secret))
}

/** Checked here because Node would refuse without the error body. */
const isAddressed = ({ headers, raw }: FastifyRequest) => headers.host !== undefined || raw.httpVersion !== '1.1'

/** The path of a request in absolute form, as sent to proxies. */
const originForm = (url: string) => url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')

/** Only at debug level: a log line costs more than many requests. */
async function logAnswer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { method, routeOptions, caller } = request
  const ms = Math.round(reply.elapsedTime)
  request.log.debug(
    { ...logIdsOf(request), method, route: routeOptions.url, status: reply.statusCode, ms, token: caller?.tokenId },
    'Answered',
  )
}

/** Clients may send their own id, to find the request in our logs. */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID()
}
