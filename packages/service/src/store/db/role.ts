import type { Db } from './db.ts'

/**
 * Session settings of the service, stored with the role in this database: behind a pooler that shares connections, settings
 * of a session would leak to other clients or be lost.
 */
const SETTINGS: Record<string, string> = {
  TimeZone: 'UTC',
  // A statement that waited for a lock must see what was committed meanwhile.
  default_transaction_isolation: 'read committed',
  // Statements are short: JIT compilation takes longer than running them.
  jit: 'off',
  statement_timeout: '8000ms',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '10s',
}

interface Wanted {
  /** By default the current role. */
  role?: string | undefined
  /** In seconds; without it a role keeps its own. */
  statementTimeout?: number
}

/**
 * Updates the settings of a role; they apply to new connections. Does nothing if the current role lacks the privilege: the
 * other role sets its own when the service starts. Must run in a transaction.
 */
export async function configureRole(db: Db, wanted: Wanted = {}): Promise<void> {
  const { isComplete, ...place } = await readRoleSettings(db, wanted)
  if (isComplete) return
  await db.script('savepoint settings')
  try {
    await db.script(roleSettings({ ...place, statementTimeout: wanted.statementTimeout }))
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error
    await db.script('rollback to savepoint settings')
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** Reads whether every setting of a role is in place. */
export async function readRoleSettings(db: Db, { role, statementTimeout }: Wanted = {}) {
  type Row = { role: string; database: string; settings: string[] | null }
  const { settings, ...place } = await db.only<Row>`
    select given.role, current_database() as database,
      (select setconfig from pg_db_role_setting
       where setrole = (select oid from pg_roles where rolname = given.role)
         and setdatabase = (select oid from pg_database where datname = current_database())) as settings
    from (select coalesce(${role ?? null}::text, current_user) as role) given`
  const isComplete = Object.entries(withTimeout(statementTimeout)).every(([name, value]) =>
    name === TIMEOUT && statementTimeout === undefined
      ? settings?.some((each) => each.startsWith(`${TIMEOUT}=`))
      : settings?.includes(`${name}=${value}`),
  )
  return { ...place, isComplete }
}

/** The statements that store the settings. */
export const roleSettings = ({
  role,
  database,
  statementTimeout,
}: {
  role: string
  database: string
  statementTimeout?: number | undefined
}): string =>
  Object.entries(withTimeout(statementTimeout))
    .map(([name, value]) => `alter role ${quoted(role)} in database ${quoted(database)} set ${name} = '${value}'`)
    .join(';\n')

const TIMEOUT = 'statement_timeout'

const withTimeout = (seconds: number | undefined) =>
  seconds === undefined ? SETTINGS : { ...SETTINGS, [TIMEOUT]: `${Math.round(seconds * 1000)}ms` }

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
