import type { Db } from './db.ts'
import { configureRole, quoted } from './role.ts'

/** The role cannot be used to run the service. */
export class RoleRefusal extends Error {}

export const USUAL = 'select, insert, update, delete'
const APPEND_ONLY = 'select, insert'
const READ_ONLY = 'select'

/** Privileges on tables that differ from the usual: the service can append to the audit log, but never rewrite it. */
export const PRIVILEGES: Readonly<Record<string, string>> = {
  audit_entries: APPEND_ONLY,
  audit_details: APPEND_ONLY,
  audit_links: APPEND_ONLY,
  // Only the owner prunes and erases.
  audit_checkpoints: READ_ONLY,
  audit_erasures: READ_ONLY,
  // Filled by a trigger of the owner.
  audit_unlinked: 'select, delete',
  schema_migrations: READ_ONLY,
  runtime_roles: READ_ONLY,
}

/** Creates a role that may connect and has no other privileges, unless it exists. */
export async function createRole(db: Db, role: string): Promise<void> {
  if (await hasRole(db, role)) return
  await db.script(`create role ${quoted(role)} login`).catch((error: { code?: string }) => {
    // Another process has created it meanwhile.
    if (error.code !== DUPLICATE_OBJECT && error.code !== UNIQUE_VIOLATION) throw error
  })
}

const DUPLICATE_OBJECT = '42710'
const UNIQUE_VIOLATION = '23505'

export async function hasRole(db: Db, role: string): Promise<boolean> {
  return (await db`select from pg_roles where rolname = ${role}`).length > 0
}

/** Registers a role that the service runs as: from now on every migration grants it what it needs. */
export async function registerRuntimeRole(db: Db, role: string): Promise<void> {
  const found = await db.first<{ isSuperuser: boolean; isOwner: boolean }>`
    select rolsuper as is_superuser, pg_has_role(rolname, relowner, 'member') as is_owner
    from pg_roles, pg_class where rolname = ${role} and pg_class.oid = 'schema_migrations'::regclass`
  if (!found)
    throw new RoleRefusal(
      `There is no role "${role}". Create it first: create role ${quoted(role)} login password '…';`,
    )
  if (found.isSuperuser)
    throw new RoleRefusal(`The role "${role}" is a superuser, which privileges do not restrict. Use another role.`)
  if (found.isOwner)
    throw new RoleRefusal(
      `The role "${role}" owns the schema, or is a member of the owner. Use a role that is neither.`,
    )
  await db`insert into runtime_roles (name) values (${role}) on conflict do nothing`
}

/** Grants every registered role exactly the privileges that the service needs on the current schema. */
export async function grantRuntimeRoles(db: Db): Promise<void> {
  const roles = await db.values`select name from runtime_roles join pg_roles on rolname = name order by name`
  if (roles.length === 0) return
  const schema = await readOwnObjects(db)
  for (const role of roles) {
    await db.script(composeGrants(role, schema).join(';\n'))
    await configureRole(db, { role })
  }
}

/** The objects of the schema that the current role owns. */
async function readOwnObjects(db: Db) {
  const { name } = await db.only<{ name: string }>`select current_schema() as name`
  const relations = await db<{ name: string; kind: 'r' | 'v' | 'S'; isPart: boolean }[]>`
    select relname as name, case relkind when 'p' then 'r' else relkind::text end as kind, relispartition as is_part from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'S') and pg_has_role(relowner, 'usage')
    order by 1`
  const functions = await db.values`
    select oid::regprocedure::text as signature from pg_proc p
    where pronamespace = current_schema()::regnamespace and prokind = 'f' and pg_has_role(proowner, 'usage')
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
    order by 1`
  return { name, relations, functions }
}

function composeGrants(
  role: string,
  { name: schema, relations, functions }: Awaited<ReturnType<typeof readOwnObjects>>,
): string[] {
  const to = quoted(role)
  return [
    `grant usage on schema ${quoted(schema)} to ${to}`,
    ...relations.flatMap(({ name, kind, isPart }) => {
      const what = `${kind === 'S' ? 'sequence' : 'table'} ${quoted(schema)}.${quoted(name)}`
      const allowed = kind === 'S' ? 'usage, select' : kind === 'v' ? READ_ONLY : (PRIVILEGES[name] ?? USUAL)
      const revoke = `revoke all on ${what} from ${to}`
      // A part is used only through its table.
      return isPart ? [revoke] : [revoke, `grant ${allowed} on ${what} to ${to}`]
    }),
    ...functions.map((signature) => `grant execute on function ${signature} to ${to}`),
  ]
}
