import type { DatabaseFacts, ReplicaFacts } from '../../domain/diagnosis.ts'
import type { Db } from './db.ts'
import { ownsSchema } from './migrate.ts'
import { readRoleSettings } from './role.ts'
import { PRIVILEGES, USUAL } from './runtime-role.ts'

const EXTENSIONS = ['cube', 'pg_trgm', 'btree_gin', 'btree_gist']

/** If one of these is off, committed data may be lost. */
const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit']

/** Reads facts about the server, the connection and the current role. */
export async function inspectDatabase(db: Db): Promise<DatabaseFacts> {
  const server = await db.only<
    Omit<DatabaseFacts, 'role' | 'isOwner' | 'hasRoleSettings' | 'missingRights' | 'rewritable'>
  >`
    select current_setting('server_version_num')::int as version_number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding,
      array(select name from unnest(${EXTENSIONS}::text[]) as name
            where name not in (select name from pg_available_extensions)) as missing_extensions,
      array(select name || ' is ' || setting from pg_settings where name = any(${DURABLE}) and setting = 'off') as unsafe_settings,
      (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
      not coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false)
        and inet_client_addr() is not null and not inet_client_addr() <<= any(array['127.0.0.0/8', '::1']::inet[]) as is_exposed`
  const { role, isOwner } = await ownsSchema(db)
  const { isComplete } = await readRoleSettings(db)
  return { ...server, role, isOwner, hasRoleSettings: isComplete, ...(await readPrivileges(db)) }
}

/** Reads whether a server is a standby of the primary, and whether it gets what the primary writes. */
export async function inspectReplica(primary: Db, standby: Db): Promise<ReplicaFacts> {
  const written = await primary.only<{ system: string; position: string }>`
    select (select system_identifier::text from pg_control_system()) as system,
      (pg_current_wal_flush_lsn() - '0/0')::text as position`
  const replayed = await standby.only<{ system: string; position: string | null; silentSeconds: number | null }>`
    select (select system_identifier::text from pg_control_system()) as system,
      case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as position,
      extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as silent_seconds`
  if (replayed.system !== written.system) return { failure: 'It is not a copy of the database of DATABASE_URL.' }
  if (replayed.position === null) return { failure: 'It accepts writes, so it is not a streaming standby.' }
  const isBehind = BigInt(replayed.position) < BigInt(written.position)
  return { lagSeconds: isBehind ? (replayed.silentSeconds ?? Number.POSITIVE_INFINITY) : 0 }
}

/** How far the database's clock is ahead, and the uncertainty of that, both in seconds. */
export async function readClockSkew(db: Db, now: () => number): Promise<{ skew: number; uncertainty: number }> {
  // Connects first, so that connecting is not measured.
  await db`select 1`
  const before = now()
  const { at } = await db.only<{ at: number }>`select extract(epoch from clock_timestamp())::float8 as at`
  const after = now()
  return { skew: at - (before + after) / 2_000, uncertainty: (after - before) / 2_000 }
}

const REWRITES = new Set(['update', 'delete', 'truncate'])

/** The tables on which the current role lacks privileges, and those of the audit log, or parts of it, that it may rewrite. */
async function readPrivileges(db: Db): Promise<Pick<DatabaseFacts, 'missingRights' | 'rewritable'>> {
  const tables = await db<{ name: string; isPart: boolean; allowed: string[] }[]>`
    select relname as name, relispartition as is_part, array(
      select allowed from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) as allowed
      where has_table_privilege(oid, allowed)) as allowed
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by 1`
  const needed = (name: string) => (PRIVILEGES[name] ?? USUAL).split(', ')
  const isLog = (name: string) => name in PRIVILEGES && !needed(name).some((right) => REWRITES.has(right))
  return {
    missingRights: tables
      .filter(({ name, isPart, allowed }) => !isPart && needed(name).some((right) => !allowed.includes(right)))
      .map(({ name }) => name),
    rewritable: tables
      .filter(({ name, isPart, allowed }) => (isPart || isLog(name)) && allowed.some((right) => REWRITES.has(right)))
      .map(({ name }) => name),
  }
}
