import type { OrderStatus } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import { idFloor } from '../../domain/ids.ts'
import type { OrderView } from '../../domain/orders/view.ts'
import type { Db } from '../db/db.ts'
import type { Filter, Page, PageRequest } from '../db/page.ts'
import { andEqual, sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { listQueryOf } from './counts.ts'
import { startOf } from './positions.ts'
import { externalHashes, openVisible, specimenHashes, viewColumns, type ViewRow } from './rows.ts'

export type OrderFilter = PageRequest &
  Filter<'companyId' | 'locationId' | 'code' | 'externalId' | 'specimenId'> &
  Filter<'status', OrderStatus | readonly OrderStatus[]> &
  Filter<'createdFrom' | 'createdTo' | 'updatedFrom' | 'updatedTo'> & {
    /** Only orders with a lower id, to read on without leaving out or repeating any. */
    before?: string | undefined
  }

/** Up to this offset, pages are reached by reading on; beyond it, by skipping chunks. */
const SHALLOW = 2_000

/** Up to this many orders are sorted by id; more are read in the order of their ids. */
const FEW = 2_000

/** Sorts after every key. With two bounds the planner uses the index; with an optional bound it does not. */
const END = '~'

/** Lists of orders whose counts are kept in chunks, and the range of their keys that a filter selects. No order is in two of them. */
interface KeptList {
  names: readonly string[]
  /** The expression that the lists are sorted by. */
  key: Statement
  /** What the orders of a list have in common. May refer to the list as `part.list`. */
  condition: Statement
  from: string | null
  to: string | null
}

/** Pages of orders, newest first. Totals are exact; they come from kept counts where a kept list fits the filter. */
export const orderList = (db: Db, keyring: Keyring) => ({
  async page(caller: Caller, filter: OrderFilter): Promise<Page<{ id: string; view: OrderView }>> {
    const { rows, total } = await findPage(db, keyring, caller, filter)
    return { rows: rows.map((row) => ({ id: row.id, view: openVisible(keyring, caller, row) })), total }
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
      rows: rows.map((row) => ({ view: openVisible(keyring, caller, row) })),
      total,
      position: (rows.length === limit ? rows.at(-1)!.position : scanned) ?? position,
    }
  },
})

/** Changes that one request looks at for those that meet its filter. */
const MOST_SCANNED = 5_000

type ChangedRow = ViewRow & { position: string }

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
        select ${viewColumns()} from orders o
        where o.tenant_id = ${tenantId} and o.id = s.order_id ${conditionsOf(keyring, tenantId, filter)} offset 0) o
      order by s.position limit ${limit}) shown on true`
  return { rows: rows.filter(({ present }) => present), scanned: rows[0]!.scanned }
}

async function findPage(db: Db, keyring: Keyring, caller: Caller, filter: OrderFilter): Promise<Page<ViewRow>> {
  const companyIds = caller.companyIds.filter((id) => filter.companyId === undefined || id === filter.companyId)
  if (companyIds.length === 0) return { rows: [], total: 0 }
  const scope = { tenantId: caller.tenantId, companyIds }
  const kept = findKeptList(filter)
  if (kept) return keptPage(db, scope, kept, filter)
  return isByUpdate(filter) ? updatedPage(db, scope, filter) : countedPage(db, keyring, scope, filter)
}

interface Scope {
  tenantId: string
  companyIds: string[]
}

/** The kept list that has exactly the orders of the filter, if there is one. */
function findKeptList(filter: OrderFilter): KeptList | undefined {
  const { code, externalId, specimenId, locationId, status, updatedFrom, updatedTo } = filter
  if ([code, externalId, specimenId, updatedFrom, updatedTo].some((value) => value !== undefined)) return undefined
  if (locationId !== undefined && status !== undefined) return undefined
  const names =
    status === undefined
      ? [locationId === undefined ? 'all' : `location ${locationId}`]
      : [status].flat().map((each) => `status ${each}`)
  return {
    names,
    ...(names.length === 1 ? listQueryOf(names[0]!) : OF_STATUSES),
    from: floorOf(filter.createdFrom),
    to: lower(floorOf(filter.createdTo), filter.before),
  }
}

/** The lists of several statuses, whose names begin with `status `. */
const OF_STATUSES = { key: sql`o.id`, condition: sql`and o.status = substr(part.list, 8)` }

const lower = (a: string | null, b: string | undefined) => (a === null || (b !== undefined && b < a) ? (b ?? null) : a)

/** Ids sort by creation time, so a time is a bound for ids. */
const floorOf = (time: string | undefined) => (time === undefined ? null : idFloor('ord', instant(time)))

async function keptPage(db: Db, scope: Scope, kept: KeptList, { limit, page }: OrderFilter): Promise<Page<ViewRow>> {
  const { tenantId, companyIds } = scope
  const offset = (page - 1) * limit
  const { condition, from, to } = kept
  const start =
    offset > SHALLOW
      ? jump(tenantId, companyIds.length * kept.names.length, kept, offset)
      : sql`select ${to}::text as key, ${offset}::bigint as skip`
  return toPage(
    await db<Row[]>`
    with ${counts(scope, kept)},
    jump as (${start}),
    picked as (
      select o.id
      from jump cross join part cross join lateral (
        select o.id from orders o
        where o.tenant_id = ${tenantId} and o.company_id = part.company_id ${condition}
          ${from === null ? sql`` : sql`and o.id >= ${from}`}
          and o.id < coalesce(jump.key, ${END})
        order by o.id desc limit jump.skip + ${limit}
      ) o
      order by o.id desc offset (select skip from jump) limit ${limit})
    ${selectPage(scope, TOTAL)}`,
  )
}

/** The chunks of the lists, their changes that are not folded yet, the lists of each company, and how many orders lie above and below the range. */
const counts = ({ tenantId, companyIds }: Scope, kept: KeptList) => sql`
  chunk as materialized (
    select company_id, list, start_key, n from order_chunks
    where tenant_id = ${tenantId} and company_id = any(${companyIds}) and list = any(${kept.names})),
  tail as materialized (
    select company_id, list, key, n from order_list_changes
    where tenant_id = ${tenantId} and company_id = any(${companyIds}) and list = any(${kept.names})),
  part as materialized (select company_id, list from chunk union select company_id, list from tail),
  bound as (
    select
      ${kept.to === null ? sql`0::bigint` : countFrom(tenantId, kept, sql`${kept.to}::text`)} as above,
      ${
        kept.from === null
          ? sql`(select coalesce(sum(n), 0)::bigint from chunk) + (select coalesce(sum(n), 0)::bigint from tail)`
          : countFrom(tenantId, kept, sql`${kept.from}::text`)
      } as below)`

const TOTAL = sql`(select greatest(below - above, 0)::int from bound)`

/**
 * The number of orders of the lists with this key or a higher one: whole chunks by their counts, the chunk that the key falls
 * into by counting rows, and the changes that are not folded yet.
 */
const countFrom = (tenantId: string, list: KeptList, key: Statement) => sql`
  (select coalesce(sum(counted.n), 0)::bigint
   from part
   cross join lateral (
     select min(start_key) as start_key, coalesce(sum(n), 0) as n from chunk
     where chunk.company_id = part.company_id and chunk.list = part.list and start_key >= ${key}) whole
   cross join lateral (
     select whole.n
       + (select count(*) from orders o
          where o.tenant_id = ${tenantId} and o.company_id = part.company_id ${list.condition}
            and ${list.key} >= ${key} and ${list.key} < coalesce(whole.start_key, ${END}))
       + (select coalesce(sum(tail.n), 0) from tail
          where tail.company_id = part.company_id and tail.list = part.list and tail.key >= whole.start_key) as n
   ) counted)`

/** The last start of a chunk that is certainly before the page, and how many orders to skip from there. */
const jump = (tenantId: string, parts: number, list: KeptList, offset: number) => sql`
  select target.key, ${offset}::bigint + (select above from bound)
    - (case when target.key is null then (select above from bound)
       else ${countFrom(tenantId, list, sql`target.key`)} end) as skip
  from (select coalesce(min(start_key), ${list.to}::text) as key
        from (select start_key, sum(n) over (order by start_key desc) as upto from chunk
              ${list.to === null ? sql`` : sql`where start_key < ${list.to}`}) passed
        where upto <= ${offset}
          - (select coalesce(sum(abs(n)), 0) from tail)
          - ${parts - 1} * (select coalesce(max(n), 0) from chunk)) target`

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

/** Filtered by `updatedAt` alone. A small result is sorted; in a large one, the newest orders are found by reading down the ids. */
async function updatedPage(db: Db, scope: Scope, filter: OrderFilter): Promise<Page<ViewRow>> {
  const list: KeptList = {
    names: ['updated'],
    ...listQueryOf('updated'),
    from: updateKeyOf(filter.updatedFrom),
    to: updateKeyOf(filter.updatedTo),
  }
  const { total } = await db.only<{ total: number }>`with ${counts(scope, list)} select ${TOTAL} as total`
  const { tenantId, companyIds } = scope
  const { limit, page } = filter
  // No order is updated before it is created, so orders updated before a time also have ids before it.
  const range = sql`${list.key} >= ${list.from ?? ''} and ${list.key} < ${list.to ?? END}
    and o.id < ${floorOf(filter.updatedTo) ?? END}`
  const selected = sql`select o.id from orders o where o.tenant_id = ${tenantId} and o.company_id = any(${companyIds}) and ${range}`
  const picked =
    total <= FEW
      ? sql`select id from (${selected} offset 0) o order by id desc limit ${limit} offset ${(page - 1) * limit}`
      : sql`
        select o.id from unnest(${companyIds}::text[]) as company(id) cross join lateral (
          select o.id from orders o where o.tenant_id = ${tenantId} and o.company_id = company.id and ${range}
          order by o.id desc limit ${page * limit}) o
        order by o.id desc limit ${limit} offset ${(page - 1) * limit}`
  return toPage(await db<Row[]>`with picked as (${picked}) ${selectPage(scope, sql`${total}::int`)}`)
}

/** A time as a bound for the keys of the list `updated`. */
const updateKeyOf = (time: string | undefined) =>
  time === undefined ? null : String(Math.max(0, instant(time).getTime())).padStart(15, '0')

/** Counts rows: for codes, external ids and specimens, which have few orders, and for combined filters. */
async function countedPage(db: Db, keyring: Keyring, scope: Scope, filter: OrderFilter): Promise<Page<ViewRow>> {
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

type Row = ViewRow & { total: number; present: boolean | null }

/** The picked orders and the total in one result, which has a row with the total even if the page is empty. */
const selectPage = ({ tenantId }: Scope, total: Statement) => sql`
  select counted.total, shown.*
  from (select ${total} as total) counted
  left join lateral (
    select true as present, o.* from picked cross join lateral (
      -- 'offset 0' keeps the planner from joining by a scan of all orders.
      select ${viewColumns()} from orders
      where tenant_id = ${tenantId} and id = picked.id offset 0) o
    order by o.id desc
  ) shown on true`

const toPage = (rows: Row[]): Page<ViewRow> => ({
  rows: rows.filter((row) => row.present),
  total: rows[0]?.total ?? 0,
})

/** The range of times that both the database and the driver can write. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59Z')

/** The first millisecond that is not before this time: orders have times in milliseconds, filters may be finer. */
function instant(text: string): Date {
  const isFiner = /\.\d{3}\d*[1-9]/.test(text)
  return new Date(Math.max(EARLIEST, Math.min(LATEST, Date.parse(text) + (isFiner ? 1 : 0))))
}
