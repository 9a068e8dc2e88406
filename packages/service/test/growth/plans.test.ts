import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../src/store/db/db.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { Statement, type Compiled } from '../../src/store/db/sql.ts'
import { endWork } from '../webhooks/working.ts'
import { participantWorld } from '../participants/given.ts'
import { LOOPBACK } from '../support/delivering.ts'
import { startService, type TestService } from '../support/service.ts'
import { GROWING, grow } from './clones.ts'
import { liveThroughADay } from './day.ts'
import { literals } from './literals.ts'
/** Rows of each table in the end. */
const ROWS = 20_000

/** Rows of each table when the service first renews statistics: about a second's worth. */
const FIRST_ROWS = 2_000

/** How many more pages a plan made for empty tables may touch than a fresh one. */
const FACTOR = 2
/** The operators' list of deliveries counts up to 100,000 rows with any plan: it may touch each once. */
const COUNTS_EACH = /\) found\) counted/

/** Allowance for statements that touch few pages. */
const FREE_PAGES = 60

let service: TestService
/** A session that keeps its plans made on empty tables. */
let session: Pool

beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(participantWorld())
  session = connect(service.target, { max: 1, silenceMs: 120_000 })
  // The subject of this test: statistics are not renewed in time.
  const stored = await service.pool.values`
    select coalesce(inhrelid, of)::regclass::text from unnest(${GROWING}::regclass[]) as of left join pg_inherits on inhparent = of`
  for (const table of stored) await service.pool.script(`alter table ${table} set (autovacuum_enabled = false)`)
})

afterAll(async () => {
  await endWork()
  await session.end()
  await service.stop()
})

/** The statements of a day, each with its last values. */
async function statementsOfADay(): Promise<Map<string, Compiled>> {
  const heard = new Map<string, Compiled>()
  service.hear((statement) => heard.set(statement.text, statement))
  await liveThroughADay(service)
  service.hear(undefined)
  return heard
}

test('plans made for empty tables touch hardly more pages after fast growth than fresh plans', async () => {
  const early = await statementsOfADay()
  for (const statement of early.values()) await prepare(statement)
  await grow(service.pool, FIRST_ROWS)
  expect(await service.store.renewStatistics()).toEqual(
    expect.arrayContaining(['orders', 'deliveries', 'notifications']),
  )
  for (const statement of early.values()) await run(statement)
  const undo = await stopRenewing()
  await grow(service.pool, ROWS)
  const late = await statementsOfADay()
  const stale = new Map<string, number>()
  for (const [text, statement] of late) if (early.has(text)) stale.set(text, await pagesOf(session, statement))
  await undo()
  await analyze()
  const fresh = connect(service.target, { max: 1, silenceMs: 120_000 })
  await fresh.script('set plan_cache_mode = force_custom_plan')
  const worse: string[] = []
  for (const [text, pages] of stale) {
    const statement = late.get(text)!
    await fresh.script(`prepare ${statement.name} as ${text}`)
    const best = await pagesOf(fresh, statement)
    const most = Math.max(FACTOR * best + FREE_PAGES, COUNTS_EACH.test(text) ? 1.1 * ROWS : 0)
    if (pages > most) worse.push(`${pages} pages instead of ${best}: ${text.replaceAll(/\s+/g, ' ')}`)
  }
  await fresh.end()
  process.stdout.write(`${stale.size} statements, ${worse.length} of them worse\n`)
  expect(worse).toEqual([])
  expect(stale.size).toBeGreaterThan(80)
}, 300_000)

/** Keeps the service from renewing statistics until the returned function is called. */
async function stopRenewing(): Promise<() => Promise<void>> {
  const other = connect(service.target, { max: 1 })
  await other.script(`begin; set local idle_in_transaction_session_timeout = 0;
    select pg_advisory_xact_lock(hashtext('order-testing-statistics'))`)
  return () => other.end()
}

const analyze = () =>
  service.pool.transaction((db) => db.script(`analyze ${GROWING.join(', ')}`), { isUnlimited: true })

/** Prepares a statement in the session and runs it six times: after five PostgreSQL may keep a generic plan. */
async function prepare({ name, text, values }: Compiled): Promise<void> {
  await session.script(`prepare ${name} as ${text}`)
  for (let i = 0; i < 6; i++) await run({ name, values })
}

const run = ({ name, values }: Pick<Compiled, 'name' | 'values'>) =>
  session.script(`begin; execute ${name}${literals(values)}; rollback`).catch(() => session.script('rollback'))

/**
 * The pages that the statement touches with the session's plan. The first run of any plan also touches rows that were deleted, and marks
 * them, so it is repeated.
 */
const pagesOf = async (pool: Pool, statement: Compiled) =>
  Math.min(await pagesOfRun(pool, statement), await pagesOfRun(pool, statement))

async function pagesOfRun(pool: Pool, { name, values }: Compiled): Promise<number> {
  const explain = new Statement([`explain (analyze, buffers, format json) execute ${name}${literals(values)}`], [])
  let pages = 0
  const measure = async (db: Db) => {
    const [row] = await db<Explained[]>`${explain}`
    const plan = row!['QUERY PLAN'][0]!.Plan
    pages = plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
    // Rolls the measured statement back.
    throw new Undone()
  }
  await pool.transaction(measure).catch((error: unknown) => {
    // A repeated insert fails with a unique violation; plans hardly matter for inserts.
    if (!(error instanceof Undone) && (error as { code?: string }).code !== '23505') throw error
  })
  return pages
}

class Undone extends Error {}

interface Explained {
  'QUERY PLAN': { Plan: Record<string, number> }[]
}
