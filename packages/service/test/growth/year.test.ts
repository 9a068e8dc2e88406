import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import { cancelled } from '../orders/given.ts'
import { participantWorld } from '../participants/given.ts'
import { applied } from '../retention/given.ts'
import { LOOPBACK } from '../support/delivering.ts'
import { startService, type TestService } from '../support/service.ts'
import { endWork } from '../webhooks/working.ts'
import { movableClock } from './clock.ts'
import { liveThroughADay } from './day.ts'

const MONTHS = 12

/** From this month on, as much is deleted as is added. */
const STEADY = 5

const CLOSED = ['negative', 'positive', 'refusal', 'cancelled']
const POLICY = {
  orders: Object.fromEntries(CLOSED.map((outcome) => [outcome, '90 days'])),
  notifications: '90 days',
  audit: '3 months',
}

/** Tables that may have more rows than before, and why. */
const BOUNDED = {
  audit_checkpoints: 'one row for each month and tenant whose log was pruned',
  token_requests: 'the last hundred requests of each token, for a week, written by a timer',
  sandbox_requests: 'the same, in a sandbox',
  token_uses: 'a row for each token, scope and day of a month, written by a timer',
}

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
  const ends: Record<string, number>[] = []
  const parts: string[][] = []

  beforeAll(async () => {
    for (let month = 0; month < MONTHS; month++) {
      for (const days of [15, 15]) {
        await liveThroughADay(service)
        for (const id of await openOrders()) await cancelled(service, id)
        await clock.pass(days)
      }
      await applied(service, POLICY, { now: new Date() })
      await runHousekeeping(service.store, new Date())
      // As autovacuum does: a part is dropped when it has no pages.
      await service.pool.script('vacuum audit_entries, audit_details')
      for (let log = 0; log < 2; log++) await service.store.keepAuditMonths(new Date())
      ends.push(await countRows())
      parts.push(await auditParts())
    }
  })

  test('orders, events, attempts, notifications, reports and entries of the audit log are added', () => {
    const [first = {}] = ends
    const added = 'orders events deliveries delivery_attempts notifications result_reports search_keys audit_entries'
    for (const name of added.split(' ')) expect([name, first[name]]).not.toEqual([name, 0])
  })

  test('no table goes on growing', () => {
    const half = STEADY + (MONTHS - STEADY) / 2
    const most = (name: string, months: typeof ends) => Math.max(...months.map((end) => end[name] ?? 0))
    const unbounded = Object.keys(ends.at(-1)!).filter((name) => !(name in BOUNDED))
    const growing = unbounded.flatMap((name) => {
      const [before, after] = [most(name, ends.slice(STEADY, half)), most(name, ends.slice(half))]
      // How a name sounds makes one key or two.
      return after > 1.1 * before ? [`${name}: ${before} rows, then ${after}`] : []
    })
    expect(growing).toEqual([])
    const tokens = most('tokens', ends)
    // Of each token, those that succeeded and those that were refused.
    expect(most('token_requests', ends)).toBeLessThanOrEqual(200 * tokens)
    expect(most('sandbox_requests', ends)).toBeLessThanOrEqual(100 * tokens)
  })

  test('the audit log has a part for each month that is kept, and for the two to come', () => {
    const [before, after] = [parts[STEADY]!, parts.at(-1)!]
    expect(after).toHaveLength(before.length)
    const year = new Date().getUTCFullYear()
    const months = [...['09', '10', '11', '12'].map((month) => `${year}_${month}`), `${year + 1}_01`, `${year + 1}_02`]
    expect(after).toEqual([...months, 'before', 'of_no_month'].map((name) => `audit_entries_${name}`))
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

  async function countRows(): Promise<Record<string, number>> {
    const rows = await service.pool<{ name: string; count: number }[]>`
      select relname::text as name,
        (xpath('//c/text()', query_to_xml(format('select count(*) as c from %s', oid::regclass), true, false, '')))[1]::text::int as count
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
  }
})
