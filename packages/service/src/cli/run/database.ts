import {
  findRunning,
  locateCluster,
  startEmbedded,
  type EmbeddedServer,
  type EmbeddedTarget,
} from '@order-testing/embedded-postgres'
import { linkAllAudit } from '../../operations/audit/link.ts'
import { sealAuditDetails } from '../../operations/sealing/seal-plain-text.ts'
import type { Target } from '../../store/db/address.ts'
import { migrate, ownsSchema, pendingMigrations, refuseOtherEncoding } from '../../store/db/migrate.ts'
import { MigrationRefusal } from '../../store/db/migration-files.ts'
import { connect, type Pool } from '../../store/db/pool.ts'
import { Replica } from '../../store/db/replica.ts'
import { configureRole } from '../../store/db/role.ts'
import { createRole } from '../../store/db/runtime-role.ts'
import { keyIdsIn } from '../../store/sealing/key-checks.ts'
import type { Keyring } from '../../store/sealing/keyring.ts'
import { createStore, type Store } from '../../store/store.ts'
import type { ThreadDatabase } from '../../threads/thread-jobs.ts'
import { note } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { noteDatabase } from '../target.ts'
import { describeDatabase, NoDatabase } from './database-place.ts'
import { openKeyring, type OpenKeyring } from './keys.ts'
import { recordApplied } from './local-actor.ts'
import { readConfig, type Config } from './settings.ts'

/** The service's role on the embedded server; it owns nothing. */
export const RUNTIME_ROLE = 'ots_service'

export interface Database {
  pool: Pool
  store: Store
  /** Answers lists, if OTS_DATABASE_READ_URL names one. */
  replica: Replica | undefined
  /** How threads connect to it. */
  forThreads: ThreadDatabase
  /** The embedded server, if this process started it. */
  embedded: EmbeddedServer | undefined
  /** The migrations that were applied when it was opened. */
  migrated: string[]
  close(): Promise<void>
}

interface Opening {
  /** Creates the embedded database if there is none. */
  mayCreate?: boolean
  /** Connects to the embedded server of another process, if one runs. */
  share?: boolean
  /** Leaves the schema of a running server alone, and refuses one that is not up to date. */
  readOnly?: boolean
  /** Connects to the embedded server as its owner, for what the service's role may not do. */
  asOwner?: boolean
}

/** Opens the database of the settings, starts the embedded server if none is named, and migrates the schema. */
export async function openDatabase(config: Config, opening: Opening = {}): Promise<Database> {
  return config.databaseUrl === undefined
    ? openEmbedded(config, opening)
    : openNamed(config.databaseUrl, config, opening)
}

/** Fails if the database of the settings does not exist or cannot be reached. */
export async function checkDatabase(config: Config): Promise<void> {
  if (config.databaseUrl === undefined) {
    if ((await locateCluster(config.dataDir)) === null) throw new NoDatabase(config)
    return
  }
  noteDatabase(await describeDatabase(config))
  await withPool(connectAs(config, config.databaseUrl, 1), (pool) => ownsSchema(pool))
}

/** Finds the running embedded server, or starts it; `embedded` is set if this process started it. */
export async function reachEmbedded(
  config: Config,
  { share = true, mayCreate = false }: Pick<Opening, 'share' | 'mayCreate'> = {},
): Promise<{ owner: EmbeddedTarget; embedded: EmbeddedServer | undefined }> {
  const { dataDir } = config
  const running = share ? await findRunning(dataDir) : null
  if (!running && !mayCreate) await checkDatabase(config)
  noteDatabase(await describeDatabase(config))
  if (running) return { owner: running, embedded: undefined }
  const embedded = await withProgress('Starting', ({ wait }) => {
    wait('Starting the embedded database …')
    return startEmbedded({ dataDir })
  })
  return { owner: embedded.target, embedded }
}

/** A role that owns the schema migrates it; any other role only checks it. */
async function openNamed(url: string, config: Config, { readOnly = false }: Opening): Promise<Database> {
  noteDatabase(await describeDatabase(config))
  // Uses a separate connection, so that those of the pool begin with the settings of the role.
  const prepare = () =>
    withPool(connectAs(config, url, 1), async (pool) => {
      const { role, isOwner } = await ownsSchema(pool)
      const mayMigrate = isOwner && !readOnly && config.migrate === 'auto'
      const migrated = mayMigrate ? await migrateWithNotes(pool) : await refusePending(pool, isOwner ? undefined : role)
      if (!readOnly) await pool.transaction((db) => configureRole(db, { statementTimeout: config.statementTimeout }))
      return migrated
    })
  return prepareDatabase(config, { target: url, pool: connectAs(config, url), mayCreateKey: !readOnly }, prepare)
}

/** The owner of the embedded database migrates it; the service's role works on it. */
async function openEmbedded(
  config: Config,
  { mayCreate = false, share = false, readOnly = false, asOwner = false }: Opening,
): Promise<Database> {
  const { owner, embedded } = await reachEmbedded(config, { share, mayCreate })
  const mayMigrate = config.migrate === 'auto' && !(readOnly && !embedded)
  const target = asOwner ? owner : { ...owner, username: RUNTIME_ROLE }
  return prepareDatabase(
    config,
    { target, pool: connectAs(config, target), embedded, mayCreateKey: mayMigrate || !readOnly },
    () => withPool(connectAs(config, owner, 1), (pool) => prepareEmbedded(pool, config, mayMigrate)),
    async (keyring) => {
      // Only the owner may.
      if (mayMigrate)
        await withPool(connectAs(config, owner, 1), (pool) => sealAuditDetails(createStore(pool, keyring)))
    },
  )
}

/** Connects with the pool settings of the configuration. */
export const connectAs = ({ databasePool, databasePrepare }: Config, target: Target, max = databasePool): Pool =>
  connect(target, { max, prepare: databasePrepare })

/** Gives up early, since the primary can answer instead. */
export const connectToReplica = ({ databasePool, databasePrepare }: Config, target: string, max = databasePool): Pool =>
  connect(target, { max, prepare: databasePrepare, waitMs: 1_000, silenceMs: 3_000 })

/** Always closes the pool. */
export async function withPool<T>(pool: Pool, work: (pool: Pool) => Promise<T>): Promise<T> {
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

async function prepareEmbedded(pool: Pool, { statementTimeout }: Config, mayMigrate: boolean): Promise<string[]> {
  if (!mayMigrate) return refusePending(pool)
  await createRole(pool, RUNTIME_ROLE)
  const migrated = await migrateWithNotes(pool, RUNTIME_ROLE)
  await pool.transaction((db) => configureRole(db, { role: RUNTIME_ROLE, statementTimeout }))
  return migrated
}

/** Migrates, and says what may take long. */
export const migrateWithNotes = (pool: Pool, runtimeRole?: string): Promise<string[]> =>
  migrate(pool, { runtimeRole, onApplied: recordApplied, onWait: (text) => note(`Applying ${text} …`) })

interface Connection {
  target: Target
  pool: Pool
  embedded?: EmbeddedServer | undefined
  mayCreateKey: boolean
}

/** Prepares the schema and the keys; closes everything again if that fails. */
async function prepareDatabase(
  config: Config,
  { target, pool, embedded, mayCreateKey }: Connection,
  prepare: () => Promise<string[]>,
  seal?: (keyring: Keyring) => Promise<void>,
): Promise<Database> {
  const standby = config.databaseReadUrl === undefined ? undefined : connectToReplica(config, config.databaseReadUrl)
  const replica = standby && new Replica({ primary: pool, pool: standby, mostLagMs: config.databaseReadLag * 1000 })
  let keys: OpenKeyring | undefined
  const close = async () => {
    keys?.close()
    await Promise.all([pool.end(), standby?.end()])
    await embedded?.stop()
  }
  try {
    const migrated = await prepare()
    keys = await openKeyring(config, { mayCreate: mayCreateKey, sealedWith: await keyIdsIn(pool) })
    await seal?.(keys.keyring)
    const forThreads = { target, keys: keys.keys, prepare: config.databasePrepare }
    return { pool, store: createStore(pool, keys.keyring, replica), replica, forThreads, embedded, migrated, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Runs a command on the existing database of the settings, next to a running service or alone, and always closes it. */
export async function withDatabase<T>(
  work: (database: Database, config: Config) => Promise<T>,
  opening: Pick<Opening, 'readOnly' | 'asOwner'> = {},
): Promise<T> {
  const config = readConfig(process.env)
  const database = await openDatabase(config, { share: true, ...opening })
  try {
    return await work(database, config)
  } finally {
    if (!opening.readOnly) await linkRecorded(database.store)
    await database.close()
  }
}

/** Like `withDatabase`, for work that needs only the store. */
export const withStore = <T>(
  work: (store: Store) => Promise<T>,
  opening?: Pick<Opening, 'readOnly' | 'asOwner'>,
): Promise<T> => withDatabase(({ store }) => work(store), opening)

/**
 * Links the audit entries of a command, in case no service runs that would. The command still succeeds if this fails: only
 * now can it print the secret of a new token.
 */
async function linkRecorded(store: Store): Promise<void> {
  try {
    await linkAllAudit(store)
  } catch (error) {
    note(`Audit entries are not linked yet: ${(error as Error).message}. The service will link them.`)
  }
}

/** `runtimeRole` is the current role if it does not own the schema: another role has to migrate it then. */
async function refusePending(pool: Pool, runtimeRole?: string): Promise<[]> {
  await refuseOtherEncoding(pool)
  const pending = await pendingMigrations(pool).catch((error: Error & { code?: string }) => {
    if (error.code === '42501') return ['no permission to read it']
    throw error
  })
  if (pending.length === 0) return []
  const command =
    runtimeRole === undefined
      ? '"ots migrate"'
      : `"ots migrate --runtime-role ${runtimeRole}" with the DATABASE_URL of the role that owns it`
  throw new MigrationRefusal(`The schema of the database is not up to date: run ${command} (${pending.join(', ')}).`)
}
