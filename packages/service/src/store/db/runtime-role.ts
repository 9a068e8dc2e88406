import type { Db } from './db.ts'
import { configureRole, quoted } from './role.ts'

/** A role that cannot be the one the service runs as. */
export class RoleRefusal extends Error {}

export const USUAL = 'select, insert, update, delete'
const APPEND_ONLY = 'select, insert'
const READ_ONLY = 'select'

/** What the service may do with tables, where that is not the usual. It adds to the audit log, and can never rewrite it. */
export const PRIVILEGES: Readonly<Record<string, string>> = {
  audit_entries: APPEND_ONLY,
  audit_details: APPEND_ONLY,
  audit_links: APPEND_ONLY,
  // Pruning and erasing take the owner.
  audit_checkpoints: READ_ONLY,
  audit_erasures: READ_ONLY,
  // Filled by a trigger; what has been linked is taken out.
  audit_unlinked: 'select, delete',
  schema_migrations: READ_ONLY,
  runtime_roles: READ_ONLY,
}

/** Makes a role without rights of its own that may connect, unless it is there. */
export async function createRole(db: Db, role: string): Promise<void> {
  if (await hasRole(db, role)) return
  await db.script(`create role ${quoted(role)} login`).catch((error: { code?: string }) => {
    // Another process was faster.
    if (error.code !== DUPLICATE_OBJECT && error.code !== UNIQUE_VIOLATION) throw error
  })
}

const DUPLICATE_OBJECT = '42710'
const UNIQUE_VIOLATION = '23505'

export async function hasRole(db: Db, role: string): Promise<boolean> {
  return (await db`select from pg_roles where rolname = ${role}`).length > 0
}

/** Remembers a role that the service runs as; from now on every migration grants it what it needs. */
export async function registerRuntimeRole(db: Db, role: string): Promise<void> {
  const [found] = await db<{ isSuperuser: boolean; isOwner: boolean }[]>`
    select rolsuper as is_superuser, pg_has_role(rolname, relowner, 'member') as is_owner
    from pg_roles, pg_class where rolname = ${role} and pg_class.oid = 'schema_migrations'::regclass`
  if (!found)
    throw new RoleRefusal(
      `There is no role "${role}". Create it first: create role ${quoted(role)} login password '…';`,
    )
  if (found.isSuperuser)
    throw new RoleRefusal(`The role "${role}" is a superuser, whom no grant limits. Name another role.`)
  if (found.isOwner)
    throw new RoleRefusal(
      `The role "${role}" owns the schema, or is a member of its owner. Name a role that is neither.`,
    )
  await db`insert into runtime_roles (name) values (${role}) on conflict do nothing`
}

/** Gives every role that the service runs as what it needs of the schema as it is now, and no more. */
export async function grantRuntimeRoles(db: Db): Promise<void> {
  const roles = await db<{ name: string }[]>`
    select name from runtime_roles join pg_roles on rolname = name order by name`
  if (roles.length === 0) return
  const schema = await readSchema(db)
  for (const { name } of roles) {
    await db.script(grantsTo(name, schema).join(';\n'))
    await configureRole(db, name)
  }
}

interface Schema {
  name: string
  relations: { name: string; kind: 'r' | 'v' | 'S' }[]
  functions: string[]
}

/** What the current role owns in its schema. */
async function readSchema(db: Db): Promise<Schema> {
  const [schema] = await db<{ name: string }[]>`select current_schema() as name`
  const relations = await db<Schema['relations']>`
    select relname as name, case relkind when 'p' then 'r' else relkind::text end as kind from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'S') and pg_has_role(relowner, 'usage')
    order by 1`
  const functions = await db<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc p
    where pronamespace = current_schema()::regnamespace and pg_has_role(proowner, 'usage')
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
    order by 1`
  return { name: schema!.name, relations, functions: functions.map(({ signature }) => signature) }
}

function grantsTo(role: string, { name: schema, relations, functions }: Schema): string[] {
  const to = quoted(role)
  return [
    `grant usage on schema ${quoted(schema)} to ${to}`,
    ...relations.flatMap(({ name, kind }) => {
      const what = `${kind === 'S' ? 'sequence' : 'table'} ${quoted(schema)}.${quoted(name)}`
      const allowed = kind === 'S' ? 'usage, select' : kind === 'v' ? READ_ONLY : (PRIVILEGES[name] ?? USUAL)
      return [`revoke all on ${what} from ${to}`, `grant ${allowed} on ${what} to ${to}`]
    }),
    ...functions.map((signature) => `grant execute on function ${signature} to ${to}`),
  ]
}
