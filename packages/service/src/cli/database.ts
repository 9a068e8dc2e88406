import { connect, type Pool, type Target } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { createStore, type Store } from '../store/store.ts'
import type { Config } from './config.ts'
import { openKeyring, type OpenKeyring } from './keys.ts'
import { findRunning, startEmbedded, type EmbeddedServer } from './embedded/server.ts'

export interface Database {
  pool: Pool
  store: Store
  /** The server we started for it, where we did. */
  embedded: EmbeddedServer | undefined
  close(): Promise<void>
}

/** Opens the database of the settings, starting our own server where none is named, and brings its schema up to date. */
export async function openDatabase(config: Config, { share = false } = {}): Promise<Database> {
  const running = config.databaseUrl ?? (share ? await findRunning(config.dataDir) : null)
  const embedded = running ? undefined : await startEmbedded({ dataDir: config.dataDir })
  const pool = connect((running ?? embedded?.target) as Target)
  let keys: OpenKeyring | undefined
  const close = async () => {
    keys?.close()
    await pool.end({ timeout: 5 })
    await embedded?.stop()
  }
  try {
    await migrate(pool)
    keys = await openKeyring(config)
    return { pool, store: createStore(pool, keys.keyring), embedded, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Runs a command's work on the database, beside a running service or alone, and closes it whatever happens. */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const database = await openDatabase(config, { share: true })
  try {
    return await work(database.store)
  } finally {
    await database.close()
  }
}
