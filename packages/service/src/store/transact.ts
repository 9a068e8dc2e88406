import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Pool } from './database.ts'

/** Of the driver, the system and the server: the connection is gone, or about to be. */
const LOST = new Set(
  'CONNECTION_CLOSED CONNECTION_DESTROYED CONNECTION_ENDED ECONNRESET EPIPE 57P01 57P02 57P03'.split(' '),
)
/** The driver hears of a lost connection within this time. */
const LOST_MS = 1_000

/**
 * Runs work in a transaction. When the connection is lost the driver rejects at once, but would write the rollback of work
 * that fails after that, or the commit of work that does not, to a connection that is no longer there: that ends the
 * process. So such work is not let come to its end.
 */
export async function transact<T>(pool: Pool, mode: string, work: (db: Db) => Promise<T>): Promise<T> {
  let isOver = false
  const unlessOver = async (db: Db): Promise<T> => {
    try {
      const result = await work(db)
      if (isOver) await never()
      return result
    } catch (error) {
      if (LOST.has(String((error as { code?: unknown }).code))) await sleep(LOST_MS, undefined, { ref: false })
      if (isOver) await never()
      throw error
    }
  }
  try {
    return (await pool.begin(mode, unlessOver)) as T
  } finally {
    isOver = true
  }
}

/** One each: reactions to a shared one would be kept for good. */
const never = () => new Promise<never>(() => {})
