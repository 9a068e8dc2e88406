import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './db.ts'
import { MigrationRefusal, statementsOf, type Migration } from './migration-files.ts'
import type { Pool } from './pool.ts'

/**
 * Applies a migration while the service runs: each statement by itself, without a limit of time, under the same lock as other
 * migrations. One that was interrupted begins again; its statements must allow that.
 */
export const applyOnline = (pool: Pool, migration: Migration, onWait: (text: string) => void): Promise<void> =>
  pool.session(async (db, isOwn) => {
    const { name, checksum } = migration
    if (!isOwn)
      throw new MigrationRefusal(
        `Migration ${name} needs a connection to the database server itself. Run "ots migrate" with a DATABASE_URL that does not lead to a pooler.`,
      )
    await db.script('set statement_timeout = 0; set lock_timeout = 0')
    await takeTurn(() => db.only`select pg_try_advisory_lock(hashtext('order-testing-migrations')) as got`)
    const [done] = await db`select from schema_migrations where name = ${name}`
    if (done) return
    for (const statement of [...(await removalsOfUnfinished(db)), ...statementsOf(migration)]) {
      onWait(`${name}: ${statement.split('\n')[0]}`)
      await db.script(statement)
    }
    await db`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`
  })

const ASK_AGAIN_MS = 200

/**
 * Asks for the lock of migrations until it is free. A statement that waited for it would be waited for in turn by a concurrent
 * creation of an index.
 */
export async function takeTurn(ask: () => Promise<{ got: boolean }>): Promise<void> {
  while (!(await ask()).got) await sleep(ASK_AGAIN_MS)
}

/** An index whose concurrent creation was interrupted is kept up to date, but never used. */
async function removalsOfUnfinished(db: Db): Promise<string[]> {
  const unfinished = await db<{ name: string }[]>`
    select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indexrelid
    where not indisvalid and relnamespace = current_schema()::regnamespace`
  return unfinished.map(({ name }) => `drop index concurrently if exists ${name}`)
}
