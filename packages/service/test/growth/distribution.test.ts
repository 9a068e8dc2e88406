import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile, sql, type Compiled } from '../../src/store/db/sql.ts'
import { placeExampleOrder, prairieCatalog, prairieToken, routed as integratorOperations } from '../http/walk.ts'
import { body, clinic, created, PERSON, post, SECRET, TENANT } from '../orders/given.ts'
import { CLINICS, participantWorld } from '../participants/given.ts'
import { LOOPBACK } from '../support/delivering.ts'
import { requestOf, routed as operatorOperations } from '../support/operator-walk.ts'
import { applied, messageAbout, OPERATOR } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { endWork } from '../webhooks/working.ts'
import { liveThroughADay, workInBackground } from './day.ts'
import { functionsOf, judgeOf, oneLine, type Judge } from './judge.ts'

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

/**
 * Statements that would ask every shard, by a part of their text: for which purpose, and what they do. Of requests for orders, only the
 * lookup of the token is one.
 */
const CROSSING: Record<string, Record<string, string[]>> = {
  'before the tenant is known': {
    'tokens, links, sessions and invitations by the hash of a secret': [
      't.secret_hash =',
      'from tokens where secret_hash =',
      'from order_links l join tenants t on t.id = l.tenant_id where secret_hash =',
      'update order_links set opened_at',
      'where s.secret_hash =',
      'from user_invitations where secret_hash =',
    ],
    'passkeys and challenges of a sign-in': [
      'from passkeys where credential_id =',
      'delete from sign_in_challenges where challenge_hash =',
    ],
    'people by address or subject': ['from users where email_key =', 'from users where oidc_key ='],
  },
  'work that is due': {
    'claims of deliveries and notifications': [
      "d.state = 'waiting' and d.due_at between",
      "where state = 'waiting' and channel = $1 and due_at <= now()",
    ],
    'parked receivers': ['with recursive receiver as'],
    'expired leases': ["from notifications where state = 'sending' and lease_until"],
    'orders whose time has come': ['from orders where due_at <= now()'],
    'simulations of a sandbox': ['update sandbox_simulations set due_at'],
    'tenants with entries of the audit log to link': ['select distinct tenant_id from audit_unlinked'],
    'companies whose figures are behind': ['from companies c left join figure_positions'],
    'plain text of an earlier build': [
      'from orders where true and (head is not null',
      'from callbacks where true and url is not null',
      'from delivery_attempts where true and excerpt is not null',
      'from result_reports where true and content_hash is not null',
      'from documents where true and name is not null',
      'from notification_attempts where true and detail is not null',
      "from audit_details where true and key_id = ''",
    ],
  },
  metrics: {
    'age of the queue of deliveries': ["select 'waiting' as reason, due_at from deliveries"],
    'receivers by state': ["count(*) filter (where state = 'halfOpen')"],
    'notifications by channel and state': ['select asked.channel, waits.*', 'select asked.state, ended.total'],
    'reports that wait': ['as n from result_reports where tenant_id = tenants.id'],
  },
  counts: {
    folding: ['from order_changes where true'],
    'splitting the largest chunk': ['from order_chunks -- Twice'],
  },
  'tables as a whole': {
    statistics: ['select renew_statistics()', 'select settle_tables('],
    'months of the audit log': ['select keep_audit_months('],
  },
  'deleting what is old': {
    answers: ['delete from idempotency_keys where ctid'],
    attempts: ['delete from delivery_attempts where ctid'],
    'delivered bytes': ['update deliveries set body = null where ctid'],
    figures: [
      'delete from receiver_half_hours where ctid',
      'delete from receiver_contacts where ctid',
      'delete from notification_counts where ctid',
      'delete from token_uses where ctid',
    ],
    requests: ['delete from sandbox_requests where ctid', 'delete from token_requests where ctid'],
    'refused reports': ['delete from refused_reports where'],
    mailbox: ['delete from mailbox where id in'],
    links: ['delete from order_links where'],
    tasks: ['delete from tasks where'],
    sessions: ['delete from user_sessions where'],
    invitations: ['delete from user_invitations where'],
    challenges: ['delete from sign_in_challenges where challenge_hash in'],
  },
}

/** Statements that name the tenant, but whose plan over few rows may read all of a table and join it. */
const OF_PLANS = [
  'from receivers r where (r.tenant_id, r.origin) in (select * from unnest(',
  'select from audit_links l where l.tenant_id = e.tenant_id and l.entry_id = e.id',
]

/** Tests ask whether anything is left to deliver. */
const OF_TESTS = "select id from deliveries d where state = 'waiting'"

const plan = await readFile(new URL('../../../../docs/scaling.md', import.meta.url), 'utf8')

let service: TestService

beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  // Operations of operators are tried with the clinic `open`.
  await service.apply(participantWorld({ clinics: [...CLINICS, clinic('open', '60540')] }))
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

  test('the tables that docs/scaling.md divides by a column have it in every unique index, and those that wait have not', async () => {
    const section = plan.split('## Partitions by month')[1]!.split('\n## ')[0]!
    const rows = [...section.matchAll(/^\| (`.*?) \| (.*?) \| (.*) \|$/gm)].map(([, ...cells]) => cells)
    const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
    const without = (table: string, column: string) => service.pool.values`
      select indexrelid::regclass::text from pg_index i where indisunique and indrelid = ${table}::regclass and not exists (
        select from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any(i.indkey) and a.attname = ${column})`
    const [undivided, waiting]: [string[], string[]] = [[], []]
    for (const [of, by, why] of rows) {
      const columns = namesIn(by!)
      for (const [i, table] of namesIn(of!).entries()) {
        const column = columns[i] ?? columns[0]
        if (column) undivided.push(...(await without(table, column)))
        if (why!.startsWith('not yet')) waiting.push(...(await without(table, 'id')))
      }
    }
    expect(undivided).toEqual([])
    expect(waiting).toEqual(['orders_by_code', 'result_reports_by_token'])
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

/** Functions whose statements are put together when they run: they work on tables as a whole. */
const WHOLE_TABLES = ['keep_audit_months', 'renew_statistics', 'settle_tables']

describe('statements', () => {
  let judge: Judge
  beforeAll(async () => (judge = await judgeOf(service)))
  afterAll(() => judge.end())

  test('a statement that does not name its tenant, or reads a table beside it, is noticed', async () => {
    const unbound = compile(sql`select o.id from orders o, tenants t where t.id = ${TENANT}`)
    const unnamed = compile(sql`select id from orders where code = ${'A'}`)
    const joined = compile(sql`
      select from events e join orders o on o.tenant_id = e.tenant_id and o.id = e.order_id where o.code = ${TENANT}`)
    const called = compile(sql`select id from search_orders(${'another'}, ${['acme']}, ${['{1}']}, 1, 1)`)
    const bound = compile(sql`select id from orders where tenant_id = ${TENANT}`)
    const statements = [unbound, unnamed, joined, called, bound]
    expect(await judge.crossing(statements)).toEqual(
      [unbound, unnamed, joined, called].map(({ text }) => oneLine(text)),
    )
  })

  test('every statement inside of a function names the tenant of each table that it reads or changes', async () => {
    const functions = await functionsOf(service)
    expect(functions.filter(({ isDynamic }) => isDynamic).map(({ name }) => name)).toEqual(WHOLE_TABLES)
    expect(functions.flatMap(({ name, unbound }) => unbound.map((text) => `${name}: ${text}`))).toEqual([])
    expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(['find_candidates', 'search_orders']))
  })

  test('a statement inside of a function that does not name its tenant is noticed', async () => {
    await service.pool.transaction(async (db) => {
      await db.script(`
        create function count_both(tenant text) returns bigint language plpgsql as $$ begin
          perform from orders o where o.tenant_id = tenant;
          return (select count(*) from orders o join events e on e.order_id = o.id where o.tenant_id = tenant);
        end $$`)
      const found = (await functionsOf({ pool: db })).filter(({ unbound }) => unbound.length > 0)
      expect(found).toMatchObject([{ name: 'count_both', unbound: [expect.stringContaining('join events')] }])
      await db.script('drop function count_both')
    })
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
    const crossing = await judge.crossing(hot)
    expect(crossing.filter((text) => !text.includes('t.secret_hash ='))).toEqual([])
    expect(hot.length).toBeGreaterThan(20)
  })

  test('every other statement names its tenant, except those that are listed with their purpose', async () => {
    const heard = await heardDuring(async () => {
      await liveThroughADay(service)
      await workInBackground(service)
      await service.store.settle()
    })
    for (const endpoint of operatorOperations) {
      const request = await requestOf(service, endpoint)
      const call = async () => {
        const { status, text } = await service.call(OPERATOR, request)
        if (status >= 300) throw new Error(`${endpoint.name}: ${status} ${text}`)
      }
      heard.push(...(await heardDuring(call)))
    }
    heard.push(...(await heardOfExamples()))
    const crossing = await judge.crossing(heard)
    const known = Object.values(CROSSING).flatMap((does) => Object.values(does).flat())
    const isKnown = (text: string) => [...known, ...OF_PLANS, OF_TESTS].some((part) => text.includes(part))
    expect(crossing.filter((text) => !isKnown(text))).toEqual([])
    expect(known.filter((part) => !crossing.some((text) => text.includes(part)))).toEqual([])
  })

  test('docs/scaling.md has every purpose of statements that cross tenants, and what they do', () => {
    for (const [purpose, does] of Object.entries(CROSSING))
      expect(plan).toContain(`| ${purpose} | ${Object.keys(does).join(', ')} |`)
  })

  async function heardDuring(work: () => Promise<void>, on = service): Promise<Compiled[]> {
    const heard = new Map<string, Compiled>()
    on.hear((statement) => heard.set(statement.text, statement))
    await work()
    on.hear(undefined)
    return [...heard.values()]
  }

  /** Every operation for integrators, in the world of the contract's examples. */
  async function heardOfExamples(): Promise<Compiled[]> {
    const other = await startService()
    try {
      await other.apply(prairieCatalog(TENANT, [prairieToken(SECRET)]))
      const example = await placeExampleOrder(other, SECRET)
      return await heardDuring(async () => {
        for (const endpoint of integratorOperations) {
          const { status, text } = await other.call(SECRET, example(endpoint))
          if (status >= 300) throw new Error(`${endpoint.name}: ${status} ${text}`)
        }
      }, other)
    } finally {
      await other.stop()
    }
  }
})
