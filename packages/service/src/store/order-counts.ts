import type { Db } from './database.ts'

/** Chunks that have grown to this are closed: later keys go to a new one. */
const CHUNK = 1_000

/** Changes folded in one go; more are left for the next. */
const BATCH = 1_000

/** How many orders a list has, without counting them. */
export const orderCounts = (db: Db) => ({
  /**
   * Moves changes into the chunks and tells how many there were. Only one process folds at a time: another leaves it
   * be. Must run in a transaction.
   */
  async fold(): Promise<number> {
    const [lock] = await db<
      { got: boolean }[]
    >`select pg_try_advisory_xact_lock(hashtext('order-testing-counts')) as got`
    if (!lock?.got) return 0
    const [moved] = await db<{ count: number }[]>`
      with batch as (select seq from order_changes order by seq limit ${BATCH}),
      delta as materialized (
        select l.tenant_id, l.company_id, l.list, coalesce(chunk.start_key, '') as start_key, sum(l.n) as n, max(l.key) as top
        from order_list_changes l
        left join lateral (
          select c.start_key from order_chunks c
          where c.tenant_id = l.tenant_id and c.company_id = l.company_id and c.list = l.list and c.start_key <= l.key
          order by c.start_key desc limit 1
        ) chunk on true
        where l.seq in (select seq from batch)
        group by 1, 2, 3, 4
      ),
      counted as (
        insert into order_chunks as c (tenant_id, company_id, list, start_key, n, top_key)
        select tenant_id, company_id, list, start_key, n, top from delta
        on conflict (tenant_id, company_id, list, start_key) do update
          set n = c.n + excluded.n, top_key = greatest(c.top_key, excluded.top_key)
        returning c.*
      ),
      -- The last chunk of a list, once it is full, ends behind the highest key it has: what comes later has its own.
      opened as (
        insert into order_chunks (tenant_id, company_id, list, start_key, n, top_key)
        select c.tenant_id, c.company_id, c.list, c.top_key || ' ', 0, c.top_key || ' '
        from counted c
        where c.n >= ${CHUNK} and not exists (
          select from order_chunks later
          where later.tenant_id = c.tenant_id and later.company_id = c.company_id and later.list = c.list
            and later.start_key > c.start_key)
        on conflict do nothing
      ),
      gone as (delete from order_changes where seq in (select seq from batch) returning 1)
      select count(*)::int as count from gone`
    return moved?.count ?? 0
  },
})
