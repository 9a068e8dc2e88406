import { ORDER_STATUSES } from '@order-testing/contract'
import type { Order } from '../../domain/orders/order.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { EVERY_COMPANY, isOfCompany, listQueryOf } from './counts.ts'
import { contentColumns, openOrder, type ContentRow } from './rows.ts'

/** Where a walk through a table goes on. */
export interface Place {
  tenantId: string
  id: string
}

export const BEGINNING: Place = { tenantId: '', id: '' }

export interface CompanyId {
  tenantId: string
  companyId: string
}

/** A part of a list whose kept count is not the number of its orders. */
export interface WrongCount extends CompanyId {
  list: string
  kept: number
  counted: number
}

/** Rows that a batch has looked at, the wrong ones, and where the next batch begins; undefined after the last one. */
export interface Walked<T> {
  seen: number
  wrong: T[]
  next: Place | undefined
}

/**
 * Reads everything once and compares it, a batch for each call. Each batch is one statement and so sees one moment: what is
 * written meanwhile is either all in it or not at all.
 */
export const invariants = (db: Db, keyring: Keyring) => ({
  /** Companies with orders or counts, and all companies of each tenant together. Skips through the indexes from one to the next. */
  companies(): Promise<CompanyId[]> {
    const companiesIn = (table: 'orders' | 'order_chunks') => {
      const source = table === 'orders' ? sql`orders` : sql`order_chunks`
      return sql`
        (with recursive found as (
          (select tenant_id, company_id from ${source} order by 1, 2 limit 1)
          union all
          select n.tenant_id, n.company_id from found cross join lateral (
            select tenant_id, company_id from ${source} s
            where (s.tenant_id, s.company_id) > (found.tenant_id, found.company_id) order by 1, 2 limit 1) n)
        select tenant_id, company_id from found)`
    }
    return db<CompanyId[]>`
      ${companiesIn('orders')} union ${companiesIn('order_chunks')}
      union select id, ${EVERY_COMPANY} from tenants order by 1, 2`
  },

  /** The lists of a company that orders may be in. */
  listsOf: ({ tenantId, companyId }: CompanyId) => db.values`
    select 'all' as list union select 'updated' union select 'status ' || status from unnest(${[...ORDER_STATUSES]}::text[]) as status
    union select 'location ' || id from locations where tenant_id = ${tenantId} and company_id = ${companyId}
    union select list from order_chunks where tenant_id = ${tenantId} and company_id = ${companyId} order by 1`,

  /** Compares the kept counts of a list with its orders, some chunks from a key on. */
  async countsFrom(
    { tenantId, companyId }: CompanyId,
    list: string,
    { from, most }: { from: string; most: number },
  ): Promise<{ seen: number; wrong: WrongCount[]; next: string | undefined }> {
    const { key, condition } = listQueryOf(list)
    const ours = sql`tenant_id = ${tenantId} and company_id = ${companyId} and list = ${list}`
    const rows = await db<{ startKey: string; kept: number; counted: number }[]>`
      with chunk as materialized (
        select start_key, n, lead(start_key) over (order by start_key) as end_key from (
          (select start_key, n from order_chunks where ${ours} and start_key >= ${from} order by start_key limit ${most + 1})
          union all
          -- Orders before the first chunk, or without any.
          select '', 0 where ${from} = '' and not exists (select from order_chunks where ${ours} and start_key = '')) kept)
      select start_key, (n + coalesce((
          select sum(c.n) from order_list_changes c
          where ${ours} and c.key >= start_key and c.key < coalesce(end_key, '~')), 0))::int as kept,
        (select count(*) from orders o where o.tenant_id = ${tenantId} and ${isOfCompany(tenantId, companyId)} ${condition}
          and ${key} >= start_key and ${key} < coalesce(end_key, '~'))::int as counted
      from (select * from chunk order by start_key limit ${most}) checked
      union all
      (select start_key, 0, 0 from chunk order by start_key offset ${most} limit 1)
      order by 1`
    const checked = rows.slice(0, most)
    return {
      seen: checked.reduce((sum, { counted }) => sum + counted, 0),
      wrong: checked
        .filter(({ kept, counted }) => kept !== counted)
        .map(({ kept, counted }) => ({ tenantId, companyId, list, kept, counted })),
      next: rows[most]?.startKey,
    }
  },

  /** Blocks whose kept count is not that of their chunks. The first one of a list counts from its beginning. */
  wrongBlocks: ({ tenantId, companyId }: CompanyId) => db<WrongCount[]>`
    select b.tenant_id, b.company_id, b.list, b.n::int as kept, coalesce(sum(c.n), 0)::int as counted
    from (
      select *, case when row_number() over keys = 1 then '' else start_key end as from_key, lead(start_key, 1, '~') over keys as end_key
      from order_blocks where tenant_id = ${tenantId} and company_id = ${companyId}
      window keys as (partition by list order by start_key)) b
    left join order_chunks c on c.tenant_id = ${tenantId} and c.company_id = ${companyId} and c.list = b.list
      and c.start_key >= b.from_key and c.start_key < b.end_key
    group by b.tenant_id, b.company_id, b.list, b.start_key, b.n
    having b.n is distinct from sum(c.n)
    order by b.list, b.start_key`,

  /** Events without their order, or without the change that they announce. */
  async eventsAfter({ tenantId, id }: Place, most: number): Promise<Walked<Place>> {
    const rows = await db<(Place & { isWrong: boolean })[]>`
      select e.tenant_id, e.id,
        not exists (select from orders o where o.tenant_id = e.tenant_id and o.id = e.order_id)
          or not exists (
            select from event_positions p
            where p.tenant_id = e.tenant_id and p.order_id = e.order_id and p.event_id = e.id)
          and not exists (select from order_changes c where c.event_id = e.id and c.tenant_id = e.tenant_id) as is_wrong
      from (
        select tenant_id, id, order_id from events
        where (tenant_id, id) > (${tenantId}, ${id}) order by tenant_id, id limit ${most}) e
      order by 1, 2`
    return walked(rows, most, ({ isWrong }) => isWrong)
  },

  /** Orders without a history that ends in their status, or without a change that readers can follow. */
  async ordersAfter({ tenantId, id }: Place, most: number): Promise<Walked<Place>> {
    const rows = await db<(Place & ContentRow & { status: string; isUnplaced: boolean })[]>`
      select o.tenant_id, ${contentColumns()}, o.status,
        not exists (select from order_positions p where p.tenant_id = o.tenant_id and p.order_id = o.id)
          and not exists (
            select from order_changes c
            where c.tenant_id = o.tenant_id and c.company_id = o.company_id and c.order_id = o.id) as is_unplaced
      from (
        select * from orders where (tenant_id, id) > (${tenantId}, ${id}) order by tenant_id, id limit ${most}) o
      order by o.tenant_id, o.id`
    return walked(rows, most, (row) => row.isUnplaced || !hasHistory(keyring, row))
  },

  /** Orders that lack a row for one of the keys and codes that matching and search find them by. Those of earlier builds may have none yet. */
  async keysAfter({ tenantId, id }: Place, most: number): Promise<Walked<Place>> {
    const rows = await db<(Place & { isWrong: boolean })[]>`
      select o.tenant_id, o.id,
        exists (
          select from unnest(o.blocking_keys) as expected (key)
          where not exists (
            select from blocking_keys k where k.tenant_id = o.tenant_id and k.key = expected.key and order_id = o.id))
        or exists (
          select from unnest(o.search_keys) as expected (key)
          where not exists (
            select from search_keys k
            where k.tenant_id = o.tenant_id and substr(order_id, 5, 4) = substr(o.id, 5, 4) and k.key = expected.key
              and substr(order_id, 9, 1) = substr(o.id, 9, 1) and order_id = o.id))
        or exists (
          select from unnest(o.search_codes) as expected (code)
          where not exists (
            select from search_codes k
            where k.tenant_id = o.tenant_id and k.code = expected.code
              and substr(order_id, 5, 5) = substr(o.id, 5, 5) and order_id = o.id)) as is_wrong
      from (
        select * from orders where (tenant_id, id) > (${tenantId}, ${id}) order by tenant_id, id limit ${most}) o
      order by o.tenant_id, o.id`
    return walked(rows, most, ({ isWrong }) => isWrong)
  },
})

function hasHistory(keyring: Keyring, row: Place & ContentRow & { status: string }): boolean {
  let order: Order
  try {
    order = openOrder(keyring, row.tenantId, row)
  } catch {
    return false
  }
  const { status, history, services } = order
  const isTold = services.every((service) => service.history.length > 0)
  return status === row.status && history.at(-1)?.status === status && isTold
}

function walked<T extends Place>(rows: T[], most: number, isWrong: (row: T) => boolean): Walked<Place> {
  const toPlace = ({ tenantId, id }: Place) => ({ tenantId, id })
  const last = rows.at(-1)
  return {
    seen: rows.length,
    wrong: rows.filter((row) => isWrong(row)).map((row) => toPlace(row)),
    next: rows.length === most && last ? toPlace(last) : undefined,
  }
}
