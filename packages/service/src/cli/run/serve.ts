import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { pino, type Logger } from 'pino'
import { Registry } from 'prom-client'
import { atlas } from '../../domain/places/atlas.ts'
import { locate } from '../../domain/places/postal-places.ts'
import { hashSecret } from '../../domain/access/tokens.ts'
import { redactError } from '../../http/errors.ts'
import { createHealthServer, createServer } from '../../http/server.ts'
import { keepHouse } from '../../operations/housekeeping.ts'
import { linkAudit } from '../../operations/audit/link.ts'
import { plainTextSealer, type Round } from '../../operations/sealing/seal-plain-text.ts'
import type { Store } from '../../store/store.ts'
import { banner, reachable, workerBanner, type DemoTokens } from './banner.ts'
import { changeCatalogs, readCatalogs } from './catalog-files.ts'
import { ConfigRefusal, isPublic, refusePublicSandbox, type Config } from './settings.ts'
import { openDatabase, type Database } from './database.ts'
import { DEMO_CATALOG, publicTokens, readDemo } from './demo-catalog.ts'
import { checkLineToken, readLineTls, startLine } from './mllp.ts'
import { checkPorts } from './port.ts'
import { repeat } from './repeat.ts'
import { untilStopped } from './signals.ts'
import { startWork } from './worker.ts'

/** Requests still running after this long no longer hold up a stop. */
const STOP_WITHIN_MS = 10_000

const HOUSEKEEPING_MS = 1_000

/** How often audit entries are linked to their chain: each has its link within a second. */
const LINKING_MS = 500

/** Runs the service until it is told to stop: all of it, what answers requests, or what works behind them. */
export async function serve(config: Config, print: (text: string) => void): Promise<void> {
  refusePublicSandbox(config)
  const logger = pino({
    level: config.logLevel,
    base: { service: 'ots', pid: process.pid },
    serializers: { err: (error: Error & { code: string }) => pino.stdSerializers.err(redactError(error)) },
  })
  const answers = config.role !== 'worker'
  if (answers) await checkPorts(config)
  const tls = answers ? await readLineTls(config) : undefined
  const database = await openDatabase(config, { share: !answers })
  const { store } = database
  const registry = new Registry()
  try {
    await checkKeys(config, store, logger)
    if (answers) await loadCatalogs(config, database, logger)
    if (config.mode === 'production') await refusePublicSecrets(store)
    if (answers) await checkLineToken(config, store)
    // Reads the tables of places and the lines of maps now, so that the first who needs them need not wait.
    if (answers) {
      locate({ postalCode: '60540' })
      atlas()
    }
    const house = repeat(
      () => keepHouse(store, new Date()),
      HOUSEKEEPING_MS,
      (error) => logger.warn({ err: error }, 'housekeeping failed'),
    )
    const sealPlainText = plainTextSealer(store)
    const sealing = repeat(
      async () => report(await sealPlainText(Date.now()), logger),
      HOUSEKEEPING_MS,
      (error) => logger.warn({ err: error }, 'Failed to seal plain text of an earlier release'),
    )
    const linking = repeat(
      () => linkAudit(store),
      LINKING_MS,
      (error) => logger.warn({ err: error }, 'failed to link audit entries'),
    )
    const app = answers
      ? await createServer({
          store,
          logger,
          registry,
          rateLimit: config.rateLimit,
          requestTimeoutMs: config.requestTimeout * 1000,
          database: database.forThreads,
          policy: { production: config.mode === 'production', callbackAllow: config.callbackAllow },
          publicSecrets: await demoSecrets(),
          hosts: hostsOf(config),
          isPublic: isPublic(config),
        })
      : createHealthServer({ store, logger, registry })
    let line: { stop(): Promise<void> } | undefined
    let work: { stop(): Promise<void> } | undefined
    // Heard from before the first request is answered.
    const stopped = untilStopped(database.embedded?.ended)
    try {
      // Before requests are answered: a process that says it is ready takes messages too.
      line = answers ? await startLine({ config, tls, app, logger, registry }) : undefined
      const port = await listen(app, config, logger)
      const publicUrl = publicUrlOf(config, port, logger)
      if (config.role !== 'api') work = startWork({ config, publicUrl, store, registry, logger })
      logger.info(
        { host: config.host, port, mode: config.mode, role: config.role },
        port === undefined ? 'working' : 'listening',
      )
      if (config.mode === 'sandbox') {
        const { embedded } = database
        print(
          answers
            ? banner({ config, embedded, port: port!, tokens: await demoTokens(store) })
            : workerBanner({ config, port }),
        )
      }
      const reason = await stopped
      logger.info({ reason }, 'stopping')
      if (config.mode === 'sandbox') print(`\nStopping (${reason}) …`)
    } finally {
      await Promise.race([
        Promise.all([line?.stop(), app.close(), work?.stop(), house.stop(), sealing.stop(), linking.stop()]),
        new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref()),
      ])
    }
  } finally {
    await database.close()
  }
}

function report({ sealed, failed }: Round, logger: Logger): void {
  if (sealed > 0) logger.info({ rows: sealed }, 'Sealed plain text of an earlier release')
  if (failed > 0) logger.warn({ rows: failed }, 'Plain text of an earlier release cannot be sealed: a key is missing')
}

/** The port that was listened on. A worker does its work without one too: only its health and figures are not seen. */
async function listen(app: FastifyInstance, { port, host, role }: Config, logger: Logger): Promise<number | undefined> {
  try {
    await app.listen({ port, host })
    return (app.server.address() as AddressInfo).port
  } catch (error) {
    if (role !== 'worker') throw error
    logger.warn({ port, host, err: error }, 'health and metrics are not served: the port cannot be listened on')
    return undefined
  }
}

/** Where messages lead to. A worker serves no pages: what it is told, or else can only guess, is where others do. */
function publicUrlOf(
  { publicUrl, host, port, role, mode }: Config,
  listened: number | undefined,
  logger: Logger,
): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const guess = `http://${reachable(host)}:${role === 'worker' ? port : listened}`
  if (role === 'worker' && mode === 'sandbox')
    logger.warn(`OTS_PUBLIC_URL is not set: messages of this worker link to ${guess}, where no pages may be served`)
  return guess
}

/** By what names others may ask for this host: that of OTS_PUBLIC_URL, and the one listened on unless it stands for all. */
const hostsOf = ({ publicUrl, host }: Config): string[] => [
  ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
  ...(['0.0.0.0', '::'].includes(host) ? [] : [host.includes(':') ? `[${host}]` : host]),
]

/** Wrong keys would show as failures of single requests, long after they were set. */
async function checkKeys({ mode }: Config, store: Store, logger: Logger): Promise<void> {
  const wrong = await store.keyChecks.wrong()
  if (wrong.length > 0) {
    const named = wrong.map((id) => `"${id}"`).join(', ')
    if (wrong.includes(store.keyChecks.currentId()))
      throw new ConfigRefusal(
        `OTS_KEYS gives the key "${store.keyChecks.currentId()}" another secret than this database was sealed with. Set the right one, or use another id.`,
      )
    const message = `This database holds values sealed with ${wrong.length > 1 ? 'keys' : 'the key'} ${named}, which OTS_KEYS lacks or gives another secret.`
    if (mode === 'production') throw new ConfigRefusal(`${message} Add what is missing behind the current key.`)
    logger.warn(message)
  }
  await store.keyChecks.note()
}

async function loadCatalogs(config: Config, database: Database, logger: Logger): Promise<void> {
  const { catalogs, mode } = config
  const demo = catalogs.length === 0 && mode === 'sandbox' && (await database.store.catalog.isEmpty())
  const files = await readCatalogs(demo ? [fileURLToPath(DEMO_CATALOG)] : catalogs)
  for (const { tenant, changes, openBookings } of await changeCatalogs('apply', files, config, database)) {
    const counts = { changes: changes.length, ...(openBookings > 0 && { openBookings }) }
    logger.info({ tenant: tenant.id, ...counts }, 'catalog applied')
  }
}

/** Everybody can read the secrets of the demo catalog: a database that once was a sandbox must not be opened by them. */
async function refusePublicSecrets(store: Store): Promise<void> {
  const usable = await publicTokens(store)
  if (usable.length === 0) return
  const commands = usable.map(({ tenantId, tokenId }) => `  ots token revoke ${tokenId} --tenant ${tenantId}`)
  throw new ConfigRefusal(
    `OTS_MODE=production: this database takes public secrets of the demo catalog. Revoke them first:\n${commands.join('\n')}`,
  )
}

const demoSecrets = async () => (await readDemo()).tokens.map(({ secret }) => secret)

/** The demo catalog's tokens, as long as the database has them. */
async function demoTokens(store: Store): Promise<DemoTokens> {
  const { tokens } = await readDemo()
  const usable = async (id: string) => {
    const secret = tokens.find((token) => token.id === id)?.secret
    return secret !== undefined && (await store.tokens.findUsable(hashSecret(secret))) ? secret : undefined
  }
  return { token: await usable('demo'), operator: await usable('demo-operator') }
}
