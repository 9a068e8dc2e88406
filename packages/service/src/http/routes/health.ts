import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import type { Store } from '../../store/store.ts'
import { Durations } from '../durations.ts'
import { sendError } from '../errors.ts'

/** Load balancers time out quickly as well. */
const READY_WITHIN_MS = 2_000

/** How long a refused write counts. Every process announces itself more often than this, so a full disk is noticed without requests. */
const REFUSED_WITHIN_MS = 5_000

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

  const explain = async (): Promise<NotReady | undefined> => {
    if (isStopping()) return { detail: 'The service is stopping.' }
    try {
      const wrong = await Promise.race([store.keyChecks.wrong(), tooLate()])
      // Another process seals with a key that this one cannot open values with.
      const lacking = wrong.filter((id) => !missingKeys.includes(id))
      const named = lacking.map((id) => `"${id}"`).join(', ')
      if (lacking.length > 0)
        return { detail: `This process lacks the ${lacking.length === 1 ? 'key' : 'keys'} ${named}.` }
      if (store.hasRefusedWrite(REFUSED_WITHIN_MS)) return { detail: 'The database does not accept changes.' }
      return undefined
    } catch (error) {
      return { detail: 'The database does not answer.', error }
    }
  }
  let logged: string | undefined
  app.get('/readyz', async ({ log, id: reqId }, reply) => {
    const found = await explain()
    // Probes ask every few seconds: only a change is logged.
    if (found && found.detail !== logged && !isStopping()) log.warn({ reqId, err: found.error }, found.detail)
    if (!found && logged !== undefined) log.info({ reqId }, 'Ready again')
    logged = found?.detail
    if (!found) return { status: 'ready' }
    return sendError(reply.header('retry-after', 1), 503, [{ code: 'internalError', detail: found.detail }])
  })
}

interface NotReady {
  detail: string
  error?: unknown
}

export function addMetrics(app: FastifyInstance, exposed: Pick<Registry, 'contentType' | 'metrics'>): void {
  app.get('/metrics', async (_request, reply) => {
    await app.observed()
    return reply.type(exposed.contentType).send(await exposed.metrics())
  })
}

/** Gauges of the library that are named like counters; the same figures come without `_total` by kind. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Measures the process and the requests of a server. */
export function observe(app: FastifyInstance, registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const durations = new Durations()
  durations.addTo(registry)
  app.observers.push(durations.observe)
}
