import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { compile, sql, Statement, type Compiled, type Encoded } from '../../src/store/db/sql.ts'
import { body, created, PERSON, post, SECRET, TENANT } from '../orders/given.ts'
import { participantWorld } from '../participants/given.ts'
import { LOOPBACK } from '../support/delivering.ts'
import { applied, messageAbout } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { endWork } from '../webhooks/working.ts'
import { liveThroughADay } from './day.ts'

/** Tables of no tenant. They are small, and each group of tenants that is moved elsewhere has its own. */
const GLOBAL = {
  catalog_version: 'one row: the version of all catalogs and tokens',
  delivery_workers: 'processes that deliver',
  key_checks: 'keys that values are sealed with',
  mailbox: 'e-mails of a sandbox',
  nodes: 'processes',
  runtime_roles: 'roles of the database',
  schema_migrations: 'migrations',
  tenants: 'the tenants themselves',
}

/** Unique without the tenant, because something is looked up by it before the tenant is known. Hashes are unique anyway. */
const BEFORE_TENANT = {
  order_links_pkey: 'the secret of a link',
  passkeys_pkey: 'the passkey that a browser offers',
  sign_in_challenges_pkey: 'the challenge of a sign-in',
  tokens_secret_hash_key: 'the secret of a token',
  user_invitations_pkey: 'the secret of an invitation',
  user_sessions_pkey: 'the secret of a session',
  users_by_email: 'the address of a person who signs in',
  users_by_subject: 'the person that a provider names',
}

/** Statements that would ask every shard, by what their text has, and why. None is part of a request for orders. */
const CROSSING: [text: string, why: string][] = [
  ["d.state = 'waiting' and d.due_at between", 'claims due deliveries of all tenants'],
  ['with recursive receiver as', 'finds receivers with parked deliveries'],
  ["from notifications where state = 'sending' and lease_until", 'releases notifications of a worker that died'],
  ["where state = 'waiting' and channel = $1 and due_at <= now()", 'claims due notifications of all tenants'],
  ['from orders where due_at <= now()', 'finds orders whose time has come'],
  ['from order_changes where true', 'folds changes that no reader has asked for'],
  ['from order_chunks -- Twice', 'splits the largest chunk'],
  ['delete from idempotency_keys where ctid', 'deletes old answers'],
  ['delete from delivery_attempts where ctid', 'deletes old attempts'],
  ['delete from receiver_half_hours where ctid', 'deletes old figures'],
  ['delete from receiver_contacts where ctid', 'deletes old figures'],
  ['delete from notification_counts where ctid', 'deletes old figures'],
  ['delete from refused_reports where', 'deletes old refusals'],
  ['delete from order_links where', 'deletes expired links'],
  ['delete from tasks where', 'deletes ended tasks'],
  ['delete from sandbox_requests where ctid', 'deletes old requests'],
  ['delete from token_requests where ctid', 'deletes old requests'],
  ['delete from token_uses where ctid', 'deletes old figures'],
  ['delete from user_sessions where', 'deletes ended sessions'],
  ['delete from user_invitations where', 'deletes expired invitations'],
  ['delete from sign_in_challenges where', 'deletes expired challenges'],
  ['update deliveries set body = null where ctid', 'deletes the bytes of ended deliveries'],
  ["select id from deliveries d where state = 'waiting'", 'asks in tests whether anything is left to deliver'],
]

/** Statements that name several tenants in arrays: a plan over few rows may read all of a table and join it with them. */
const OF_SEVERAL = ['from receivers r where (r.tenant_id, r.origin) in (select * from unnest(']

/** Lookups before the tenant is known, each by a unique hash. */
const LOOKUPS = ['t.secret_hash =', 'where secret_hash =', 'tokens where secret_hash in']

let service: TestService

beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(participantWorld())
})

afterAll(async () => {
  await endWork()
  await service.stop()
})

describe('the schema', () => {
  const tables = (withTenant: boolean) => service.pool.values`
    select relname::text from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and exists (select from pg_attribute where attrelid = c.oid and attname = 'tenant_id') = ${withTenant}
    order by 1`

  test('every table belongs to tenants, except those that are named', async () => {
    expect(await tables(false)).toEqual(Object.keys(GLOBAL))
  })

  test('the tenant leads every unique index of its tables, except lookups before it is known', async () => {
    const without = await service.pool.values`
      select i.indexrelid::regclass::text from pg_index i
      where i.indisunique and i.indrelid = any(${await tables(true)}::regclass[]) and not exists (
        select from pg_attribute a where a.attrelid = i.indrelid and a.attnum = i.indkey[0] and a.attname = 'tenant_id')
      order by 1`
    expect(without).toEqual(Object.keys(BEFORE_TENANT))
  })

  test('every foreign key between tables of tenants has the tenant on both sides', async () => {
    const without = await service.pool.values`
      select conname::text from pg_constraint k where contype = 'f' and confrelid <> 'tenants'::regclass and not exists (
        select from unnest(k.conkey, k.confkey) as pair (here, there)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.here and a.attname = 'tenant_id'
        join pg_attribute b on b.attrelid = k.confrelid and b.attnum = pair.there and b.attname = 'tenant_id')`
    expect(without).toEqual([])
    expect(await service.pool.values`select count(*)::int from pg_constraint where contype = 'f'`).not.toEqual([0])
  })
})

describe('statements', () => {
  let judge: Judge
  beforeAll(async () => (judge = await judgeOf(service)))
  afterAll(() => judge.end())

  test('a statement that does not name its tenant, or reads a table beside it, is noticed', async () => {
    const unbound = compile(sql`select o.id from orders o, tenants t where t.id = ${TENANT}`)
    const unnamed = compile(sql`select id from orders where code = ${'A'}`)
    const bound = compile(sql`select id from orders where tenant_id = ${TENANT}`)
    expect(await judge.crossing([unbound, unnamed, bound])).toEqual([unbound.text, unnamed.text])
  })

  test('no request that places, reads, lists, cancels or reports about orders crosses tenants', async () => {
    const person = { ...PERSON, lastName: `Reyes ${randomBytes(4).toString('hex')}` }
    const matching = body({ participant: person, orderMatching: { enabled: true } })
    const hot = await heardDuring(async () => {
      const order = await created(service, { callback: { url: 'http://127.0.0.1:9/hook' } })
      await post(service, matching)
      await post(service, matching)
      await post(service, body(), { headers: { 'idempotency-key': randomBytes(8).toString('hex') } })
      for (const path of ['', `/${order.id}`, '?status=ordered', '?sort=updatedAt&cursor='])
        expect((await service.call(SECRET, `/api/v2/orders${path}`)).status).toBe(200)
      await applied(service, messageAbout(order, { kind: 'collector', event: 'collected' }))
      expect((await service.call(SECRET, '/api/v2/events?cursor=')).status).toBe(200)
      const { id } = await created(service)
      const cancelled = await service.call(SECRET, { method: 'PUT', path: `/api/v2/orders/${id}/cancellation` })
      expect(cancelled.status).toBe(200)
    })
    expect(await judge.crossing(hot)).toEqual([])
    expect(hot.length).toBeGreaterThan(20)
  })

  test('every other statement of a day names its tenant, except those that are listed with their reason', async () => {
    const crossing = await judge.crossing(await heardDuring(() => liveThroughADay(service)))
    const known = [...CROSSING.map(([part]) => part), ...OF_SEVERAL]
    expect(crossing.filter((text) => !known.some((part) => text.includes(part)))).toEqual([])
    const unused = CROSSING.filter(([part]) => !crossing.some((text) => text.includes(part)))
    expect(unused).toEqual([])
  })

  async function heardDuring(work: () => Promise<void>): Promise<Compiled[]> {
    const heard = new Map<string, Compiled>()
    service.hear((statement) => heard.set(statement.text, statement))
    await work()
    service.hear(undefined)
    return [...heard.values()]
  }
})

interface Judge {
  /** The texts of statements that read or change tables of tenants without saying whose. */
  crossing(statements: Compiled[]): Promise<string[]>
  end(): Promise<void>
}

/** A statement names its tenant if the tenant is one of its values, and every scan of its plan is bound to a tenant. */
async function judgeOf({ pool, target }: TestService): Promise<Judge> {
  const owned = new Set(
    await pool.values`select attrelid::regclass::text from pg_attribute where attname = 'tenant_id' and attnum > 0`,
  )
  // Plans do not matter here, but a scan without a condition must not hide behind a join that finds nothing.
  const session = connect(target, { max: 1, silenceMs: 120_000 })
  const isBound = async (statement: Compiled) => {
    const plan = await explain(session, statement)
    const conditions = conditionsIn(plan)
    return scansIn(plan)
      .filter(({ relation }) => owned.has(relation))
      .every(({ alias }) => conditions.some((condition) => condition.includes(`${alias}.tenant_id`)))
  }
  return {
    async crossing(statements) {
      const found: string[] = []
      for (const statement of statements) {
        const text = statement.text.replaceAll(/\s+/g, ' ').trim()
        const isOfTenants = [...text.matchAll(/\b(?:from|join|into|update|using) (\w+)/g)].some(([, name]) =>
          owned.has(name!),
        )
        if (!isOfTenants || LOOKUPS.some((part) => text.includes(part))) continue
        if (!namesTenant(statement) || !(await isBound(statement))) found.push(text)
      }
      return found
    },
    end: () => session.end(),
  }
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

const scansIn = (plan: PlanNode) =>
  nodesIn(plan)
    .filter((node) => 'Relation Name' in node && node['Node Type'] !== 'ModifyTable')
    .map((node) => ({ relation: node['Relation Name']!, alias: node.Alias! }))

const conditionsIn = (plan: PlanNode) =>
  nodesIn(plan).flatMap((node) =>
    Object.entries(node).flatMap(([name, value]) => (/(Cond|Filter)$/.test(name) ? [String(value)] : [])),
  )

function literals(values: Encoded[]): string {
  if (values.length === 0) return ''
  const written = values.map((value) => {
    if (value === null) return 'null'
    return Buffer.isBuffer(value) ? `'\\x${value.toString('hex')}'` : `'${value.replaceAll("'", "''")}'`
  })
  return `(${written.join(', ')})`
}
