import { fileURLToPath } from 'node:url'
import { pino, type Logger } from 'pino'
import { Registry } from 'prom-client'
import { redactError } from '../../http/errors.ts'
import { linkAudit } from '../../operations/audit/link.ts'
import { runHousekeeping } from '../../operations/housekeeping.ts'
import { plainTextSealer } from '../../operations/sealing/seal-plain-text.ts'
import type { Store } from '../../store/store.ts'
import { mode as output } from '../output/mode.ts'
import { print } from '../output/print.ts'
import { banner, reachableHost, workerBanner } from './banner.ts'
import { changeCatalogs, digestOf, readCatalogs } from './catalog-files.ts'
import { checkKeys } from './check-keys.ts'
import { openDatabase, type Database } from './database.ts'
import { DEMO_CATALOG, publicTokens, seedDemo } from './demo-catalog.ts'
import { startFront, type Observed, type Sharing } from './front.ts'
import { CHECK_MS, type Replica } from '../../store/db/replica.ts'
import { keepHeapSmall, settleHeap } from './memory.ts'
import { addProcessMetrics, addReplicaMetrics } from './metrics.ts'
import { checkMllpTokens, readMllpTls } from './mllp.ts'
import { announceNode } from './node.ts'
import { checkPorts } from './port.ts'
import { logChanges, repeat } from './repeat.ts'
import { ConfigRefusal, refusePublicSandbox, type Config } from './settings.ts'
import { untilStopped } from './signals.ts'
import { findStartWarnings } from './start-warnings.ts'

/** A stop waits this long for running requests. */
const STOP_WITHIN_MS = 10_000

const HOUSEKEEPING_MS = 1_000
const MONTHS_MS = 3_600_000

/** Audit entries are linked to their chain within a second. */
const LINKING_MS = 500

/** Runs the service, or the part of it that OTS_ROLE names, until it is stopped. */
export async function serve(config: Config, sharing: Sharing): Promise<void> {
  keepHeapSmall()
  refusePublicSandbox(config)
  const logger = createLogger(config)
  const servesApi = config.role !== 'worker'
  // What concerns the whole service is done by the first of several processes.
  const isFirst = !sharing.isOneOfSeveral
  if (isFirst) for (const warning of findStartWarnings(config)) logger.warn(warning)
  if (servesApi && isFirst) await checkPorts(config)
  const tls = servesApi ? await readMllpTls(config) : undefined
  const database = await openDatabase(config, { mayCreate: isFirst, share: !servesApi || !isFirst })
  try {
    const missingKeys = await checkKeys(config, database.store, logger)
    if (servesApi && isFirst) await loadCatalogs(config, database, logger)
    if (config.mode === 'production') await refusePublicSecrets(database.store)
    if (servesApi && isFirst) await checkMllpTokens(config, database.store, logger)
    await run(config, { database, tls, logger, missingKeys }, sharing)
  } finally {
    await database.close()
  }
}

async function run(config: Config, started: Omit<Observed, 'registry'>, sharing: Sharing): Promise<void> {
  const { database, logger } = started
  const { store, embedded } = database
  const { host, mode, role } = config
  const registry = new Registry()
  addProcessMetrics(registry, { pool: database.pool, role })
  const parts: Part[] = startUpkeep(store, logger)
  if (database.replica && role !== 'worker') parts.push(startReplica(database.replica, registry, logger))
  parts.push(await announceNode(store, role, logChanges(logger, 'Failed to announce this process to the others')))
  // Listens for signals before the first request is answered.
  const stop = untilStopped(embedded?.ended, sharing.isOneOfSeveral)
  try {
    const front = await startFront(config, { ...started, registry }, sharing)
    parts.push(front)
    const { port } = front
    const publicUrl = publicUrlOf(config, port, logger)
    const work =
      role === 'api'
        ? undefined
        : (await import('./worker.ts')).startWork({ ...config, publicUrl }, { store, registry, logger })
    if (work) parts.push(work)
    logger.info({ host, port, mode, role }, port === undefined ? 'Working' : 'Listening')
    settleHeap()
    const hasBanner = mode === 'sandbox' && !output.json && !sharing.isOneOfSeveral
    if (hasBanner) print(await bannerOf(config, database, port))
    const reason = await stop.reason
    logger.info({ reason }, 'Stopping')
    if (hasBanner) print(`\nStopping (${reason}) …`)
    // Proxies need time to notice, before connections are refused. Others can take over the background work at once.
    if (role !== 'worker' && reason === 'SIGTERM' && config.drain > 0) {
      front.drain(config.drain * 1000)
      await Promise.all([work?.stop(), stop.pause(config.drain * 1000)])
    }
  } finally {
    const timeout = new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())
    await Promise.race([Promise.all(parts.toReversed().map((part) => part.stop())), timeout])
  }
}

const bannerOf = async (config: Config, { store, embedded }: Database, port: number | undefined): Promise<string> =>
  config.role === 'worker'
    ? workerBanner(config, port)
    : banner(config, { embedded, port: port!, tokens: await publicTokens(store) })

interface Part {
  stop(): Promise<unknown>
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
  const warn = (message: string) => logChanges(logger, message)
  const sealPlainText = plainTextSealer(store)
  const seal = async () => {
    const { sealed, failed } = await sealPlainText(Date.now())
    if (sealed > 0) logger.info({ rows: sealed }, 'Sealed plain text of an earlier release')
    if (failed > 0) logger.warn({ rows: failed }, 'Plain text of an earlier release cannot be sealed: a key is missing')
  }
  return [
    repeat(() => runHousekeeping(store, new Date()), HOUSEKEEPING_MS, warn('Housekeeping failed')),
    repeat(() => store.keepAuditMonths(new Date()), MONTHS_MS, warn('Failed to prepare the audit log'), { firstMs: 0 }),
    repeat(seal, HOUSEKEEPING_MS, warn('Failed to seal plain text of an earlier release')),
    repeat(() => linkAudit(store), LINKING_MS, warn('Failed to link audit entries')),
  ]
}

/** Checks the replica again and again. A start does not depend on it. */
function startReplica(replica: Replica, registry: Registry, logger: Logger): Part {
  addReplicaMetrics(registry, replica)
  replica.onChange = (reason) =>
    reason === undefined
      ? logger.info('Lists are read from the replica')
      : logger.warn({ reason }, 'The replica is not used: lists are read from the primary')
  return repeat(() => replica.check(), CHECK_MS, logChanges(logger, 'Failed to check the replica'))
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

async function loadCatalogs(config: Config, database: Database, logger: Logger): Promise<void> {
  const { catalogs, mode } = config
  const demo = catalogs.length === 0 && mode === 'sandbox' && (await database.store.catalog.isEmpty())
  const files = await readCatalogs(demo ? [fileURLToPath(DEMO_CATALOG)] : catalogs)
  if (files.length === 0) return
  const digest = digestOf(files, config)
  if (await database.store.catalog.isAsInFiles(digest))
    return logger.info({ files: catalogs }, 'The catalog files are the same as at the last start')
  const applied = await changeCatalogs('apply', files, config, database, { digest })
  for (const { tenant, changes, openBookings, openOrders } of applied) {
    const open = { ...(openBookings > 0 && { openBookings }), ...(openOrders > 0 && { openOrders }) }
    const counts = { changes: changes.length, ...open }
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
