import type { Caller } from '../../domain/access/caller.ts'
import type { OrderView } from '../../domain/orders/view.ts'
import type { Db } from '../db/db.ts'
import type { Page } from '../db/page.ts'
import { andEqual, sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { listQueryOf } from './counts.ts'
import { floorOf, instant, type OrderFilter } from './filter.ts'
import { ALL, counts, END, findKeptList, jump, OF_COMPANY, TOTAL, type KeptList, type Scope } from './kept-lists.ts'
import { startOf } from './positions.ts'
import { externalHashes, specimenHashes } from './rows.ts'
import { openUnchanged, sealColumns, sealedViewColumns, type SealedRow } from './views.ts'

/** Up to this offset, pages are reached by reading on; beyond it, by skipping chunks. */
const SHALLOW = 2_000

/** From this many companies on, a page is first looked for among the newest orders of the tenant. */
const MANY_COMPANIES = 20

/** Orders of the tenant among which it is looked for. */
const NEWEST = 2_000

/** Up to this many orders are sorted by id; more are read in the order of their ids. */
const FEW = 2_000

/** Pages of orders, newest first. Totals are exact; they come from kept counts where a kept list fits the filter. */
export const orderList = (db: Db, keyring: Keyring) => ({
  async page(caller: Caller, filter: OrderFilter): Promise<Page<{ id: string; view: OrderView }>> {
    const { rows, total } = await findPage(db, keyring, caller, filter)
    const views = await openUnchanged(db, keyring, caller, rows)
    if (views) return { rows: rows.map(({ id }, i) => ({ id, view: views[i]! })), total }
    // Read again, with the views in the same statement.
    const page = await findPage(db, keyring, caller, filter, sealedViewColumns())
    const shown = (await openUnchanged(db, keyring, caller, page.rows))!
    return { rows: page.rows.map(({ id }, i) => ({ id, view: shown[i]! })), total: page.total }
  },

  /**
   * The orders whose last change comes after a position, oldest change first, and where to read on. An order with a change
   * that has no position yet is left out: its content is that of the change, whose position comes after all others.
   */
  async after(
    caller: Caller,
    { limit, ...filter }: Omit<OrderFilter, 'page'>,
    from: string,
  ): Promise<Page<{ view: OrderView }> & { position: string }> {
    const position = await startOf(db, 'order_positions', caller, from)
    const { rows, scanned } = await findChanged(db, keyring, caller, { limit, ...filter }, position)
    const { total } = await findPage(db, keyring, caller, { ...filter, limit: 1, page: 1 })
    return {
      // They came with their rows.
      rows: (await openUnchanged(db, keyring, caller, rows))!.map((view) => ({ view })),
      total,
      position: (rows.length === limit ? rows.at(-1)!.position : scanned) ?? position,
    }
  },
})

/** Changes that one request looks at for those that meet its filter. */
const MOST_SCANNED = 5_000

type ChangedRow = SealedRow & { position: string }

/** `scanned` is the last position that was looked at, if any was. */
async function findChanged(
  db: Db,
  keyring: Keyring,
  caller: Caller,
  { limit, companyId, ...filter }: Omit<OrderFilter, 'page'>,
  position: string,
): Promise<{ rows: ChangedRow[]; scanned: string | null }> {
  const { tenantId } = caller
  const companyIds = caller.companyIds.filter((id) => companyId === undefined || id === companyId)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const most = isFiltered ? MOST_SCANNED : limit
  const rows = await db<(ChangedRow & { scanned: string; present: boolean | null })[]>`
    with unplaced as materialized (
      select order_id from order_changes where tenant_id = ${tenantId} and company_id = any(${companyIds})),
    scanned as materialized (
      select p.position, p.order_id from unnest(${companyIds}::text[]) as company(id) cross join lateral (
        select position, order_id from order_positions
        where tenant_id = ${tenantId} and company_id = company.id and position > ${position}
          and order_id not in (select order_id from unplaced)
        order by position limit ${most}) p
      order by p.position limit ${most})
    select ends.scanned::text, shown.*
    from (select max(position) as scanned from scanned) ends left join lateral (
      select true as present, s.position::text, o.* from scanned s cross join lateral (
        select ${sealedViewColumns()} from orders o
        where o.tenant_id = ${tenantId} and o.id = s.order_id ${conditionsOf(keyring, tenantId, filter)} offset 0) o
      order by s.position limit ${limit}) shown on true`
  return { rows: rows.filter(({ present }) => present), scanned: rows[0]!.scanned }
}

async function findPage(
  db: Db,
  keyring: Keyring,
  caller: Caller,
  filter: OrderFilter,
  columns = sealColumns(),
): Promise<Page<SealedRow>> {
  const companyIds = caller.companyIds.filter((id) => filter.companyId === undefined || id === filter.companyId)
  if (companyIds.length === 0) return { rows: [], total: 0 }
  const scope = { tenantId: caller.tenantId, companyIds, columns }
  const kept = findKeptList(filter)
  if (kept) return keptPage(db, scope, kept, filter)
  return isByUpdate(filter) ? updatedPage(db, scope, filter) : countedPage(db, keyring, scope, filter)
}

async function keptPage(db: Db, scope: Scope, kept: KeptList, { limit, page }: OrderFilter): Promise<Page<SealedRow>> {
  const { tenantId, companyIds } = scope
  const offset = (page - 1) * limit
  const { condition, isOfCompany, from, to } = kept
  const start =
    offset > SHALLOW
      ? jump(tenantId, companyIds.length * kept.names.length, kept, offset)
      : sql`select ${to}::text as key, ${offset}::bigint as skip`
  const newest = newestOf(scope, kept, { limit, offset })
  const ofEach = sql`
    select o.id
    from jump cross join part cross join lateral (
      select o.id from orders o
      where o.tenant_id = ${tenantId} and ${isOfCompany} ${condition}
        ${from === null ? sql`` : sql`and o.id >= ${from}`}
        and o.id < coalesce(jump.key, ${END})
      order by o.id desc limit jump.skip + ${limit}
    ) o
    ${newest ? sql`where not exists (select from newest)` : sql``}
    order by o.id desc offset (select skip from jump) limit ${limit}`
  return toPage(
    await db<Row[]>`
    with ${counts(scope, kept)},
    jump as (${start}),
    ${newest ? sql`newest as materialized (${newest}),` : sql``}
    picked as (${newest ? sql`select id from newest union all (${ofEach})` : ofEach})
    ${selectPage(scope, TOTAL)}`,
  )
}

/**
 * The page of many companies, if the newest orders of the tenant have it all, else nothing. Reading the newest orders of each
 * company instead reads a page of every one of them.
 */
function newestOf(
  { tenantId, companyIds }: Scope,
  { names, from, to }: KeptList,
  { limit, offset }: { limit: number; offset: number },
): Statement | undefined {
  const isApt = companyIds.length >= MANY_COMPANIES && names[0] === ALL.names[0] && offset + limit <= NEWEST
  if (!isApt) return undefined
  return sql`
    select id from (
      select id, count(*) over () as n from (
        select id from (
          select id, company_id from orders
          where tenant_id = ${tenantId} and id >= ${from ?? ''} and id < ${to ?? END} order by id desc limit ${NEWEST}) newest
        where company_id = any(${companyIds}) order by id desc offset ${offset} limit ${limit}) page) counted
    where n = ${limit}`
}

function isByUpdate({
  code,
  externalId,
  specimenId,
  locationId,
  status,
  createdFrom,
  createdTo,
  before,
}: OrderFilter): boolean {
  const others = [code, externalId, specimenId, locationId, status, createdFrom, createdTo, before]
  return others.every((value) => value === undefined)
}

/**
 * Filtered by `updatedAt` alone. A small result is sorted. In a large one, the newest orders are found by reading down the ids, if
 * enough of them were created in the same time: if not, it has old orders that were changed much later.
 */
async function updatedPage(db: Db, scope: Scope, filter: OrderFilter): Promise<Page<SealedRow>> {
  const list: KeptList = {
    names: ['updated'],
    ...listQueryOf('updated'),
    isOfCompany: OF_COMPANY,
    from: updateKeyOf(filter.updatedFrom),
    to: updateKeyOf(filter.updatedTo),
  }
  const { tenantId, companyIds } = scope
  const { limit, page, updatedFrom, updatedTo } = filter
  const count = async (kept: KeptList) =>
    (await db.only<{ total: number }>`with ${counts(scope, kept)} select ${TOTAL} as total`).total
  const total = await count(list)
  const created = { ...ALL, from: floorOf(updatedFrom), to: floorOf(updatedTo) }
  const isSorted = total <= FEW || (await count(created)) < page * limit
  // No order is updated before it is created, so orders updated before a time also have ids before it.
  const inRange = (key: Statement) => sql`${key} >= ${list.from ?? ''} and ${key} < ${list.to ?? END}
    and o.id < ${floorOf(filter.updatedTo) ?? END}`
  const selected = sql`
    select o.id from orders o
    where o.tenant_id = ${tenantId} and o.company_id = any(${companyIds}) and ${inRange(list.key)}`
  // The expression `|| ''` keeps the planner from sorting all orders of the range.
  const picked = isSorted
    ? sql`select id from (${selected} offset 0) o order by id desc limit ${limit} offset ${(page - 1) * limit}`
    : sql`
        select o.id from unnest(${companyIds}::text[]) as company(id) cross join lateral (
          select o.id from orders o where o.tenant_id = ${tenantId} and o.company_id = company.id
            and ${inRange(sql`(${list.key} || '')`)}
          order by o.id desc limit ${page * limit}) o
        order by o.id desc limit ${limit} offset ${(page - 1) * limit}`
  return toPage(await db<Row[]>`with picked as (${picked}) ${selectPage(scope, sql`${total}::int`)}`)
}

/** A time as a bound for the keys of the list `updated`. */
const updateKeyOf = (time: string | undefined) =>
  time === undefined ? null : String(Math.max(0, instant(time).getTime())).padStart(15, '0')

/** Counts rows: for codes, external ids and specimens, which have few orders, and for combined filters. */
async function countedPage(db: Db, keyring: Keyring, scope: Scope, filter: OrderFilter): Promise<Page<SealedRow>> {
  const { tenantId, companyIds } = scope
  const { limit, page } = filter
  const matching = sql`
    from orders o where o.tenant_id = ${tenantId} and o.company_id = any(${companyIds})
      ${conditionsOf(keyring, tenantId, filter)}`
  return toPage(
    await db<Row[]>`
    with picked as (select o.id ${matching} order by o.id desc limit ${limit} offset ${(page - 1) * limit})
    ${selectPage(scope, sql`(select count(*)::int ${matching})`)}`,
  )
}

/** The conditions that an order `o` meets, besides being visible. */
const conditionsOf = (keyring: Keyring, tenantId: string, filter: Omit<OrderFilter, 'limit' | 'page'>) => sql`
  ${andEqual({ 'o.locationId': filter.locationId, 'o.code': filter.code })}
  ${filter.status === undefined ? sql`` : sql`and o.status = any(${[filter.status].flat()})`}
  ${filter.externalId === undefined ? sql`` : sql`and o.external_key = any(${externalHashes(keyring, tenantId, filter.externalId)}::bigint[])`}
  ${filter.specimenId === undefined ? sql`` : sql`and o.id = any(${withSpecimen(keyring, tenantId, filter.specimenId)})`}
  ${filter.createdFrom === undefined ? sql`` : sql`and o.created_at >= ${instant(filter.createdFrom)}`}
  ${filter.createdTo === undefined ? sql`` : sql`and o.created_at < ${instant(filter.createdTo)}`}
  ${filter.before === undefined ? sql`` : sql`and o.id < ${filter.before}`}
  ${filter.updatedFrom === undefined ? sql`` : sql`and o.updated_at >= ${instant(filter.updatedFrom)}`}
  ${filter.updatedTo === undefined ? sql`` : sql`and o.updated_at < ${instant(filter.updatedTo)}`}`

/** The ids of orders with a specimen. Earlier builds stored specimens as plain text. */
const withSpecimen = (keyring: Keyring, tenantId: string, specimenId: string) => sql`array(
  select id from orders where tenant_id = ${tenantId} and specimen_keys <> '{}'
    and specimen_keys && ${specimenHashes(keyring, tenantId, specimenId)}::bigint[]
  union select id from orders where tenant_id = ${tenantId} and specimen_ids <> '{}' and specimen_ids @> array[${specimenId}])`

type Row = SealedRow & { total: number; present: boolean | null }

/** The picked orders and the total in one result, which has a row with the total even if the page is empty. */
const selectPage = ({ tenantId, columns }: Scope, total: Statement) => sql`
  select counted.total, shown.*
  from (select ${total} as total) counted
  left join lateral (
    select true as present, o.* from picked cross join lateral (
      -- 'offset 0' keeps the planner from joining by a scan of all orders.
      select ${columns} from orders
      where tenant_id = ${tenantId} and id = picked.id offset 0) o
    order by o.id desc
  ) shown on true`

const toPage = (rows: Row[]): Page<SealedRow> => ({
  rows: rows.filter((row) => row.present),
  total: rows[0]?.total ?? 0,
})
