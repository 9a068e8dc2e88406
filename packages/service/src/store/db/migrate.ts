import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Db, Pool } from './pool.ts'
import { configureRole } from './role.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)

/** The schema of the database and the one this release needs do not fit together. */
export class MigrationRefusal extends Error {}

interface Migration {
  name: string
  sql: string
  checksum: string
}

type Applied = Pick<Migration, 'name' | 'checksum'>

/** Brings the schema up to date and names what was applied; several processes may try at once. */
export async function migrate(pool: Pool): Promise<string[]> {
  const known = await readMigrations()
  const work = async (db: Db) => {
    await db`select pg_advisory_xact_lock(hashtext('order-testing-migrations'))`
    await db`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`
    const pending = pendingOf(known, await appliedTo(db))
    for (const { name, sql, checksum } of pending) {
      await db.script(sql)
      await db`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`
    }
    await configureRole(db)
    return pending.map(({ name }) => name)
  }
  return pool.transaction(work, { isUnlimited: true })
}

/** Names what is still to be applied, and changes nothing. */
export async function pendingMigrations(pool: Pool): Promise<string[]> {
  const known = await readMigrations()
  const [table] = await pool<{ exists: boolean }[]>`select to_regclass('schema_migrations') is not null as exists`
  const applied = table?.exists ? await appliedTo(pool) : []
  return pendingOf(known, applied).map(({ name }) => name)
}

const appliedTo = (db: Db) => db<Applied[]>`select name, checksum from schema_migrations order by name`

function pendingOf(known: Migration[], applied: Applied[]): Migration[] {
  const files = new Map(known.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of applied) {
    const file = files.get(name)
    if (!file)
      throw new MigrationRefusal(
        `The database was migrated by a newer release (${name}). Start that release, or a newer one.`,
      )
    if (file.checksum !== checksum)
      throw new MigrationRefusal(`Migration ${name} was changed after it had been applied to this database.`)
  }
  const done = new Set(applied.map(({ name }) => name))
  return known.filter(({ name }) => !done.has(name))
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, FOLDER), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}
