import type { Connection, Outcome } from './connection.ts'
import { dbOn, type Db } from './db.ts'
import { isAborted } from './errors.ts'

export interface TransactionOptions {
  /** Transaction modes, appended to `begin`. */
  mode?: string
  /** No timeouts, neither here nor at the server; for bulk work. */
  isUnlimited?: boolean
}

interface Connections {
  take(how: { isUnlimited: boolean }): Promise<Connection>
}

const UNLIMITED = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
  .map((setting) => `; set local ${setting} = 0`)
  .join('')

/**
 * Runs work on a reserved connection without time limits, each statement by itself. The connection is closed afterwards, so that
 * the work may change the session. Behind a pooler there is no such session: `isOwn` is false.
 */
export async function useSession<T>(
  connections: Connections,
  work: (db: Db, isOwn: boolean) => Promise<T>,
): Promise<T> {
  const connection = await connections.take({ isUnlimited: true })
  try {
    return await work(
      dbOn((statement) => connection.run(statement)),
      connection.pid !== undefined,
    )
  } finally {
    connection.retire()
    connection.release()
  }
}

/**
 * Sends the commit behind the transaction's last statements, without waiting for their replies. This saves a round trip while the
 * transaction holds its locks: a result takes 0.9 of the CPU time (`npm run bench -- results`, builds in turn). Nothing is committed if
 * one of the statements fails, or could not be composed. All must have been sent by now, in this order: one that comes later fails alone.
 */
export type CommitWith = (last: Promise<unknown>[]) => Promise<void>

/** Runs work on a reserved connection, between `begin` and `commit`. */
export async function transact<T>(
  connections: Connections,
  work: (db: Db, commitWith: CommitWith) => Promise<T>,
  { mode = '', isUnlimited = false }: TransactionOptions,
): Promise<T> {
  const connection = await connections.take({ isUnlimited })
  let isOver = false
  let firstFailure: unknown
  const db = dbOn((statement) => {
    if (isOver) return Promise.reject(new Error('The transaction is over.'))
    const sent = connection.run(statement)
    sent.catch((error) => (firstFailure ??= error))
    return sent
  })
  let committing: Promise<Outcome> | undefined
  const commit = () => {
    isOver = true
    return (committing ??= connection.run('commit'))
  }
  const commitWith: CommitWith = async (last) => {
    isOver = true
    // PostgreSQL does not know of a statement that could not be composed. Such failures show before the next tick.
    await Promise.race([Promise.all(last), new Promise((resolve) => process.nextTick(resolve))])
    // Read below, once it is known whether a statement failed.
    commit().catch(() => {})
    // The first one that failed is why the others did.
    const failed = (await Promise.allSettled(last)).find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
  }
  try {
    // Pipelined with the first statement, which saves a round trip.
    const begun = connection.run(`begin ${mode}${isUnlimited ? UNLIMITED : ''}`)
    begun.catch(() => {})
    const result = await work(db, commitWith)
    await begun
    const { command } = await commit()
    // PostgreSQL answers `ROLLBACK` if an earlier statement has failed.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back, though no failure was reported.')
    return result
  } catch (error) {
    isOver = true
    // A commit ends the transaction even if it fails.
    if (committing) await committing.catch(() => {})
    else await connection.run('rollback').catch(() => connection.destroy('The transaction could not be rolled back.'))
    throw isAborted(error) ? firstFailure : error
  } finally {
    connection.release()
  }
}
