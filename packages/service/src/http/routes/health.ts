import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, type Registry } from 'prom-client'
import type { Store } from '../../store/store.ts'
import { sendError } from '../errors.ts'

/** Load balancers time out quickly as well. */
const READY_WITHIN_MS = 2_000

async function tooLate(): Promise<never> {
  await sleep(READY_WITHIN_MS, undefined, { ref: false })
  throw new Error(`No answer within ${READY_WITHIN_MS} ms.`)
}

/** Adds liveness and readiness. */
export function addHealth(
  app: FastifyInstance,
  { store, isStopping, missingKeys }: { store: Store; isStopping: () => boolean; missingKeys: string[] },
): void {
  app.get('/healthz', () => ({ status: 'ok' }))

  app.get('/readyz', async (request, reply) => {
    const notReady = (detail: string) =>
      sendError(reply.header('retry-after', 1), 503, [{ code: 'internalError', detail }])
    if (isStopping()) return notReady('The service is stopping.')
    try {
      const wrong = await Promise.race([store.keyChecks.wrong(), tooLate()])
      // Another process seals with a key that this one cannot open values with.
      const lacking = wrong.filter((id) => !missingKeys.includes(id))
      if (lacking.length === 0) return { status: 'ready' }
      const detail = `This process lacks the ${lacking.length === 1 ? 'key' : 'keys'} ${lacking.map((id) => `"${id}"`).join(', ')}.`
      request.log.error({ reqId: request.id }, detail)
      return notReady(detail)
    } catch (error) {
      request.log.warn({ reqId: request.id, err: error }, 'Database does not answer')
      return notReady('The database does not answer.')
    }
  })
}

export function addMetrics(app: FastifyInstance, registry: Registry): void {
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
}

/** Gauges of the library that are named like counters; the same figures come without `_total` by kind. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Measures the process and the requests of a server. */
export function observe(app: FastifyInstance, registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const durations = new Histogram({
    name: 'ots_http_request_duration_seconds',
    help: 'Duration of requests, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  // Cached, because looking up a series by its labels takes longer than observing a value.
  const series = new Map<string, { observe(seconds: number): void }>()
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    const route = routeOptions.url ?? 'unknown'
    const key = `${method} ${route} ${reply.statusCode}`
    const known = series.get(key) ?? durations.labels({ method, route, status: reply.statusCode })
    series.set(key, known)
    known.observe(reply.elapsedTime / 1000)
    done()
  })
}
