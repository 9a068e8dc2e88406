import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'

/** Orders per chunk. A chunk with twice as many is split. */
const CHUNK = 1_000

/** Chunks per block. A block with twice as many is divided; a list with fewer has no blocks. */
const BLOCK = 64

/** Changes folded in one transaction. */
export const FOLDED_AT_ONCE = 5_000

/**
 * The most pieces that one split makes. The rest stays in the last one and is split the next time. Of a tenant it may read all
 * orders of the chunk, whatever it makes of them, so it makes more: after an upgrade, the first chunk has all orders.
 */
const PIECES = { ofCompany: 100, ofTenant: 5_000 }

/** Stands for all companies of a tenant. */
export const EVERY_COMPANY = ''

interface Chunk {
  tenantId: string
  /** Or `EVERY_COMPANY`. */
  companyId: string
  list: string
  startKey: string
}

/** Counts of the orders of each list, kept in chunks, so that a list need not be counted. */
export const orderCounts = (db: Db) => ({
  /**
   * Adds changes, of all tenants or of one, to the counts of their chunks, gives them positions, and returns how many there
   * were. If another process is folding, waits for it or does nothing. Must run in a transaction.
   */
  async fold({ waits = false, tenantId }: { waits?: boolean; tenantId?: string } = {}): Promise<number> {
    const ofTenant = tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`
    if (waits) await lockCounts(db)
    else if (!(await tryLock(db))) return 0
    const rows = await db<(((Chunk & { n: number }) | { startKey: null }) & { folded: number })[]>`
      with batch as (select seq from order_changes where ${ofTenant} order by seq limit ${FOLDED_AT_ONCE}),
      entry as materialized (select * from order_list_changes where ${ofTenant} and seq in (select seq from batch)),
      list as materialized (
        select tenant_id, company_id, list, min(key) as first_key, sum(n) as n, (
          select max(c.start_key) from order_chunks c
          where c.tenant_id = e.tenant_id and c.company_id = e.company_id and c.list = e.list) as last_start
        from entry e group by 1, 2, 3),
      -- Most lists change in their last chunk alone, which is then looked up once for all of their entries.
      delta as materialized (
        select tenant_id, company_id, list, coalesce(last_start, '') as start_key, n
        from list where first_key >= coalesce(last_start, '')
        union all
        select e.tenant_id, e.company_id, e.list,
          coalesce(case when e.key >= l.last_start then l.last_start else earlier.start_key end, ''), sum(e.n)
        from list l join entry e on e.tenant_id = l.tenant_id and e.company_id = l.company_id and e.list = l.list
        left join lateral (
          select c.start_key from order_chunks c
          where e.key < l.last_start
            and c.tenant_id = e.tenant_id and c.company_id = e.company_id and c.list = e.list and c.start_key <= e.key
          order by c.start_key desc limit 1
        ) earlier on true
        where l.first_key < l.last_start
        group by 1, 2, 3, 4
      ),
      counted as (
        insert into order_chunks as c (tenant_id, company_id, list, start_key, n)
        -- Most changes move an order within one chunk of its list, whose count stays the same.
        select tenant_id, company_id, list, start_key, n from delta where n <> 0
        on conflict (tenant_id, company_id, list, start_key) do update set n = c.n + excluded.n
        returning c.*
      ),
      gone as (delete from order_changes where ${ofTenant} and seq in (select seq from batch) returning *),
      ${givePositions}
      select folded.folded, counted.tenant_id, counted.company_id, counted.list, counted.start_key, counted.n::int
      from (select count(*)::int as folded from gone) folded left join counted on true`
    const touched = rows.flatMap((row) => (row.startKey === null ? [] : [row]))
    await deleteEmpty(
      db,
      touched.filter(({ n, startKey }) => n === 0 && startKey !== ''),
    )
    return rows[0]!.folded
  },

  /** Lists an event that is sent again behind all others. Must run in a transaction. */
  async repeatEvent({ tenantId, orderId, id }: { tenantId: string; orderId: string; id: string }): Promise<void> {
    await lockCounts(db)
    await db`
      insert into event_positions (tenant_id, company_id, position, event_id, order_id, is_resend)
      select tenant_id, company_id, nextval('change_positions'), ${id}, id, true
      from orders where tenant_id = ${tenantId} and id = ${orderId}`
  },

  /** No position that a reader has seen is above this one. */
  async lastPosition(): Promise<string> {
    const { last } = await db.only<{ last: string }>`
      select (case when is_called then last_value else 0 end)::text as last from change_positions`
    return last
  },

  /** Whether there are changes that have not been folded. */
  async hasChanges(tenantId: string, companyIds: readonly string[]): Promise<boolean> {
    const { exists } = await db.only<{ exists: boolean }>`
      select exists (select from order_changes where tenant_id = ${tenantId} and company_id = any(${companyIds})) as exists`
    return exists
  },

  /**
   * Splits the largest chunk if it has grown too large, and returns whether it did. Slow while many changes wait to be
   * folded. Must run in a transaction.
   */
  async splitLargest(): Promise<boolean> {
    if (!(await tryLock(db))) return false
    const largest = await db.first<Chunk>`
      select tenant_id, company_id, list, start_key from order_chunks
      -- Twice the size of a chunk, as in the condition of the index.
      where n >= 2000 order by n desc limit 1`
    if (!largest) return false
    await split(db, largest)
    await makeBlocks(db, largest)
    return true
  },
})

/** Gives the changes that are `gone` from the queue their positions, and forgets those of removed orders. */
const givePositions = sql`
  last_change as materialized (
    select distinct on (tenant_id, order_id) tenant_id, order_id, company_id, seq, new_status, has_figures
    from gone order by tenant_id, order_id, seq desc),
  placed as (
    insert into order_positions as known (tenant_id, order_id, company_id, position, figures_at)
    select tenant_id, order_id, company_id, position, case when has_figures then position end
    from (
      select changed.*, nextval('change_positions') as position
      from (select * from last_change where new_status is not null order by seq) changed) moved
    on conflict (tenant_id, order_id) do update set position = excluded.position, figures_at = excluded.figures_at),
  removed as (
    delete from order_positions p using last_change l
    where l.new_status is null and p.tenant_id = l.tenant_id and p.order_id = l.order_id),
  announced as (
    insert into event_positions (tenant_id, company_id, position, event_id, order_id)
    select tenant_id, company_id, nextval('change_positions'), event_id, order_id
    from (
      select gone.* from gone
      where exists (select from events e where e.tenant_id = gone.tenant_id and e.id = gone.event_id)
      order by seq) changed
    returning tenant_id, company_id),
  counted_events as (
    insert into event_counts as known (tenant_id, company_id, n)
    select tenant_id, company_id, count(*) from announced group by 1, 2
    on conflict (tenant_id, company_id) do update set n = known.n + excluded.n)`

/** Waits for the lock of `tryLock`. */
export async function lockCounts(db: Db): Promise<void> {
  await db`select pg_advisory_xact_lock(hashtext('order-testing-counts'))`
}

/** Takes the lock that lets one process at a time change chunks. */
async function tryLock(db: Db): Promise<boolean> {
  const { got } = await db.only<{ got: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('order-testing-counts')) as got`
  return got
}

/**
 * Splits a chunk into pieces. The count of each piece leaves out changes that are not folded yet, since these are counted
 * separately; the last piece gets the rest.
 */
async function split(db: Db, { tenantId, companyId, list, startKey }: Chunk): Promise<void> {
  const { key, condition } = listQueryOf(list)
  const ours = sql`tenant_id = ${tenantId} and company_id = ${companyId} and list = ${list}`
  const most = CHUNK * (companyId === EVERY_COMPANY ? PIECES.ofTenant : PIECES.ofCompany)
  await db`
    with bound as (
      select coalesce(min(start_key), '~') as end_key from order_chunks where ${ours} and start_key > ${startKey}),
    numbered as (
      select key, (row_number() over (order by key) - 1) / ${CHUNK} as part
      from (select ${key} as key from orders o
            where o.tenant_id = ${tenantId} and ${isOfCompany(tenantId, companyId)} ${condition}
              and ${key} >= ${startKey} and ${key} < (select end_key from bound)
            order by 1 limit ${most}) found),
    piece as (
      select case when part = 0 then ${startKey} else min(key) end as start_key, count(*) as n
      from numbered group by part),
    ranged as (select start_key, n, lead(start_key) over (order by start_key) as end_key from piece),
    waiting as materialized (select key, n from order_list_changes where ${ours}),
    counted as (
      select start_key, end_key, case when end_key is null then 0 else n - coalesce((
        select sum(w.n) from waiting w where w.key >= start_key and w.key < end_key), 0) end as n
      from ranged)
    insert into order_chunks as chunk (tenant_id, company_id, list, start_key, n)
    select ${tenantId}, ${companyId}, ${list}, start_key,
      case when end_key is null then (
        (select n from order_chunks where ${ours} and start_key = ${startKey}) - (select sum(n) from counted)) else n end
    from counted
    on conflict (tenant_id, company_id, list, start_key) do update set n = excluded.n`
}

/** Divides the block of a chunk, or the chunks of a list without blocks, if they are many. */
async function makeBlocks(db: Db, { tenantId, companyId, list, startKey }: Chunk): Promise<void> {
  const ours = sql`tenant_id = ${tenantId} and company_id = ${companyId} and list = ${list}`
  await db`
    with begin as (
      select coalesce(max(start_key), '') as start_key from order_blocks where ${ours} and start_key <= ${startKey}),
    numbered as (
      select start_key, n, (row_number() over (order by start_key) - 1) / ${BLOCK} as part, count(*) over () as chunks
      from order_chunks
      where ${ours} and start_key >= (select start_key from begin) and start_key < (
        select coalesce(min(start_key), '~') from order_blocks where ${ours} and start_key > ${startKey}))
    insert into order_blocks (tenant_id, company_id, list, start_key, n)
    select ${tenantId}, ${companyId}, ${list}, min(start_key), sum(n)
    from numbered where chunks >= ${2 * BLOCK} group by part
    on conflict (tenant_id, company_id, list, start_key) do update set n = excluded.n`
}

/**
 * The condition that an order is of a company, or of any of them, so that indexes that begin with the company can be used. Do not
 * look into one company after the other instead: a plan that finds orders by time reads the whole chunk for each.
 */
export const isOfCompany = (tenantId: string, companyId: string): Statement =>
  companyId === EVERY_COMPANY
    ? sql`o.company_id = any(array(select id from companies where tenant_id = ${tenantId}))`
    : sql`o.company_id = ${companyId}`

/** The range of a deleted chunk becomes part of the previous one. */
async function deleteEmpty(db: Db, chunks: Chunk[]): Promise<void> {
  if (chunks.length === 0) return
  await db`
    delete from order_chunks where n = 0 and (tenant_id, company_id, list, start_key) in (
      select tenant_id, company_id, list, start_key
      from ${givenRows(chunks, { text: ['tenantId', 'companyId', 'list', 'startKey'] })})`
}

/** The sort key of a list, and the condition that its orders meet. */
export function listQueryOf(list: string): { key: Statement; condition: Statement } {
  const [kind, value] = [list.split(' ', 1)[0], list.slice(list.indexOf(' ') + 1)]
  if (kind === 'updated') return { key: sql`updated_key(o.updated_at, o.id)`, condition: sql`` }
  if (kind === 'location') return { key: sql`o.id`, condition: sql`and o.location_id = ${value}` }
  if (kind === 'status') return { key: sql`o.id`, condition: sql`and o.status = ${value}` }
  return { key: sql`o.id`, condition: sql`` }
}
