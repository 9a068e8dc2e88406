import { readFile } from 'node:fs/promises'
import { createServer as createSocketServer, type AddressInfo } from 'node:net'
import { pino, type Logger } from 'pino'
import { hashSecret } from '../domain/tokens.ts'
import { createServer } from '../http/server.ts'
import { applyCatalogs } from '../operations/catalog.ts'
import { keepHouse } from '../operations/housekeeping.ts'
import type { Store } from '../store/store.ts'
import { banner } from './banner.ts'
import { readCatalogs } from './catalog-files.ts'
import { ConfigRefusal, type Config } from './config.ts'
import { openDatabase } from './database.ts'
import { repeat } from './repeat.ts'
import { untilStopped } from './signals.ts'

/** Requests still running after this long no longer hold up a stop. */
const STOP_WITHIN_MS = 10_000

const HOUSEKEEPING_MS = 1_000

const NO_WORKER = 'OTS_ROLE=worker: this release has no work for a worker process. Use OTS_ROLE=all or OTS_ROLE=api.'

const DEMO_CATALOG = new URL('../../catalog/demo.json', import.meta.url)

/** The port cannot be listened on. */
export class PortRefusal extends Error {}

/** Runs the service until it is told to stop. */
export async function serve(config: Config, print: (text: string) => void): Promise<void> {
  if (config.role === 'worker') throw new ConfigRefusal(NO_WORKER)
  const logger = pino({ level: config.logLevel, base: { service: 'ots', pid: process.pid } })
  await checkPort(config)
  const database = await openDatabase(config)
  try {
    await loadCatalogs(config, database.store, logger)
    if (config.mode === 'production') await refusePublicSecrets(database.store)
    const app = await createServer({
      store: database.store,
      logger,
      rateLimit: config.rateLimit,
      policy: { production: config.mode === 'production', callbackAllow: config.callbackAllow },
    })
    const house = repeat(
      () => keepHouse(database.store, new Date()),
      HOUSEKEEPING_MS,
      (error) => logger.warn({ err: error }, 'housekeeping failed'),
    )
    try {
      await app.listen({ port: config.port, host: config.host })
      const { port } = app.server.address() as AddressInfo
      logger.info({ host: config.host, port, mode: config.mode }, 'listening')
      if (config.mode === 'sandbox') print(banner({ config, port, token: await demoToken(database.store) }))
      const reason = await untilStopped(database.embedded?.ended)
      logger.info({ reason }, 'stopping')
      if (config.mode === 'sandbox') print(`\nStopping (${reason}) …`)
    } finally {
      await house.stop()
      await Promise.race([app.close(), new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())])
    }
  } finally {
    await database.close()
  }
}

/** Found out before the database is started, so that the commonest mistake is told at once. */
async function checkPort({ port, host }: Config): Promise<void> {
  const probe = createSocketServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(portRefusal(error, port, host)))
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

function portRefusal(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE') {
    return new PortRefusal(
      `Port ${port} on ${host} is in use. Stop what listens there, or choose another: PORT=${port + 1} npm start`,
    )
  }
  return new PortRefusal(
    `Cannot listen on ${host}:${port}: ${error.message}. Set HOST and PORT to an address of this machine.`,
  )
}

async function loadCatalogs({ catalogs, mode }: Config, store: Store, logger: Logger): Promise<void> {
  const demo = catalogs.length === 0 && mode === 'sandbox' && (await store.catalog.isEmpty())
  const sources = demo ? [{ name: 'demo.json', content: await readDemo() }] : await readCatalogs(catalogs)
  for (const { tenant, changes } of await applyCatalogs(sources, store)) {
    logger.info({ tenant: tenant.id, changes: changes.length }, 'catalog applied')
  }
}

/** Everybody can read the secrets of the demo catalog: a database that once was a sandbox must not be opened by them. */
async function refusePublicSecrets(store: Store): Promise<void> {
  const secrets = (await readDemo()).tokens.map(({ secret }) => secret)
  const found = await Promise.all(secrets.map((secret) => store.tokens.findUsable(hashSecret(secret))))
  const usable = found.filter((token) => token !== undefined)
  if (usable.length === 0) return
  const commands = usable.map(({ tenantId, tokenId }) => `  ots token revoke ${tokenId} --tenant ${tenantId}`)
  throw new ConfigRefusal(
    `OTS_MODE=production: this database takes public secrets of the demo catalog. Revoke them first:\n${commands.join('\n')}`,
  )
}

const readDemo = async () =>
  JSON.parse(await readFile(DEMO_CATALOG, 'utf8')) as { tokens: { id: string; secret: string }[] }

/** The demo catalog's token, as long as the database has it. */
async function demoToken(store: Store): Promise<string | undefined> {
  const secret = (await readDemo()).tokens.find(({ id }) => id === 'demo')?.secret
  return secret !== undefined && (await store.tokens.findUsable(hashSecret(secret))) ? secret : undefined
}
