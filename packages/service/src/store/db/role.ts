import type { Db } from './pool.ts'

/**
 * Settings of every session of the service, kept with the role in this database: behind a pooler that shares connections
 * between clients, a session's own settings would reach other clients or be lost.
 */
const SETTINGS: Record<string, string> = {
  TimeZone: 'UTC',
  // A statement that waited for a lock sees what was committed meanwhile.
  default_transaction_isolation: 'read committed',
  // Statements are short: compiling one takes longer than running it.
  jit: 'off',
  statement_timeout: '8s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '10s',
}

/** Brings the settings of the current role up to date; they count for connections opened from now on. */
export async function configureRole(db: Db): Promise<void> {
  const [row] = await db<{ role: string; database: string; settings: string[] | null }[]>`
    select current_user as role, current_database() as database,
      (select setconfig from pg_db_role_setting
       where setrole = (select oid from pg_roles where rolname = current_user)
         and setdatabase = (select oid from pg_database where datname = current_database())) as settings`
  const { settings, ...place } = row!
  if (Object.entries(SETTINGS).every(([name, value]) => settings?.includes(`${name}=${value}`))) return
  await db.script(roleSettings(place))
}

/** The statements that keep the settings. */
export const roleSettings = ({ role, database }: { role: string; database: string }): string =>
  Object.entries(SETTINGS)
    .map(([name, value]) => `alter role ${quoted(role)} in database ${quoted(database)} set ${name} = '${value}'`)
    .join(';\n')

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
