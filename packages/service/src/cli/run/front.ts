import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { createHealthServer } from '../../http/health-server.ts'
import type { MllpOptions } from '../../intake/mllp.ts'
import { version } from '../version.ts'
import type { Database } from './database.ts'
import { demoTokens, readDemo } from './demo-catalog.ts'
import { startMllp } from './mllp.ts'
import { addressOf, listenOrRefuse } from './port.ts'
import { joinProcesses, startProcesses, type Exposed } from './processes.ts'
import { isPublic, type Config } from './settings.ts'

/** How a process is one of several: as the first, which starts the others, or as one that it started. */
export interface Sharing {
  processes: number
  isOneOfSeveral: boolean
}

export interface Observed {
  database: Database
  logger: Logger
  registry: Registry
  /** Keys that the process lacked at its start, and does without. */
  missingKeys: string[]
  tls: MllpOptions['tls']
}

/** What answers requests. */
export interface Front {
  /** A worker may have none. */
  port: number | undefined
  /** Answers that it is stopping, and goes on serving for this long. */
  drain(ms: number): void
  stop(): Promise<unknown>
}

/** Starts what the role serves: the API, in this process or in several, or the health of a worker. */
export function startFront(config: Config, observed: Observed, sharing: Sharing): Promise<Front> {
  if (config.role === 'worker') return startHealth(config, observed)
  if (sharing.isOneOfSeveral) return startOneOfSeveral(config, observed)
  return sharing.processes > 1 ? startSeveral(config, observed, sharing.processes) : startApi(config, observed)
}

async function startApi(config: Config, observed: Observed): Promise<Front> {
  return withAdmin(await serveApi(config, observed), config, observed, observed.registry)
}

/** Health and metrics of several processes are served by the first one. */
async function startSeveral(config: Config, observed: Observed, count: number): Promise<Front> {
  const several = await startProcesses(count, observed)
  return withAdmin(several, config, observed, several.metrics)
}

async function startOneOfSeveral(config: Config, observed: Observed): Promise<Front> {
  const joined = joinProcesses(observed)
  const front = await serveApi(config, observed, joined.metrics)
  joined.serving(front.port!)
  return front
}

async function startHealth(config: Config, { database: { store }, ...observed }: Observed): Promise<Front> {
  const app = createHealthServer({ ...observed, store })
  return frontOf(app, await listen(app, config, observed.logger), [])
}

const frontOf = (app: FastifyInstance, port: number | undefined, others: readonly { stop(): Promise<unknown> }[]) => ({
  port,
  drain: (ms: number) => app.drain(ms),
  stop: () => Promise.all([app.closePort().then(() => app.close()), ...others.map((other) => other.stop())]),
})

/** `exposed` are the metrics served beside the API, if not those of this process. */
async function serveApi(config: Config, observed: Observed, exposed?: Exposed): Promise<Front> {
  const app = await createApi(config, observed, exposed)
  // Started first, because a process that is ready takes HL7 messages, too.
  const mllp = await startMllp(config, { ...observed, app })
  return frontOf(app, await listen(app, config, observed.logger), mllp ? [mllp] : [])
}

/** Adds health and metrics apart from the port that others reach. */
async function withAdmin(
  front: Front,
  { host, adminPort }: Config,
  { database: { store }, ...observed }: Observed,
  exposed: Exposed,
): Promise<Front> {
  if (adminPort === undefined) return front
  const app = createHealthServer({ ...observed, store, exposed, observes: false })
  const address = await addressOf(host)
  await listenOrRefuse({ port: adminPort, host, prefix: 'OTS_ADMIN_' }, () =>
    app.listen({ port: adminPort, host: address }),
  )
  return {
    port: front.port,
    drain(ms) {
      front.drain(ms)
      app.drain(ms)
    },
    stop: () => Promise.all([front.stop(), app.close()]),
  }
}

async function createApi(
  config: Config,
  { database, tls: _, ...observing }: Observed,
  exposed: Exposed | undefined,
): Promise<FastifyInstance> {
  // A worker does without all of this, which is most of the code.
  const { createServer } = await import('../../http/server.ts')
  const { openPeople } = await import('./people.ts')
  const people = openPeople(config, { store: database.store, logger: observing.logger })
  const app = await createServer({
    ...observing,
    exposed,
    ...people.options,
    store: database.store,
    rateLimit: config.rateLimit,
    requestTimeoutMs: config.requestTimeout * 1000,
    database: database.forThreads,
    policy: { production: config.mode === 'production', callbackAllow: config.callbackAllow },
    retrySchedule: config.retrySchedule,
    demo: await demoTokens(database.store),
    docs: config.docs,
    version,
    publicSecrets: (await readDemo()).tokens.map(({ secret }) => secret),
    hosts: hostsOf(config),
    isPublic: isPublic(config),
    trustProxy: config.trustProxy,
    metrics: config.adminPort === undefined,
  })
  app.addHook('onClose', async () => people.close())
  return app
}

/** Returns the port. A worker runs without one if it cannot listen: only its health and metrics are not served. */
async function listen(
  app: FastifyInstance,
  { port: publicPort, adminPort, host, role }: Config,
  logger: Logger,
): Promise<number | undefined> {
  const port = role === 'worker' ? (adminPort ?? publicPort) : publicPort
  try {
    const address = await addressOf(host)
    await listenOrRefuse({ port, host, prefix: '' }, () => app.listen({ port, host: address }))
    return (app.server.address() as AddressInfo).port
  } catch (error) {
    if (role !== 'worker') throw error
    logger.warn({ port, host, err: error }, 'Cannot listen on the port: health and metrics are not served')
    return undefined
  }
}

/** Host names that requests may use: that of OTS_PUBLIC_URL, and HOST unless it means all addresses. */
const hostsOf = ({ publicUrl, host }: Config): string[] => [
  ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
  ...(['0.0.0.0', '::'].includes(host) ? [] : [host.includes(':') ? `[${host}]` : host]),
]
