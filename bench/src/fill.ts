import { availableParallelism } from 'node:os'
import { connect, type Pool } from '@order-testing/service/store/db/pool'
import { SideThread } from '@order-testing/service/threads/side-thread'
import { waitUntilFolded } from './quiet.ts'
import { orderBody, post, secretHeaders, type World } from './world.ts'

/** Orders that a thread copies in one transaction. */
const SHARE = 20_000

/** From this many orders on, building the indexes anew takes less time than maintaining them. */
const MANY = 200_000

/** Filled by triggers when the service writes an order; here by one statement each, since that is much faster. */
const KEY_TABLES = ['blocking_keys', 'search_keys', 'search_codes', 'order_positions', 'order_chunks', 'order_blocks']

export interface FillRange {
  from: number
  to: number
}

/**
 * Adds made-up orders, as the service would have written them, spread over the companies `c-0` (three of ten) to `c-999` and over
 * the last year. Each order is sealed on its own, in as many threads as there are cores. The service is stopped meanwhile.
 */
export async function fill(world: World, { from, to }: FillRange): Promise<number> {
  if (to <= from) return to
  const { id } = await post(
    `${world.origin}/api/v2/orders`,
    secretHeaders('c-0'),
    orderBody('c-0', { externalId: 'x' }),
  )
  await waitUntilFolded(world.pool)
  await world.stopService()
  const [pool, other] = [await openPool(world.databaseUrl), await openPool(world.databaseUrl)]
  await pool.script(`alter table orders disable trigger user; truncate ${KEY_TABLES.join(', ')}`)
  const dropped = to - from >= MANY ? await dropIndexes(pool) : []
  await copyInThreads(world.databaseUrl, { from, to, template: id })
  const indexes = (isOrders: boolean) =>
    dropped.filter((each) => each.isOrders === isOrders).map(({ definition }) => definition)
  await Promise.all([
    runScripts(pool, [FILL_KEYS, ...indexes(false)]),
    runScripts(other, [FILL_POSITIONS, FILL_CHUNKS, ...indexes(true)]),
  ])
  await pool.script('alter table orders enable trigger user')
  say('statistics')
  await pool.script(`vacuum (analyze) orders, ${KEY_TABLES.join(', ')}`)
  await pool.end()
  await other.end()
  say('')
  await world.startService()
  return to
}

/** A connection for long statements that a benchmark may lose. */
async function openPool(databaseUrl: string): Promise<Pool> {
  const pool = connect(databaseUrl, { max: 1, silenceMs: Number.POSITIVE_INFINITY })
  await pool.script(`
    set statement_timeout = 0; set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '256MB'`)
  return pool
}

async function runScripts(pool: Pool, scripts: string[]): Promise<void> {
  for (const script of scripts) {
    say(script.trim().replace(/\s+/g, ' ').slice(0, 70))
    await pool.script(script)
  }
}

/** What follows from the orders: the keys they are found by. */
const FILL_KEYS = `
  insert into blocking_keys select tenant_id, key, id from orders, unnest(blocking_keys) as key on conflict do nothing;
  insert into search_keys select tenant_id, key, id from orders, unnest(search_keys) as key on conflict do nothing;
  insert into search_codes select tenant_id, coded.code, id from orders, unnest(search_codes) as coded (code) on conflict do nothing`

/** Their places in the list of changes. */
const FILL_POSITIONS = `
  insert into order_positions (tenant_id, order_id, company_id, position)
    select tenant_id, id, company_id, nextval('change_positions') from orders;
  -- Figures of these orders would be computed while others are measured.
  insert into figure_positions (tenant_id, company_id, position)
    select tenant_id, company_id, max(position) from order_positions group by 1, 2
    on conflict (tenant_id, company_id) do update set position = excluded.position`

/** Their counts, in chunks of a thousand, and in blocks of 64 chunks. */
const FILL_CHUNKS = `
  insert into order_chunks (tenant_id, company_id, list, start_key, n)
    select tenant_id, company_id, list, case when part = 0 then '' else min(key) end, count(*)
    from (
      select tenant_id, entry.company_id, list, key,
        (row_number() over (partition by tenant_id, entry.company_id, list order by key) - 1) / 1000 as part
      from orders o cross join lateral (values
        (o.company_id, 'all', id), (o.company_id, 'status ' || status, id), (o.company_id, 'updated', updated_key(updated_at, id)),
        (o.company_id, 'location ' || location_id, id),
        ('', 'all', id), ('', 'status ' || status, id), ('', 'updated', updated_key(updated_at, id))
      ) as entry (company_id, list, key)) numbered
    group by tenant_id, company_id, list, part;
  insert into order_blocks (tenant_id, company_id, list, start_key, n)
    select tenant_id, company_id, list, min(start_key), sum(n)
    from (
      select *, (row_number() over (partition by tenant_id, company_id, list order by start_key) - 1) / 64 as part,
        count(*) over (partition by tenant_id, company_id, list) as chunks
      from order_chunks) numbered
    where chunks >= 128
    group by tenant_id, company_id, list, part`

/**
 * Drops the indexes that are not needed to check uniqueness, and returns how to make them again. Pages of random keys are 60 % full:
 * the index of search keys then takes as much space as if the rows had come one by one.
 */
async function dropIndexes(pool: Pool): Promise<{ definition: string; isOrders: boolean }[]> {
  const indexes = await pool<{ name: string; definition: string; isOrders: boolean }[]>`
    select indexname as name, indexdef as definition, tablename = 'orders' as "isOrders" from pg_indexes
    where schemaname = current_schema() and tablename in ('orders', 'search_keys', 'search_codes') and indexname <> 'orders_pkey'`
  for (const { name } of indexes) await pool.script(`drop index ${name}`)
  return indexes.map(({ definition, isOrders }) => {
    const isRandom = !isOrders && !definition.includes('fillfactor')
    return { definition: definition + (isRandom ? ' with (fillfactor = 60)' : ''), isOrders }
  })
}

async function copyInThreads(
  databaseUrl: string,
  { from, to, template }: FillRange & { template: string },
): Promise<void> {
  const begun = performance.now()
  let [next, done] = [from, 0]
  // Each thread goes on with the next share: a new one would be slow until its code is compiled.
  const work = async () => {
    const thread = new SideThread<FillRange, void>(new URL('fill-thread.js', import.meta.url), () => ({
      databaseUrl,
      template,
      total: to,
    }))
    while (next < to) {
      const share = { from: next, to: Math.min(next + SHARE, to) }
      next = share.to
      await thread.run(share)
      done += share.to - share.from
      const seconds = (performance.now() - begun) / 1000
      const left = ((to - from - done) / done) * seconds
      const filled = Math.round((done / (to - from)) * 30)
      const bar = '#'.repeat(filled) + '.'.repeat(30 - filled)
      say(`[${bar}] ${done.toLocaleString('en-US')} orders, ${Math.ceil(left)} s left`)
    }
    await thread.stop()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
}

/** One line of progress, replaced by the next. */
function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`)
}
