import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import { cancelled, created } from '../orders/given.ts'
import { participantWorld } from '../participants/given.ts'
import { applied } from '../retention/given.ts'
import { LOOPBACK } from '../support/delivering.ts'
import { startService, type TestService } from '../support/service.ts'
import { httpReceiver } from '../webhooks/receivers.ts'
import { endWork } from '../webhooks/working.ts'
import { movableClock } from './clock.ts'
import { liveThroughADay, workInBackground } from './day.ts'

const MONTHS = 12

/** Orders in each half of a month besides those of a day: enough for disk that is not used again to show. */
const ORDERS = 25

/** From this month on, as much is deleted as is added. */
const STEADY = 5

/** From this month on, the audit log, which is pruned by whole months, takes no more disk either. */
const STEADY_DISK = 8

const CLOSED = ['negative', 'positive', 'refusal', 'cancelled']
const POLICY = {
  orders: Object.fromEntries(CLOSED.map((outcome) => [outcome, '90 days'])),
  notifications: '60 days',
  webhookEvents: '60 days',
  webhookAttempts: '7 days',
  resultReports: '60 days',
  documents: '60 days',
  audit: '3 months',
}

/** Tables that may have more rows than before, and why. */
const BOUNDED = {
  audit_checkpoints: 'one row for each month and tenant whose log was pruned',
  token_requests: 'the last hundred requests of each token, for a week, written by a timer',
  sandbox_requests: 'the same, in a sandbox',
  token_uses: 'a row for each token, scope and day of a month, written by a timer',
}

/** Tables without rows in this year, and why. That an empty table does not grow proves nothing, so all others must have had some. */
const EMPTY = {
  delivery_workers: 'processes that deliver: none is left between two days',
  key_checks: 'a row for each key, written at a start',
  laboratory_codes: 'a part of the catalog',
  legal_holds: 'placed by operators',
  nodes: 'processes, which this test has none of',
  order_blocks: 'only lists of 128,000 orders have blocks',
  passkeys: 'registered by people',
  receivers: 'a healthy receiver has no row',
  runtime_roles: 'roles of the database',
  sandbox_simulations: 'only while an order is simulated',
  sandbox_troubles: 'only while trouble is armed',
  saved_views: 'saved by operators',
  suppressions: 'addresses that bounced or opted out',
  wallets: 'set up by operators',
  wrong_answers: 'of devices that are asked who uses them',
}

/** Work in progress, which housekeeping ends. */
const PASSING = ['idempotency_keys', 'order_changes']

type Figures = Record<string, number>

let service: TestService
let clock: Awaited<ReturnType<typeof movableClock>>

beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(participantWorld())
  clock = await movableClock(service)
  // Logs are pruned by months of the calendar, so how many entries there are depends on the day of the first.
  const nextYear = Date.UTC(new Date().getUTCFullYear() + 1, 0, 1)
  await clock.pass(Math.ceil((nextYear - Date.now()) / 86_400_000))
})

afterAll(async () => {
  clock?.stop()
  await endWork()
  await service.stop()
})

describe('a year of equal months, with records kept for three of them', () => {
  /** Rows at the end of a day, before and after what is too old was deleted, and the pages that are left. */
  const months: Record<'lived' | 'before' | 'after' | 'pages', Figures>[] = []
  const parts: string[][] = []
  let startRows: Figures = {}

  beforeAll(async () => {
    const { url } = await httpReceiver()
    startRows = await countRows()
    for (let month = 0; month < MONTHS; month++) {
      let lived: Figures = {}
      for (const days of [15, 15]) {
        const orders = await Promise.all(Array.from({ length: ORDERS }, () => created(service, { callback: { url } })))
        await Promise.all(orders.map(({ id }) => cancelled(service, id)))
        await liveThroughADay(service)
        lived = await countRows()
        await workInBackground(service)
        for (const id of await openOrders()) await cancelled(service, id)
        await clock.pass(days)
      }
      const before = await countRows()
      await applied(service, POLICY, { now: new Date() })
      await runHousekeeping(service.store, new Date())
      // As autovacuum does: a part of the audit log is dropped when it has no pages, and pages of other tables are used again.
      await service.pool.script('vacuum')
      for (let log = 0; log < 2; log++) await service.store.keepAuditMonths(new Date())
      months.push({ lived, before, after: await countRows(), pages: await countPages() })
      parts.push(await auditParts())
    }
  }, 600_000)

  const most = (name: string, figures: Figures[]) => Math.max(...figures.map((figure) => figure[name] ?? 0))
  const unbounded = () => Object.keys(months[0]!.after).filter((name) => !(name in BOUNDED))

  /** Tables that had more in the second half of the months from one on than in the first. */
  function growing(which: 'after' | 'pages', from: number, isMore: (now: number, before: number) => boolean): string[] {
    const half = Math.ceil(from + (MONTHS - from) / 2)
    const figures = months.map((month) => month[which])
    return unbounded().flatMap((name) => {
      const [before, now] = [most(name, figures.slice(from, half)), most(name, figures.slice(half))]
      return isMore(now, before) ? [`${name}: ${before}, then ${now}`] : []
    })
  }

  test('every table gets rows, except those that are named with their reason', () => {
    const all = months.flatMap(({ lived, before, after }) => [lived, before, after])
    const empty = unbounded().filter((name) => most(name, all) === 0)
    expect(empty.toSorted()).toEqual(Object.keys(EMPTY))
  })

  test('no table goes on getting rows', () => {
    // How a name sounds makes one key or two.
    expect(growing('after', STEADY, (now, before) => now > 1.1 * before)).toEqual([])
    const counted = months.map(({ after }) => after)
    const tokens = most('tokens', counted)
    // Of each token, those that succeeded and those that were refused.
    expect(most('token_requests', counted)).toBeLessThanOrEqual(200 * tokens)
    expect(most('sandbox_requests', counted)).toBeLessThanOrEqual(100 * tokens)
  })

  test('no table goes on taking pages', () => {
    expect(growing('pages', STEADY_DISK, (now, before) => now > 1.05 * before + 3)).toEqual([])
  })

  test('docs/scaling.md names every table that grows before anything is deleted', async () => {
    const plan = await readFile(new URL('../../../../docs/scaling.md', import.meta.url), 'utf8')
    const section = plan.split('## What grows')[1]!.split('\n## ')[0]!
    const named = new Set([...section.matchAll(/`(\w+)`/g)].map(([, name]) => name!))
    const all = months.flatMap(({ lived, before, after }) => [lived, before, after])
    const grown = Object.keys(months[0]!.after).filter((name) => most(name, all) > startRows[name]!)
    expect(grown.filter((name) => !named.has(name))).toEqual([])
    expect(grown.length).toBeGreaterThan(30)
  })

  test('answers to idempotency keys and changes to be folded are there until housekeeping ends them', () => {
    for (const { before, after } of months)
      for (const name of PASSING) expect([name, before[name]! > 0, after[name]]).toEqual([name, true, 0])
  })

  test('the audit log has a part for each month that is kept, and for the two to come', () => {
    const [before, after] = [parts[STEADY]!, parts.at(-1)!]
    expect(after).toHaveLength(before.length)
    const year = new Date().getUTCFullYear()
    const kept = [...['09', '10', '11', '12'].map((month) => `${year}_${month}`), `${year + 1}_01`, `${year + 1}_02`]
    expect(after).toEqual([...kept, 'before', 'of_no_month'].map((name) => `audit_entries_${name}`))
  })

  test('no entry is outside of its month', async () => {
    const strays = await service.pool.values`
      select id from audit_entries_of_no_month union all
      select id from audit_entries e where tableoid::regclass::text like '%\_20%'
        and tableoid::regclass::text <> 'audit_entries' || to_char(at at time zone 'UTC', '_YYYY_MM')`
    expect(strays).toEqual([])
  })

  const auditParts = () => service.pool.values`
    select inhrelid::regclass::text from pg_inherits where inhparent = 'audit_entries'::regclass order by 1`

  const openOrders = () =>
    service.pool.values`select id from orders where status in ('ordered', 'scheduled') order by id`

  async function countRows(): Promise<Figures> {
    const rows = await service.pool<{ name: string; count: number }[]>`
      select relname::text as name,
        (xpath('//c/text()', query_to_xml(format('select count(*) as c from %s', oid::regclass), true, false, '')))[1]::text::int as count
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
  }

  /** Of tables with their indexes and long values; parts count for the whole. */
  async function countPages(): Promise<Figures> {
    const rows = await service.pool<{ name: string; pages: number }[]>`
      select coalesce(parent.relname, c.relname)::text as name,
        (sum(pg_total_relation_size(c.oid)) / current_setting('block_size')::int)::int as pages
      from pg_class c left join (pg_inherits i join pg_class parent on parent.oid = i.inhparent) on i.inhrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1`
    return Object.fromEntries(rows.map(({ name, pages }) => [name, pages]))
  }
})
