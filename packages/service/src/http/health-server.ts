import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { refuse } from '../domain/refusal.ts'
import type { Store } from '../store/store.ts'
import { BODY_LIMIT, readJsonBodies } from './bodies.ts'
import { refuseBrokenRequest, takeOverFromNode } from './broken-requests.ts'
import { lingerOnClose } from './connections.ts'
import { handleError, logIdsOf } from './errors.ts'
import { addDeadlines, ARRIVAL_MS, IDLE_MS } from './limits/deadlines.ts'
import { answerInTurn } from './limits/turns.ts'
import { refuseUnknownRoutes } from './methods.ts'
import { addHealth, addMetrics, observe } from './routes/health.ts'
import { addObservers, type Observer } from './observers.ts'
import { isAddressed } from './request-host.ts'
import { requestIdOf } from './request-id.ts'
import { addStandingHeaders, packText } from './sending.ts'
import { releaseConnectionsOnStop } from './stopping.ts'

/** How long a silent connection is kept after the deadline of its request. */
const CUT_AFTER_MS = 10_000

/** Proxies are usually in one of these. */
const PRIVATE_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

export interface HealthOptions {
  store: Store
  logger: FastifyBaseLogger
  /** The registry of `/metrics`. */
  registry: Registry
  /** Requests are answered within this time, if need be with 503. */
  requestTimeoutMs?: number
  /** The proxies whose word about a client's address is taken: ranges, or names of private networks. */
  trustProxy?: string[] | undefined
  /** Whether metrics are served here. */
  metrics?: boolean | undefined
  /** The metrics that are served, if not those of the registry. */
  exposed?: Pick<Registry, 'contentType' | 'metrics'> | undefined
  /** Ids of keys that the process does without; it is not ready if it lacks any other. */
  missingKeys?: string[] | undefined
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
  exposed = registry,
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
  app.decorateRequest('problems', null)
  addObservers(app)
  addDeadlines(app, requestTimeoutMs)
  app.addHook('onRequest', (request, _reply, done) =>
    done(isAddressed(request.raw) ? undefined : refuse('badRequest', 'HTTP/1.1 requests require one Host header.')),
  )
  app.addHook('onSend', (request, reply, payload) => packText(request, addStandingHeaders(request, reply), payload))
  if (logger.level === 'debug' || logger.level === 'trace') app.observers.push(answerLog(logger))
  releaseConnectionsOnStop(app)
  takeOverFromNode(app.server)
  lingerOnClose(app.server)
  app.addHook('onReady', async () => answerInTurn(app.server))
  app.setErrorHandler(handleError)
  readJsonBodies(app)
  refuseUnknownRoutes(app)
  addHealth(app, { store, isStopping: app.isStopping, missingKeys })
  if (metrics) addMetrics(app, exposed)
  if (observes) observe(app, registry)
  return app
}

function noSchemas(): never {
  throw new Error('Routes have no Fastify schemas.')
}

/** The path of a request in absolute form, as sent to proxies. */
const originForm = (url: string) => url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')

/** Only at debug level: a log line costs more than many requests. */
const answerLog =
  (logger: FastifyBaseLogger): Observer =>
  (request, { status, ms }) => {
    const { method, routeOptions, caller } = request
    logger.debug(
      {
        ...logIdsOf(request),
        method,
        route: routeOptions.url,
        status,
        ms: Math.round(ms),
        token: caller?.tokenId,
      },
      'Answered',
    )
  }

/** Escapes a link that is not valid percent-encoding, so that it is looked up and answered like any other. */
function readableLink(url: string): string {
  if (!url.startsWith('/o/')) return url
  const [path = ''] = url.split('?', 1)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}
