import { findRunning, startEmbedded, type EmbeddedServer, type EmbeddedTarget } from '@order-testing/embedded-postgres'
import { linkAllAudit } from '../../operations/audit/link.ts'
import { sealAuditDetails } from '../../operations/sealing/seal-plain-text.ts'
import type { ThreadDatabase } from '../../threads/thread-jobs.ts'
import type { Target } from '../../store/db/address.ts'
import { migrate, MigrationRefusal, ownsSchema, pendingMigrations } from '../../store/db/migrate.ts'
import { connect, type Pool } from '../../store/db/pool.ts'
import { configureRole } from '../../store/db/role.ts'
import { createRole } from '../../store/db/runtime-role.ts'
import type { Keyring } from '../../store/sealing/keyring.ts'
import { createStore, type Store } from '../../store/store.ts'
import type { Config } from './settings.ts'
import { openKeyring, type OpenKeyring } from './keys.ts'
import { recordApplied } from './local-actor.ts'

/** What the service runs as on the embedded server: it owns nothing. */
export const RUNTIME_ROLE = 'ots_service'

export interface Database {
  pool: Pool
  store: Store
  /** How threads reach it. */
  forThreads: ThreadDatabase
  /** The server we started for it, where we did. */
  embedded: EmbeddedServer | undefined
  /** The migrations that opening it has applied. */
  migrated: string[]
  close(): Promise<void>
}

interface Opening {
  /** Whether a server that another process runs in the data folder will do. */
  share?: boolean
  /** Leaves the schema of a running server alone, and refuses one that is not up to date. */
  readOnly?: boolean
  /** Works on the embedded server as its owner, for what the service's role may not do. */
  asOwner?: boolean
}

/** Opens the database of the settings, starting our own server where none is named, and brings its schema up to date. */
export async function openDatabase(config: Config, opening: Opening = {}): Promise<Database> {
  return config.databaseUrl === undefined
    ? openEmbedded(config, opening)
    : openNamed(config.databaseUrl, config, opening)
}

/** A named server is migrated by a role that owns its schema, and only checked by one that does not. */
async function openNamed(url: string, config: Config, { readOnly = false }: Opening): Promise<Database> {
  // On a connection that ends before the service's first begins, which then has the settings of its role.
  const prepare = () =>
    withPool(url, config, async (pool) => {
      const { role, isOwner } = await ownsSchema(pool)
      if (isOwner && !readOnly && config.migrate === 'auto') return migrate(pool, { onApplied: recordApplied })
      await refusePending(pool, isOwner ? undefined : role)
      if (!isOwner && !readOnly) await pool.transaction((db) => configureRole(db))
      return []
    })
  return opened(config, { target: url, pool: connectAs(config, url) }, prepare)
}

/** The embedded server has a role of its own for each: its owner migrates it, the service runs without owning it. */
async function openEmbedded(
  config: Config,
  { share = false, readOnly = false, asOwner = false }: Opening,
): Promise<Database> {
  const running = share ? await findRunning(config.dataDir) : null
  const embedded = running ? undefined : await startEmbedded({ dataDir: config.dataDir })
  const owner = (running ?? embedded?.target) as EmbeddedTarget
  const mayMigrate = config.migrate === 'auto' && !(readOnly && running)
  const target = asOwner ? owner : { ...owner, username: RUNTIME_ROLE }
  return opened(
    config,
    { target, pool: connectAs(config, target), embedded },
    () => withPool(owner, config, (pool) => prepareEmbedded(pool, mayMigrate)),
    async (keyring) => {
      // The service's role cannot.
      if (mayMigrate) await withPool(owner, config, (pool) => sealAuditDetails(createStore(pool, keyring)))
    },
  )
}

/** Connects as the settings say. */
export const connectAs = ({ databasePool, databasePrepare }: Config, target: Target, max = databasePool): Pool =>
  connect(target, { max, prepare: databasePrepare })

async function withPool<T>(target: Target, config: Config, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = connectAs(config, target, 1)
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

async function prepareEmbedded(pool: Pool, mayMigrate: boolean): Promise<string[]> {
  if (!mayMigrate) return refusePending(pool)
  await createRole(pool, RUNTIME_ROLE)
  return migrate(pool, { runtimeRole: RUNTIME_ROLE, onApplied: recordApplied })
}

/** What was opened, once it is ready; closed again where it cannot be used. */
async function opened(
  config: Config,
  { target, pool, embedded }: { target: Target; pool: Pool; embedded?: EmbeddedServer | undefined },
  prepare: () => Promise<string[]>,
  seal?: (keyring: Keyring) => Promise<void>,
): Promise<Database> {
  let keys: OpenKeyring | undefined
  const close = async () => {
    keys?.close()
    await pool.end()
    await embedded?.stop()
  }
  try {
    const migrated = await prepare()
    keys = await openKeyring(config)
    await seal?.(keys.keyring)
    const forThreads = { target, keys: keys.keys, prepare: config.databasePrepare }
    return { pool, store: createStore(pool, keys.keyring), forThreads, embedded, migrated, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Runs a command's work on the database, beside a running service or alone, and closes it whatever happens. */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database) => Promise<T>,
  { readOnly = false, asOwner = false }: Pick<Opening, 'readOnly' | 'asOwner'> = {},
): Promise<T> {
  const database = await openDatabase(config, { share: true, readOnly, asOwner })
  try {
    return await work(database)
  } finally {
    if (!readOnly) await linkRecorded(database.store)
    await database.close()
  }
}

/**
 * Links what a command recorded, also where no service runs that would. A failure does not keep the command from saying what only
 * it can say, such as the secret of a new token.
 */
async function linkRecorded(store: Store): Promise<void> {
  try {
    await linkAllAudit(store)
  } catch (error) {
    process.stderr.write(`Audit entries are not linked yet: ${(error as Error).message}. The service will link them.\n`)
  }
}

/** The same for work that needs the store alone. */
export const withStore = <T>(
  config: Config,
  work: (store: Store) => Promise<T>,
  opening?: Pick<Opening, 'readOnly' | 'asOwner'>,
): Promise<T> => withDatabase(config, ({ store }) => work(store), opening)

/** `runtimeRole` is the current role where it does not own the schema: then another one has to migrate it. */
async function refusePending(pool: Pool, runtimeRole?: string): Promise<[]> {
  const pending = await pendingMigrations(pool).catch((error: Error & { code?: string }) => {
    if (error.code === '42501') return ['no rights to read it']
    throw error
  })
  if (pending.length === 0) return []
  const command =
    runtimeRole === undefined
      ? '"ots migrate"'
      : `"ots migrate --runtime-role ${runtimeRole}" with the DATABASE_URL of the role that owns it`
  throw new MigrationRefusal(`The schema of the database is not up to date: run ${command} (${pending.join(', ')}).`)
}
