import type { Db } from './db.ts'
import { isContention } from './errors.ts'
import {
  BASELINE,
  BEFORE_BASELINE,
  isBreaking,
  MigrationRefusal,
  MIGRATIONS,
  offline,
  readMigrations,
  type Migration,
} from './migration-files.ts'
import { applyOnline, takeTurn } from './online-migrations.ts'
import type { Pool } from './pool.ts'
import { configureRole } from './role.ts'
import { grantRuntimeRoles, registerRuntimeRole } from './runtime-role.ts'
import { compareSchema } from './schema-comparison.ts'

export interface MigrateOptions {
  /** A role for the service to run as without owning the schema. */
  runtimeRole?: string | undefined
  /** Called in the same transaction if anything was applied. */
  onApplied?: (names: string[], db: Db) => Promise<void>
  /** Called before work that may take long. */
  onWait?: (text: string) => void
  /** Where the migrations are; other folders are for tests. */
  folder?: URL
}

/**
 * Brings the schema up to date, with the rights and settings of the roles that use it, and returns the names of the migrations that
 * were applied. Concurrent calls wait for each other. A new database gets everything in one transaction. In others, migrations that
 * are applied online come after the transaction with the rest, so nothing may depend on them but speed.
 */
export async function migrate(
  pool: Pool,
  { folder = MIGRATIONS, onWait = () => {}, ...options }: MigrateOptions = {},
): Promise<string[]> {
  await refuseOtherEncoding(pool)
  const files = await readFiles(folder)
  const applied = await applyInTransaction(pool, files, options).catch(async (error: unknown) => {
    throw (await explainExtension(pool, error)) ?? error
  })
  const online = findPending(files, await readApplied(pool))
  for (const migration of online) await applyOnline(pool, migration, onWait)
  const names = online.map(({ name }) => name)
  if (names.length > 0)
    await pool.transaction(async (db) => {
      await grantRuntimeRoles(db)
      await options.onApplied?.(names, db)
    })
  return [...applied, ...names]
}

function applyInTransaction(
  pool: Pool,
  files: Files,
  { runtimeRole, onApplied }: Pick<MigrateOptions, 'runtimeRole' | 'onApplied'>,
): Promise<string[]> {
  return withRetries(pool, async (db) => {
    await takeTurn(() => db.only`select pg_try_advisory_xact_lock(hashtext('order-testing-migrations')) as got`)
    // A migration that waits for a table blocks every request behind it, so it gives way to a long reader such as a backup.
    await db.script(`set local lock_timeout = '${LOCK_SECONDS}s'`)
    await db`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`
    const applied = await readApplied(db)
    const isNew = applied.length === 0
    const pending = findPending(files, applied).filter(({ isOnline }) => isNew || !isOnline)
    for (const migration of pending) {
      if (migration.name === BASELINE && !isNew) await adopt(db, migration)
      else await db.script(isNew ? offline(migration) : migration.sql)
      await db`insert into schema_migrations (name, checksum) values (${migration.name}, ${migration.checksum})`
    }
    if (runtimeRole !== undefined) await registerRuntimeRole(db, runtimeRole)
    await grantRuntimeRoles(db)
    await configureRole(db)
    const names = pending.map(({ name }) => name)
    if (names.length > 0) await onApplied?.(names, db)
    return names
  })
}

/** The names of the migrations that are still to be applied. Changes nothing. */
export async function pendingMigrations(pool: Pool): Promise<string[]> {
  const files = await readFiles(MIGRATIONS)
  const { exists } = await pool.only<{ exists: boolean }>`
    select to_regclass('schema_migrations') is not null as exists`
  const applied = exists ? await readApplied(pool) : []
  return findPending(files, applied).map(({ name }) => name)
}

/** Names and addresses may have any character, which only UTF-8 can hold. */
export async function refuseOtherEncoding(db: Db): Promise<void> {
  const { encoding, database } = await db.only<{ encoding: string; database: string }>`
    select pg_encoding_to_char(encoding) as encoding, datname as database
    from pg_database where datname = current_database()`
  if (encoding === 'UTF8') return
  throw new MigrationRefusal(
    `The database "${database}" has the encoding ${encoding}, but the service needs UTF8. Create another one: create database "${database}_utf8" encoding 'UTF8' template template0;`,
  )
}

/** Whether the current role may migrate: it owns the schema, or there is none yet and it may create one. */
export const ownsSchema = (db: Db) => db.only<{ role: string; isOwner: boolean }>`
  select current_user as role, coalesce(
    (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('schema_migrations')),
    has_schema_privilege(current_schema(), 'create'), false) as is_owner`

/** How long a migration waits for tables that others use, and how often it tries. */
const LOCK_SECONDS = 2
const ATTEMPTS = 4

async function withRetries<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.transaction(work, { isUnlimited: true })
    } catch (error) {
      if (!isContention(error)) throw error
      if (attempt === ATTEMPTS)
        throw new MigrationRefusal(
          'The schema was not changed: its tables are in use, perhaps by a backup. Try again later.',
        )
    }
  }
}

const EXTENSION = /extension "(\w+)"/

/** What an administrator has to do so that the extensions can be created; undefined for other errors. */
async function explainExtension(db: Db, error: unknown): Promise<MigrationRefusal | undefined> {
  const { code, message } = error as { code?: string; message: string }
  const [, extension] = EXTENSION.exec(message) ?? []
  if (extension === undefined) return undefined
  if (code === '0A000' || code === '58P01')
    return new MigrationRefusal(
      `The server has no extension "${extension}": install PostgreSQL's contrib modules (package postgresql-contrib).`,
    )
  if (code !== '42501') return undefined
  const { role, database } = await db.only<{ role: string; database: string }>`
    select current_user as role, current_database() as database`
  return new MigrationRefusal(
    `The role "${role}" may not create the extension "${extension}". As an administrator run: grant create on database "${database}" to "${role}";`,
  )
}

type Applied = Pick<Migration, 'name' | 'checksum'>

const readApplied = (db: Db) => db<Applied[]>`select name, checksum from schema_migrations order by name`

interface Files {
  current: Migration[]
  /** Those that the baseline replaces, as far as databases that lack some of them are still adopted. */
  earlier: Migration[]
}

const readFiles = async (folder: URL): Promise<Files> => ({
  current: await readMigrations(folder),
  earlier: await readMigrations(new URL(BEFORE_BASELINE, folder)),
})

/** The last migration before the baseline that a database must have to be adopted. */
const OLDEST_ADOPTED = '0013_fresh_statistics.sql'

function findPending({ current, earlier }: Files, applied: Applied[]): Migration[] {
  if (applied.length === 0 || applied.some(({ name }) => name === BASELINE)) return findMissing(current, applied)
  if (!applied.some(({ name }) => name === OLDEST_ADOPTED))
    throw new MigrationRefusal(
      `The database was created by a build that is too old to be upgraded: it lacks migration ${OLDEST_ADOPTED}. Export its catalog with that build and start with a new database.`,
    )
  const sinceOldest = applied.filter(({ name }) => name > OLDEST_ADOPTED)
  return [...findMissing(earlier, sinceOldest), ...current]
}

function findMissing(known: Migration[], applied: Applied[]): Migration[] {
  const files = new Map(known.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of applied) {
    const file = files.get(name)
    // Nodes of this release go on while the next one is installed.
    if (!file && !isBreaking(name)) continue
    if (!file)
      throw new MigrationRefusal(
        `The database was migrated by a newer release (${name}). Start that release, or a newer one.`,
      )
    if (file.checksum !== checksum)
      throw new MigrationRefusal(
        `Migration ${name} differs from the one that was applied to this database. Restore the file of the release.`,
      )
  }
  const done = new Set(applied.map(({ name }) => name))
  return known.filter(({ name }) => !done.has(name))
}

/** How many differences an error names. */
const NAMED_DIFFERENCES = 5

/** Proves that a database of earlier migrations has the schema of the baseline, and forgets those migrations. */
async function adopt(db: Db, { name, sql }: Migration): Promise<void> {
  const { canCompare, role, database } = await db.only<{ canCompare: boolean; role: string; database: string }>`
    select has_database_privilege(current_database(), 'create') as can_compare, current_user as role, current_database() as database`
  if (!canCompare)
    throw new MigrationRefusal(
      `Upgrading this database takes a scratch schema. Run: grant create on database "${database}" to "${role}";`,
    )
  const differences = await compareSchema(db, sql)
  if (differences.length > 0)
    throw new MigrationRefusal(
      `The schema was not changed, since it would differ from ${name}: ${differences.slice(0, NAMED_DIFFERENCES).join('; ')}${
        differences.length > NAMED_DIFFERENCES ? `; and ${differences.length - NAMED_DIFFERENCES} more differences` : ''
      }. Undo what was changed by hand and try again.`,
    )
  await db`delete from schema_migrations`
}
