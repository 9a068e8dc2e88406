import type { OrderStatus } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import { idFloor } from '../../domain/ids.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { ordersOf } from './counts.ts'
import { readyColumns, specimenLookUp, type ReadyOrder } from './rows.ts'
import type { Page, PageRequest } from '../db/page.ts'

export interface OrderFilter extends PageRequest {
  companyId?: string | undefined
  locationId?: string | undefined
  code?: string | undefined
  specimenId?: string | undefined
  status?: OrderStatus | undefined
  createdFrom?: string | undefined
  createdTo?: string | undefined
  updatedFrom?: string | undefined
  updatedTo?: string | undefined
}

/** Pages up to here are reached by reading on; later ones by skipping chunks. */
const SHALLOW = 2_000

/** Matches up to this many are sorted rather than looked for in order. */
const FEW = 2_000

/** Above every key. An index finds the way between two keys, but not past one that may be missing. */
const END = '~'

/** A kept list that a filter asks for: its name, the orders in it, and the part of it that is wanted. */
interface KeptList {
  name: string
  /** What it is sorted by, and what holds for its orders besides. */
  key: Statement
  condition: Statement
  from: string | null
  to: string | null
}

/**
 * Pages of orders, newest first, with exact totals from kept counts wherever a kept list answers the filter; with participants
 * where the caller may read them.
 */
export const orderList = (db: Db, keyring: Keyring) => ({
  async page(caller: Caller, filter: OrderFilter): Promise<Page<ReadyOrder>> {
    const companyIds = caller.companyIds.filter((id) => filter.companyId === undefined || id === filter.companyId)
    if (companyIds.length === 0) return { rows: [], total: 0 }
    const scope = { tenantId: caller.tenantId, companyIds }
    const kept = keptListOf(filter)
    if (kept) return keptPage(db, scope, kept, filter)
    return isByUpdate(filter) ? updatedPage(db, scope, filter) : countedPage(db, keyring, scope, filter)
  },
})

interface Scope {
  tenantId: string
  companyIds: string[]
}

/** The list that holds just what the filter asks for, if one is kept. */
function keptListOf(filter: OrderFilter): KeptList | undefined {
  const { code, specimenId, locationId, status, updatedFrom, updatedTo } = filter
  if ([code, specimenId, updatedFrom, updatedTo].some((value) => value !== undefined)) return undefined
  if (locationId !== undefined && status !== undefined) return undefined
  const name = locationId === undefined ? (status === undefined ? 'all' : `status ${status}`) : `location ${locationId}`
  return { name, ...ordersOf(name), from: floorOf(filter.createdFrom), to: floorOf(filter.createdTo) }
}

/** Ids sort by time, so a time of creation is a place among ids. */
const floorOf = (time: string | undefined) => (time === undefined ? null : idFloor('ord', instant(time)))

async function keptPage(db: Db, scope: Scope, kept: KeptList, { limit, page }: OrderFilter): Promise<Page<ReadyOrder>> {
  const { tenantId, companyIds } = scope
  const offset = (page - 1) * limit
  const { condition, from, to } = kept
  const start =
    offset > SHALLOW
      ? jump(tenantId, companyIds.length, kept, offset)
      : sql`select ${to}::text as key, ${offset}::bigint as skip`
  return read(
    await db<Row[]>`
    with ${counts(scope, kept)},
    jump as (${start}),
    picked as (
      select o.id
      from jump cross join company cross join lateral (
        select o.id from orders o
        where o.tenant_id = ${tenantId} and o.company_id = company.id ${condition}
          ${from === null ? sql`` : sql`and o.id >= ${from}`}
          and o.id < coalesce(jump.key, ${END})
        order by o.id desc limit jump.skip + ${limit}
      ) o
      order by o.id desc offset (select skip from jump) limit ${limit})
    ${present(scope, TOTAL())}`,
  )
}

/** What is kept of a list: its chunks, changes not folded yet, the companies that have any, and what lies outside the range. */
const counts = ({ tenantId, companyIds }: Scope, kept: KeptList) => sql`
  chunk as materialized (
    select company_id, start_key, n from order_chunks
    where tenant_id = ${tenantId} and company_id = any(${companyIds}) and list = ${kept.name}),
  tail as materialized (
    select company_id, key, n from order_list_changes
    where tenant_id = ${tenantId} and company_id = any(${companyIds}) and list = ${kept.name}),
  company as materialized (select company_id as id from chunk union select company_id from tail),
  bound as (
    select
      ${kept.to === null ? sql`0::bigint` : newerThan(tenantId, kept, sql`${kept.to}::text`)} as above,
      ${
        kept.from === null
          ? sql`(select coalesce(sum(n), 0)::bigint from chunk) + (select coalesce(sum(n), 0)::bigint from tail)`
          : newerThan(tenantId, kept, sql`${kept.from}::text`)
      } as below)`

const TOTAL = () => sql`(select greatest(below - above, 0)::int from bound)`

/**
 * How many orders of the list have this key or a higher one: whole chunks by their counts, the one that the key falls
 * into row by row, and of changes not folded yet those beyond it.
 */
const newerThan = (tenantId: string, list: KeptList, key: Statement) => sql`
  (select coalesce(sum(part.n), 0)::bigint
   from company
   cross join lateral (
     select min(start_key) as start_key, coalesce(sum(n), 0) as n from chunk
     where chunk.company_id = company.id and start_key >= ${key}) whole
   cross join lateral (
     select whole.n
       + (select count(*) from orders o
          where o.tenant_id = ${tenantId} and o.company_id = company.id ${list.condition}
            and ${list.key} >= ${key} and ${list.key} < coalesce(whole.start_key, ${END}))
       + (select coalesce(sum(tail.n), 0) from tail where tail.company_id = company.id and tail.key >= whole.start_key) as n
   ) part)`

/** A start of a chunk that lies before the page, as far on as is sure, and how many orders to skip from there. */
const jump = (tenantId: string, companies: number, list: KeptList, offset: number) => sql`
  select target.key, ${offset}::bigint + (select above from bound)
    - (case when target.key is null then (select above from bound)
       else ${newerThan(tenantId, list, sql`target.key`)} end) as skip
  from (select coalesce(min(start_key), ${list.to}::text) as key
        from (select start_key, sum(n) over (order by start_key desc) as upto from chunk
              ${list.to === null ? sql`` : sql`where start_key < ${list.to}`}) passed
        where upto <= ${offset}
          - (select coalesce(sum(abs(n)), 0) from tail)
          - ${companies - 1} * (select coalesce(max(n), 0) from chunk)) target`

const isByUpdate = (filter: OrderFilter) =>
  [filter.code, filter.specimenId, filter.locationId, filter.status, filter.createdFrom, filter.createdTo].every(
    (value) => value === undefined,
  )

/** By time of update: few are sorted; of many, the newest are soon found by reading on from the newest order. */
async function updatedPage(db: Db, scope: Scope, filter: OrderFilter): Promise<Page<ReadyOrder>> {
  const list: KeptList = {
    name: 'updated',
    ...ordersOf('updated'),
    from: updateKeyOf(filter.updatedFrom),
    to: updateKeyOf(filter.updatedTo),
  }
  const [counted] = await db<{ total: number }[]>`with ${counts(scope, list)} select ${TOTAL()} as total`
  const total = counted?.total ?? 0
  const { tenantId, companyIds } = scope
  const { limit, page } = filter
  // Nothing is updated before it is created, so that what was updated before a time is found among the ids before it.
  const range = sql`${list.key} >= ${list.from ?? ''} and ${list.key} < ${list.to ?? END}
    and o.id < ${floorOf(filter.updatedTo) ?? END}`
  const matching = sql`select o.id from orders o where o.tenant_id = ${tenantId} and o.company_id = any(${companyIds}) and ${range}`
  const picked =
    total <= FEW
      ? sql`select id from (${matching} offset 0) o order by id desc limit ${limit} offset ${(page - 1) * limit}`
      : sql`
        select o.id from unnest(${companyIds}::text[]) as company(id) cross join lateral (
          select o.id from orders o where o.tenant_id = ${tenantId} and o.company_id = company.id and ${range}
          order by o.id desc limit ${page * limit}) o
        order by o.id desc limit ${limit} offset ${(page - 1) * limit}`
  return read(await db<Row[]>`with picked as (${picked}) ${present(scope, sql`${total}::int`)}`)
}

/** The place of a time among the keys of the updated list. */
const updateKeyOf = (time: string | undefined) =>
  time === undefined ? null : String(Math.max(0, instant(time).getTime())).padStart(15, '0')

/** Counts row by row: for codes and specimens, which are few, and for filters in combination. */
async function countedPage(db: Db, keyring: Keyring, scope: Scope, filter: OrderFilter): Promise<Page<ReadyOrder>> {
  const { tenantId, companyIds } = scope
  const { limit, page } = filter
  const matching = sql`
    from orders o where o.tenant_id = ${tenantId} and o.company_id = any(${companyIds})
      ${filter.locationId === undefined ? sql`` : sql`and o.location_id = ${filter.locationId}`}
      ${filter.code === undefined ? sql`` : sql`and o.code = ${filter.code}`}
      ${filter.specimenId === undefined ? sql`` : sql`and o.id = any(${withSpecimen(keyring, tenantId, filter.specimenId)})`}
      ${filter.status === undefined ? sql`` : sql`and o.status = ${filter.status}`}
      ${filter.createdFrom === undefined ? sql`` : sql`and o.created_at >= ${instant(filter.createdFrom)}`}
      ${filter.createdTo === undefined ? sql`` : sql`and o.created_at < ${instant(filter.createdTo)}`}
      ${filter.updatedFrom === undefined ? sql`` : sql`and o.updated_at >= ${instant(filter.updatedFrom)}`}
      ${filter.updatedTo === undefined ? sql`` : sql`and o.updated_at < ${instant(filter.updatedTo)}`}`
  return read(
    await db<Row[]>`
    with picked as (select o.id ${matching} order by o.id desc limit ${limit} offset ${(page - 1) * limit})
    ${present(scope, sql`(select count(*)::int ${matching})`)}`,
  )
}

/** The ids of orders that have a specimen, also those of earlier builds, which kept specimens as plain text. */
const withSpecimen = (keyring: Keyring, tenantId: string, specimenId: string) => sql`array(
  select id from orders where tenant_id = ${tenantId} and specimen_keys <> '{}'
    and specimen_keys && ${specimenLookUp(keyring, tenantId, specimenId)}::bigint[]
  union select id from orders where tenant_id = ${tenantId} and specimen_ids <> '{}' and specimen_ids @> array[${specimenId}])`

type Row = ReadyOrder & { total: number; present: boolean | null }

/** The picked orders and the total in one answer, also where the page is empty. */
const present = ({ tenantId }: Scope, total: Statement) => sql`
  select counted.total, shown.*
  from (select ${total} as total) counted
  left join lateral (
    select true as present, o.* from picked cross join lateral (
      -- 'offset 0' keeps the planner from joining by a walk over all orders, which it may think the shorter way.
      select ${readyColumns()} from orders
      where tenant_id = ${tenantId} and id = picked.id offset 0) o
    order by o.id desc
  ) shown on true`

const read = (rows: Row[]): Page<ReadyOrder> => ({
  rows: rows.filter((row) => row.present),
  total: rows[0]?.total ?? 0,
})

/** The years that the database and the driver both can write. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59Z')

/** The first millisecond that is not before this time: orders keep no finer times, whatever a filter says. */
function instant(text: string): Date {
  const isBetween = /\.\d{3}\d*[1-9]/.test(text)
  return new Date(Math.max(EARLIEST, Math.min(LATEST, Date.parse(text) + (isBetween ? 1 : 0))))
}
