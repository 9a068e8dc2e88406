import type { Pool } from '../../src/store/db/pool.ts'

/** Adds copies of an order to a company, which are read but cannot be opened. The triggers of orders must be off. */
export const copyRow = (
  session: Pool,
  id: string,
  { prefix, companyId, count }: { prefix: string; companyId: string; count: number },
) =>
  session.transaction(
    (db) => db`
      insert into orders
      select (jsonb_populate_record(o, jsonb_build_object('id', ${prefix} || n, 'code', ${prefix} || n, 'company_id', ${companyId}::text))).*
      from orders o cross join generate_series(1, ${count}) n where o.id = ${id}`,
    { isUnlimited: true },
  )

/** Pages of orders and their indexes that were read since the database was made, from memory or disk. Complete for its own session. */
export async function pagesTouched(session: Pool): Promise<number> {
  await session`select pg_stat_force_next_flush()`
  const { pages } = await session.only<{ pages: number }>`
    select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::float8 as pages
    from pg_statio_user_tables where relid = 'orders'::regclass`
  return pages
}
