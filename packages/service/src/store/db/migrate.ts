import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Db } from './db.ts'
import { isContention } from './errors.ts'
import type { Pool } from './pool.ts'
import { configureRole } from './role.ts'
import { grantRuntimeRoles, registerRuntimeRole } from './runtime-role.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)

/** The schema of the database and the one this release needs do not fit together. */
export class MigrationRefusal extends Error {}

interface Migration {
  name: string
  sql: string
  checksum: string
}

type Applied = Pick<Migration, 'name' | 'checksum'>

export interface MigrateOptions {
  /** A role that the service is to run as without owning the schema. */
  runtimeRole?: string | undefined
  /** Called in the same transaction where anything was applied. */
  onApplied?: (names: string[], db: Db) => Promise<void>
}

/**
 * Brings the schema up to date, with the rights and settings of the roles that use it, and names what was applied. Several
 * processes may try at once.
 */
export async function migrate(pool: Pool, { runtimeRole, onApplied }: MigrateOptions = {}): Promise<string[]> {
  const known = await readMigrations()
  const work = async (db: Db) => {
    await db`select pg_advisory_xact_lock(hashtext('order-testing-migrations'))`
    // A migration that waits for a table makes all others wait behind it: a backup that reads it is not to stop the service.
    await db.script(`set local lock_timeout = '${LOCK_SECONDS}s'`)
    await db`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`
    const pending = pendingOf(known, await appliedTo(db))
    for (const { name, sql, checksum } of pending) {
      await db.script(sql)
      await db`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`
    }
    if (runtimeRole !== undefined) await registerRuntimeRole(db, runtimeRole)
    await grantRuntimeRoles(db)
    await configureRole(db)
    const names = pending.map(({ name }) => name)
    if (names.length > 0) await onApplied?.(names, db)
    return names
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.transaction(work, { isUnlimited: true })
    } catch (error) {
      if (!isContention(error)) throw error
      if (attempt === ATTEMPTS)
        throw new MigrationRefusal(
          'The schema was not changed: its tables are in use, by a backup perhaps. Try again later.',
        )
    }
  }
}

/** How long, and how often, a migration waits for tables that others use. */
const LOCK_SECONDS = 2
const ATTEMPTS = 4

/** Whether the current role may migrate: it owns the schema, or there is none yet and it may make one. */
export async function ownsSchema(db: Db): Promise<{ role: string; isOwner: boolean }> {
  const [row] = await db<{ role: string; isOwner: boolean }[]>`
    select current_user as role, coalesce(
      (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('schema_migrations')),
      has_schema_privilege(current_schema(), 'create'), false) as is_owner`
  return row!
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
