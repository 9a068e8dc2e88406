import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { pino, type Logger } from 'pino'
import { Registry } from 'prom-client'
import { redactError } from '../../http/errors.ts'
import { createHealthServer, createServer } from '../../http/server.ts'
import type { MllpOptions } from '../../intake/mllp.ts'
import { linkAudit } from '../../operations/audit/link.ts'
import { runHousekeeping } from '../../operations/housekeeping.ts'
import { plainTextSealer } from '../../operations/sealing/seal-plain-text.ts'
import type { Store } from '../../store/store.ts'
import { mode as output } from '../output/mode.ts'
import { print } from '../output/print.ts'
import { version } from '../version.ts'
import { banner, reachableHost, workerBanner } from './banner.ts'
import { changeCatalogs, readCatalogs } from './catalog-files.ts'
import { openDatabase, type Database } from './database.ts'
import { DEMO_CATALOG, demoTokens, publicTokens, readDemo, seedDemo } from './demo-catalog.ts'
import { addProcessMetrics } from './metrics.ts'
import { checkMllpTokens, readMllpTls, startMllp } from './mllp.ts'
import { announceNode } from './node.ts'
import { openPeople } from './people.ts'
import { checkPorts } from './port.ts'
import { repeat } from './repeat.ts'
import { ConfigRefusal, isPublic, refusePublicSandbox, type Config } from './settings.ts'
import { untilStopped } from './signals.ts'
import { findStartWarnings } from './start-warnings.ts'
import { startWork } from './worker.ts'

/** A stop waits this long for running requests. */
const STOP_WITHIN_MS = 10_000

const HOUSEKEEPING_MS = 1_000

/** Audit entries are linked to their chain within a second. */
const LINKING_MS = 500

/** Runs the service, or the part of it that OTS_ROLE names, until it is stopped. */
export async function serve(config: Config): Promise<void> {
  refusePublicSandbox(config)
  const logger = createLogger(config)
  const servesApi = config.role !== 'worker'
  for (const warning of findStartWarnings(config)) logger.warn(warning)
  if (servesApi) await checkPorts(config)
  const tls = servesApi ? await readMllpTls(config) : undefined
  const database = await openDatabase(config, { mayCreate: true, share: !servesApi })
  try {
    const missingKeys = await checkKeys(config, database.store, logger)
    if (servesApi) await loadCatalogs(config, database, logger)
    if (config.mode === 'production') await refusePublicSecrets(database.store)
    if (servesApi) await checkMllpTokens(config, database.store, logger)
    await run(config, { database, tls, logger, missingKeys })
  } finally {
    await database.close()
  }
}

interface Dependencies {
  database: Database
  tls: MllpOptions['tls']
  logger: Logger
  /** Keys that the process lacked at its start, and does without. */
  missingKeys: string[]
}

async function run(config: Config, { database, tls, logger, missingKeys }: Dependencies): Promise<void> {
  const { store, embedded } = database
  const servesApi = config.role !== 'worker'
  const registry = new Registry()
  addProcessMetrics(registry, { pool: database.pool, role: config.role })
  const parts: Part[] = startUpkeep(store, logger)
  const unannounced = (error: unknown) => logger.warn({ err: error }, 'Failed to announce this process to the others')
  parts.push(await announceNode(store, config.role, unannounced))
  // Listens for signals before the first request is answered.
  const stop = untilStopped(embedded?.ended)
  try {
    const app = servesApi
      ? await createApi(config, { database, logger, registry, missingKeys })
      : createHealthServer({ store, logger, registry, missingKeys })
    parts.push({ stop: () => app.close() })
    // Started first, because a process that is ready takes HL7 messages, too.
    const mllp = servesApi ? await startMllp(config, { tls, app, logger, registry }) : undefined
    if (mllp) parts.push(mllp)
    const port = await listen(app, config, logger)
    const admin =
      servesApi && config.adminPort !== undefined
        ? await startAdmin(config, { store, logger, registry, missingKeys })
        : undefined
    if (admin) parts.push(admin)
    const publicUrl = publicUrlOf(config, port, logger)
    const work = config.role === 'api' ? undefined : startWork({ ...config, publicUrl }, { store, registry, logger })
    if (work) parts.push(work)
    const { host, mode, role } = config
    logger.info({ host, port, mode, role }, port === undefined ? 'Working' : 'Listening')
    const hasBanner = mode === 'sandbox' && !output.json
    if (hasBanner)
      print(
        servesApi
          ? banner(config, { embedded, port: port!, tokens: await publicTokens(store) })
          : workerBanner(config, port),
      )
    const reason = await stop.reason
    logger.info({ reason }, 'Stopping')
    if (hasBanner) print(`\nStopping (${reason}) …`)
    // Proxies need time to notice, before connections are refused. Others can take over the background work at once.
    if (servesApi && reason === 'SIGTERM' && config.drain > 0) {
      app.drain()
      admin?.drain()
      await Promise.all([work?.stop(), stop.pause(config.drain * 1000)])
    }
  } finally {
    const timeout = new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())
    await Promise.race([Promise.all(parts.toReversed().map((part) => part.stop())), timeout])
  }
}

interface Part {
  stop(): Promise<unknown>
}

/** Serves health and metrics apart from the port that others reach. */
async function startAdmin(
  { host, adminPort }: Config,
  observing: { store: Store; logger: Logger; registry: Registry; missingKeys: string[] },
): Promise<Part & { drain(): void }> {
  const app = createHealthServer({ ...observing, observes: false })
  await app.listen({ port: adminPort!, host })
  return { drain: () => app.drain(), stop: () => app.close() }
}

function createLogger({ logLevel }: Config): Logger {
  return pino({
    level: logLevel,
    base: { service: 'ots', pid: process.pid },
    serializers: { err: (error: Error & { code: string }) => pino.stdSerializers.err(redactError(error)) },
  })
}

/** Work that every process repeats, whatever its role. */
function startUpkeep(store: Store, logger: Logger) {
  const warn = (message: string) => (error: unknown) => logger.warn({ err: error }, message)
  const sealPlainText = plainTextSealer(store)
  const seal = async () => {
    const { sealed, failed } = await sealPlainText(Date.now())
    if (sealed > 0) logger.info({ rows: sealed }, 'Sealed plain text of an earlier release')
    if (failed > 0) logger.warn({ rows: failed }, 'Plain text of an earlier release cannot be sealed: a key is missing')
  }
  return [
    repeat(() => runHousekeeping(store, new Date()), HOUSEKEEPING_MS, warn('Housekeeping failed')),
    repeat(seal, HOUSEKEEPING_MS, warn('Failed to seal plain text of an earlier release')),
    repeat(() => linkAudit(store), LINKING_MS, warn('Failed to link audit entries')),
  ]
}

async function createApi(
  config: Config,
  { database, ...observing }: { database: Database; logger: Logger; registry: Registry; missingKeys: string[] },
): Promise<FastifyInstance> {
  const people = openPeople(config, { store: database.store, logger: observing.logger })
  const app = await createServer({
    ...observing,
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
    await app.listen({ port, host })
    return (app.server.address() as AddressInfo).port
  } catch (error) {
    if (role !== 'worker') throw error
    logger.warn({ port, host, err: error }, 'Cannot listen on the port: health and metrics are not served')
    return undefined
  }
}

/** The address that notifications link to. A worker serves no pages itself and, without OTS_PUBLIC_URL, can only guess it. */
function publicUrlOf(
  { publicUrl, host, port, role, mode }: Config,
  listeningPort: number | undefined,
  logger: Logger,
): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const guess = `http://${reachableHost(host)}:${role === 'worker' ? port : listeningPort}`
  if (role === 'worker' && mode === 'sandbox')
    logger.warn(`OTS_PUBLIC_URL is not set: notifications of this worker link to ${guess}, which may serve no pages`)
  return guess
}

/** Host names that requests may use: that of OTS_PUBLIC_URL, and HOST unless it means all addresses. */
const hostsOf = ({ publicUrl, host }: Config): string[] => [
  ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
  ...(['0.0.0.0', '::'].includes(host) ? [] : [host.includes(':') ? `[${host}]` : host]),
]

/** Otherwise wrong keys would show only later, as failures of single requests. */
/** Returns the ids of keys that are missing; a sandbox does without them. */
async function checkKeys({ mode }: Config, store: Store, logger: Logger): Promise<string[]> {
  const wrong = await store.keyChecks.wrong()
  if (wrong.length > 0) {
    const named = wrong.map((id) => `"${id}"`).join(', ')
    const current = store.keyChecks.currentId()
    if (wrong.includes(current))
      throw new ConfigRefusal(
        `Key "${current}" of OTS_KEYS has another secret than the one this database was sealed with. Set the right secret, or use another id.`,
      )
    const message = `This database holds values sealed with ${wrong.length > 1 ? 'keys' : 'key'} ${named}: missing from OTS_KEYS, or set with another secret.`
    if (mode === 'production') throw new ConfigRefusal(`${message} Add what is missing after the current key.`)
    logger.warn(message)
  }
  await store.keyChecks.note()
  return wrong
}

async function loadCatalogs(config: Config, database: Database, logger: Logger): Promise<void> {
  const { catalogs, mode } = config
  const demo = catalogs.length === 0 && mode === 'sandbox' && (await database.store.catalog.isEmpty())
  const files = await readCatalogs(demo ? [fileURLToPath(DEMO_CATALOG)] : catalogs)
  for (const { tenant, changes, openBookings } of await changeCatalogs('apply', files, config, database)) {
    const counts = { changes: changes.length, ...(openBookings > 0 && { openBookings }) }
    logger.info({ tenant: tenant.id, ...counts }, 'Catalog applied')
  }
  if (demo) await seedDemo(config, database.store, logger)
}

/** The secrets of the demo catalog are public, so they must not open a production database that was once a sandbox. */
async function refusePublicSecrets(store: Store): Promise<void> {
  const usable = await publicTokens(store)
  if (usable.length === 0) return
  const commands = usable.map(({ tenantId, tokenId }) => `  ots token revoke ${tokenId} --tenant ${tenantId}`)
  throw new ConfigRefusal(
    `OTS_MODE=production: this database accepts public secrets of the demo catalog. Revoke them first:\n${commands.join('\n')}`,
  )
}
