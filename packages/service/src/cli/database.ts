import type { ThreadDatabase } from '../http/thread-jobs.ts'
import type { Target } from '../store/db/address.ts'
import { connect, type Pool } from '../store/db/pool.ts'
import { migrate, MigrationRefusal, pendingMigrations } from '../store/db/migrate.ts'
import { createStore, type Store } from '../store/store.ts'
import type { Config } from './config.ts'
import { openKeyring, type OpenKeyring } from './keys.ts'
import { findRunning, startEmbedded, type EmbeddedServer } from './embedded/server.ts'

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
}

/** Opens the database of the settings, starting our own server where none is named, and brings its schema up to date. */
export async function openDatabase(
  config: Config,
  { share = false, readOnly = false }: Opening = {},
): Promise<Database> {
  const running = config.databaseUrl ?? (share ? await findRunning(config.dataDir) : null)
  const embedded = running ? undefined : await startEmbedded({ dataDir: config.dataDir })
  const target = (running ?? embedded?.target) as Target
  const pool = connect(target)
  let keys: OpenKeyring | undefined
  const close = async () => {
    keys?.close()
    await pool.end()
    await embedded?.stop()
  }
  try {
    const migrated = readOnly && running ? await refusePending(pool) : await migrate(pool)
    keys = await openKeyring(config)
    const forThreads = { target, keys: keys.keys }
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
  { readOnly = false }: Pick<Opening, 'readOnly'> = {},
): Promise<T> {
  const database = await openDatabase(config, { share: true, readOnly })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** The same for work that needs the store alone. */
export const withStore = <T>(
  config: Config,
  work: (store: Store) => Promise<T>,
  opening?: Pick<Opening, 'readOnly'>,
): Promise<T> => withDatabase(config, ({ store }) => work(store), opening)

async function refusePending(pool: Pool): Promise<[]> {
  const pending = await pendingMigrations(pool)
  if (pending.length === 0) return []
  throw new MigrationRefusal(`The schema of the database is not up to date: run "ots migrate" (${pending.join(', ')}).`)
}
