import { connect, type Pool } from '../../src/store/db/pool.ts'
import type { Db } from '../../src/store/db/db.ts'
import { Statement, type Compiled } from '../../src/store/db/sql.ts'
import { TENANT } from '../orders/given.ts'
import type { TestService } from '../support/service.ts'
import { literals } from './literals.ts'

export interface Judge {
  /** The texts of statements that read or change rows of tenants without saying whose. */
  crossing(statements: Compiled[]): Promise<string[]>
  end(): Promise<void>
}

/**
 * A statement names its tenant if the tenant is one of its values, and every scan of its plan is bound to a tenant. Functions that it
 * calls get the tenant from it. The tenant of an inserted row is one of its values, or comes from a scan.
 */
export async function judgeOf(service: TestService): Promise<Judge> {
  const owned = new Set(await ownedTables(service))
  const functions = (await functionsOf(service)).filter(({ isOfTenants }) => isOfTenants)
  // Plans do not matter here, but a scan without a condition must not hide behind a join that finds nothing.
  const session = connect(service.target, { max: 1, silenceMs: 120_000 })
  return {
    async crossing(statements) {
      const found: string[] = []
      for (const statement of statements) {
        const text = oneLine(statement.text)
        const plan = await explain(session, statement)
        // A table that is joined with all tenants is not bound by that.
        const scans = scansIn(plan).filter(({ relation }) => owned.has(relation) || relation === 'tenants')
        const isOfTenants =
          scans.some(({ relation }) => owned.has(relation)) ||
          tablesIn(text, owned).length > 0 ||
          functions.some(({ name }) => calls(text, name))
        const names = namesTenant(statement) && unboundOf(scans, conditionsIn(plan)).length === 0
        if (isOfTenants && !names) found.push(text)
      }
      return found
    },
    end: () => session.end(),
  }
}

/** The mailbox has no column for it, but mails of all tenants. */
const ownedTables = ({ pool }: { pool: Db }) => pool.values`
  select attrelid::regclass::text from pg_attribute where attname = 'tenant_id' and attnum > 0 union select 'mailbox'`

export const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Tables that a text reads or changes, each as often as it does. Inserts are left out. */
const tablesIn = (text: string, tables: ReadonlySet<string>) =>
  [...text.matchAll(/\b(?:from|join|update|using)\s+(\w+)(?!\w|\s*\()/g)].filter(([, name]) => tables.has(name!))

const calls = (text: string, name: string) => new RegExp(`\\b${name}\\s*\\(`).test(text)

interface SchemaFunction {
  name: string
  /** Whether it reads or changes rows of tenants, itself or in functions that it calls. */
  isOfTenants: boolean
  /** Whether it runs statements that are not in its text. */
  isDynamic: boolean
  /** Its statements that name the tenant less often than tables. */
  unbound: string[]
}

/** The functions of the schema, of triggers too, which no plan shows. */
export async function functionsOf({ pool }: { pool: Db }): Promise<SchemaFunction[]> {
  const owned = new Set(await ownedTables({ pool }))
  const defined = await pool<{ name: string; text: string }[]>`
    select proname::text as name, pg_get_functiondef(p.oid) as text from pg_proc p
    where pronamespace = 'public'::regnamespace and prokind = 'f'
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
    order by 1`
  const functions = defined.map(({ name, text }) => {
    const statements = text
      .replaceAll(/--.*/g, '')
      .split(';')
      .map((each) => oneLine(each))
    const isDynamic = /\bexecute\b(?! function)/.test(text)
    const unbound = statements.filter(
      (each) => tablesIn(each, owned).length > [...each.matchAll(/\btenant_id = /g)].length,
    )
    const isOfTenants = isDynamic || statements.some((each) => tablesIn(each, owned).length > 0)
    return { name, text, isDynamic, unbound, isOfTenants }
  })
  const isOfTenants = ({ name, text, isOfTenants: own }: (typeof functions)[number]): boolean =>
    own || functions.some((other) => other.name !== name && calls(text, other.name) && isOfTenants(other))
  return functions.map((each) => ({ ...each, isOfTenants: isOfTenants(each) }))
}

/** Statements for several requests have an array of tenants. */
const namesTenant = ({ values }: Compiled) =>
  values.some((value) => typeof value === 'string' && new RegExp(`^(${TENANT}|\\{("?${TENANT}"?,?)+\\})$`).test(value))

interface PlanNode {
  'Relation Name'?: string
  Alias?: string
  Plans?: PlanNode[]
  [name: string]: unknown
}

async function explain(session: Pool, { name, text, values }: Compiled): Promise<PlanNode> {
  await session.script(`prepare ${name} as ${text}`).catch((error: { code?: string }) => {
    // Prepared for an earlier call.
    if (error.code !== '42P05') throw error
  })
  const query = new Statement([`explain (verbose, format json) execute ${name}${literals(values)}`], [])
  const [row] = await session<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>`${query}`
  return row!['QUERY PLAN'][0]!.Plan
}

const nodesIn = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap((child) => nodesIn(child))]

interface Scan {
  relation: string
  /** The column with the tenant, as conditions name it. */
  tenant: string
}

const scansIn = (plan: PlanNode): Scan[] =>
  nodesIn(plan)
    .filter((node) => 'Relation Name' in node && node['Node Type'] !== 'ModifyTable')
    .map((node) => {
      const relation = node['Relation Name']!
      return { relation, tenant: `${node.Alias!}.${relation === 'tenants' ? 'id' : 'tenant_id'}` }
    })

/** Scans whose tenant is neither given nor that of another scan whose tenant is. */
function unboundOf(scans: Scan[], conditions: string[]): Scan[] {
  const namedIn = conditions.map((condition) =>
    scans.filter(({ tenant }) => new RegExp(`\\b${tenant}\\b`).test(condition)),
  )
  const open = new Set(scans)
  for (let before = -1; before !== open.size;) {
    before = open.size
    for (const named of namedIn)
      if (named.length === 1 || named.some((scan) => !open.has(scan))) named.forEach((scan) => open.delete(scan))
  }
  return [...open]
}

const conditionsIn = (plan: PlanNode): string[] =>
  nodesIn(plan).flatMap((node) =>
    Object.entries(node).flatMap(([name, value]) => (/(Cond|Filter)$/.test(name) ? String(value).split(' AND ') : [])),
  )
