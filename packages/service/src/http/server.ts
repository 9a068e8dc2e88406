import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Registry } from 'prom-client'
import { isDamaged } from '../domain/access/tokens.ts'
import type { CallbackPolicy } from '../domain/webhooks/callbacks.ts'
import { DEFAULT_LIMITS, type SessionLimits } from '../domain/users/sessions.ts'
import type { ConsoleSettings } from '../operations/operation.ts'
import { PooledRandom } from '../operations/pooled-random.ts'
import { startThreads, type ThreadDatabase } from '../threads/thread-jobs.ts'
import { AnswerCache } from './answer-cache.ts'
import { answerDirectly, type DirectRoute } from './direct.ts'
import { authentication } from './authentication.ts'
import { Freshness } from './freshness.ts'
import { createHealthServer, type HealthOptions } from './health-server.ts'
import { LastUses } from './last-uses.ts'
import { Admission } from './limits/admission.ts'
import { BodyBudget } from './limits/body-budget.ts'
import { Lookups } from './limits/lookups.ts'
import { addOverloadFigures } from './limits/overload.ts'
import { RateLimit } from './limits/rate-limit.ts'
import type { OidcSettings } from './oidc.ts'
import { addConsole } from './routes/console.ts'
import { addDocs } from './routes/docs.ts'
import { addMllpIntake } from './routes/hl7.ts'
import { addLiveRoute } from './routes/live.ts'
import { addMailbox } from './routes/mailbox.ts'
import { addOperatorRoutes } from './routes/operator.ts'
import { addParticipantViews } from './routes/participant-views.ts'
import { addParticipantRoutes } from './routes/participants.ts'
import { Hl7Watch } from './routes/refused-hl7.ts'
import { RequestLog } from './request-log.ts'
import { addRoutes } from './routes/routes.ts'
import { addSessionRoutes } from './routes/sessions.ts'
import { addStartPage, type DemoTokens } from './routes/start-page.ts'
import { TokenLog } from './token-log.ts'
import { Sessions } from './sessions.ts'

export interface ServerOptions extends Omit<HealthOptions, 'registry' | 'observes'> {
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
  exposed,
  missingKeys,
  publicUrl,
  sessionLimits: limits = DEFAULT_LIMITS,
  oidc,
  sendInvitation,
}: ServerOptions): Promise<FastifyInstance> {
  const app = createHealthServer({
    store,
    logger,
    registry,
    requestTimeoutMs,
    trustProxy,
    metrics,
    exposed,
    missingKeys,
  })
  const shown = policy.production ? {} : demo
  addDocs(app, { demo: shown, isServed: docs })
  addConsole(app)
  addStartPage(app, { version, isProduction: policy.production, demo: shown, hasDocs: docs })
  const uses = new LastUses(store, now, (error) => logger.warn({ err: error }, 'Failed to record last use of tokens'))
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
    answers: new AnswerCache(),
    direct: [] as DirectRoute[],
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
  answerDirectly(app, { ...context, requestTimeoutMs })
  const watch = new Hl7Watch({ ...context, log: logger, registry })
  const people = { ...context, production: policy.production, limits, publicOrigin }
  const sessions = new Sessions({ ...people, freshness })
  // Only these accept the session of a person.
  addOperatorRoutes(app, { ...context, admit: sessions.admit }, watch)
  const hasDemoToken = demo.operator !== undefined
  // Loads a library, which most services do without.
  const provider = oidc && new (await import('./oidc.ts')).OidcClient(oidc)
  addSessionRoutes(app, { ...people, sessions, origin, isPublic, hasDemoToken, oidc: provider })
  addLiveRoute(app, { store, admit: sessions.admit })
  if (!policy.production) addMailbox(app, { store, hosts, isPublic, hasDocs: docs, authenticate: context.authenticate })
  await addParticipantRoutes(app, context)
  addParticipantViews(app, context, (request) => sessions.findOpen(request))
  addMllpIntake(app, context, { watch, log: logger, onUse: (caller) => tokenLog.noteMessage(caller) })
  return app
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
