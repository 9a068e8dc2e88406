import type { Db } from '../db/db.ts'
import type { Page } from '../db/page.ts'
import { sql, type Statement } from '../db/sql.ts'
import { EVERY_COMPANY, listQueryOf } from './counts.ts'
import { floorOf, instant, type OrderFilter } from './filter.ts'
import { ALL, counts, END, jump, OF_COMPANY, reach, STATUS, TOTAL, type KeptList, type Scope } from './kept-lists.ts'
import { selectPage, toPage, type PageRow } from './page-rows.ts'
import type { SealedRow } from './views.ts'

/** Up to this offset, pages are reached by reading on; beyond it, by skipping chunks. */
const SHALLOW = 2_000

/** Up to this many orders are sorted by id; more are read in the order of their ids. */
const FEW = 2_000

/** A page of a kept list. Undefined if the scope is a whole tenant that has got another company meanwhile. */
export async function keptPage(
  db: Db,
  scope: Scope,
  kept: KeptList,
  { limit, page }: OrderFilter,
): Promise<Page<SealedRow> | undefined> {
  const offset = (page - 1) * limit
  const list = listOf(scope, kept)
  const isDeep = offset > SHALLOW
  const start = isDeep ? jump(scope, list, offset) : sql`select ${kept.to}::text as key, ${offset}::bigint as skip`
  return toPage(
    await db<PageRow[]>`
    with ${counts(scope, list, isDeep || reaches(scope, list) ? { offset, limit } : undefined)},
    jump as materialized (${start}),
    ${pick(scope, list, limit)}
    ${selectPage(scope, guarded(scope, TOTAL))}`,
  )
}

const isOfAll = ({ names }: KeptList) => names[0] === ALL.names[0]
const isOfStatus = ({ names }: KeptList) => names[0]?.startsWith(STATUS) ?? false

/** Whether a page is read from each company down to a key that is certainly below it. */
const reaches = ({ hiddenIds }: Scope, list: KeptList) => hiddenIds !== undefined && !isOfAll(list)

/** The list as it is counted in the scope. */
function listOf(scope: Scope, list: KeptList): KeptList {
  const { tenantId, hiddenIds } = scope
  if (!hiddenIds) return list
  const countWithin = (range: Statement) => sql`
    select case part.company_id when ${EVERY_COMPANY} then (${countOfTenant(scope, list, range)}) else -(
      select count(*) from orders o
      where o.tenant_id = ${tenantId} and o.company_id = part.company_id ${list.condition} and ${range}) end`
  return { ...list, countWithin }
}

/**
 * The indexes of statuses and times of update begin with the company. For a status, counts the range itself if it has at most
 * `mostRead` orders; otherwise looks up each company.
 */
function countOfTenant({ tenantId, companyIds, hiddenIds = [] }: Scope, list: KeptList, range: Statement): Statement {
  const { condition } = list
  if (isOfAll(list)) return sql`select count(*) from orders o where o.tenant_id = ${tenantId} and ${range}`
  const ids = [...companyIds, ...hiddenIds]
  const ofEach = sql`
    select coalesce(sum(counted.n), 0) from unnest(${ids}::text[]) as company(id) cross join lateral (
      select count(*) as n from orders o
      where o.tenant_id = ${tenantId} and o.company_id = company.id ${condition} and ${range}) counted`
  if (!isOfStatus(list)) return ofEach
  const most = mostRead(ids)
  return sql`
    select case when count(*) <= ${most} then count(*) filter (where true ${condition}) else (${ofEach}) end
    -- The order keeps the planner on the primary key.
    from (select o.status from orders o where o.tenant_id = ${tenantId} and ${range} order by o.id limit ${most} + 1) o`
}

/** The total, or none if a whole tenant has companies that are neither seen nor hidden. `except` hashes them; `<> all` would compare each with each. */
const guarded = ({ tenantId, companyIds, hiddenIds }: Scope, total: Statement) =>
  hiddenIds
    ? sql`(select case when not exists (
        select id from companies where tenant_id = ${tenantId}
        except select unnest(${[...companyIds, ...hiddenIds]}::text[])) then ${total} end)`
    : total

/** The common table expressions of `picked`, the ids of the page. */
function pick(scope: Scope, list: KeptList, limit: number): Statement {
  const { companyIds, hiddenIds } = scope
  const least = list.from === null ? undefined : sql`${list.from}`
  if (!hiddenIds) return sql`picked as (${pickFrom(scope, list, limit, { parts: sql`part`, least })})`
  if (!reaches(scope, list))
    return sql`picked as (${pickFrom(scope, { ...list, isOfCompany: isVisible(hiddenIds) }, limit, {
      parts: sql`(select) tenant`,
      least,
    })})`
  const parts = sql`reach cross join unnest(${list.names}::text[]) as part(list) cross join unnest(${companyIds}::text[]) as company(id)`
  const ofEach = pickFrom(scope, { ...list, isOfCompany: sql`o.company_id = company.id` }, limit, {
    parts,
    least: sql`reach.key`,
  })
  const isEnough = sql`(select count(*) from near) = (select skip from jump) + ${limit}`
  return sql`
    reach as materialized (${reach(scope, list, limit)}),
    near as materialized (${readNear(scope, list, limit)}),
    picked as (
      select id from (select id from near order by id desc offset (select skip from jump)) o where ${isEnough}
      union all
      select id from (${ofEach}) o where not (${isEnough}))`
}

/**
 * The first `skip + limit` orders of the statuses among the next `mostRead` orders of the tenant: fewer if they lie further down.
 */
const readNear = ({ tenantId, companyIds, hiddenIds = [] }: Scope, { names, from }: KeptList, limit: number) => sql`
  select o.id from jump cross join lateral (
    select o.id from (
      select o.id, o.company_id, o.status from orders o
      where o.tenant_id = ${tenantId} and o.id >= ${from ?? ''} and o.id < coalesce(jump.key, ${END})
      order by o.id desc limit ${mostRead(companyIds)}) o
    where o.status = any(${names.map((name) => name.slice(STATUS.length))}) and ${isVisible(hiddenIds)}
    order by o.id desc limit jump.skip + ${limit}) o
  where ${TOTAL} >= jump.skip + ${limit}`

/**
 * Reading four orders takes less time than looking up a company in an index: 0.6 µs each, and 11 (`explain analyze` with ten million
 * orders in memory). An index of tenant, status and id would do without, but every create would write to it.
 */
const mostRead = (companyIds: readonly string[]) => 4 * companyIds.length

/** Without hidden companies, the index of ids is enough. */
const isVisible = (hiddenIds: readonly string[]) =>
  hiddenIds.length === 0 ? sql`true` : sql`o.company_id || '' <> all(${hiddenIds})`

/** Merges what each part has from the start of the page on. */
const pickFrom = (
  { tenantId }: Scope,
  { condition, isOfCompany }: KeptList,
  limit: number,
  { parts, least }: { parts: Statement; least: Statement | undefined },
) => sql`
  select o.id
  from jump cross join ${parts} cross join lateral (
    select o.id from orders o
    where o.tenant_id = ${tenantId} and ${isOfCompany} ${condition}
      ${least ? sql`and o.id >= ${least}` : sql``}
      and o.id < coalesce(jump.key, ${END})
    order by o.id desc limit jump.skip + ${limit}
  ) o
  order by o.id desc offset (select skip from jump) limit ${limit}`

/**
 * Filtered by `updatedAt` alone. A small result is sorted. In a large one, the newest orders are found by reading down the ids, if
 * enough of them were created in the same time: if not, it has old orders that were changed much later.
 */
export async function updatedPage(db: Db, scope: Scope, filter: OrderFilter): Promise<Page<SealedRow> | undefined> {
  const byUpdate: KeptList = {
    names: ['updated'],
    ...listQueryOf('updated'),
    isOfCompany: OF_COMPANY,
    from: updateKeyOf(filter.updatedFrom),
    to: updateKeyOf(filter.updatedTo),
  }
  const list = listOf(scope, byUpdate)
  const { tenantId, companyIds, hiddenIds } = scope
  const { limit, page, updatedFrom, updatedTo } = filter
  const created = listOf(scope, { ...ALL, from: floorOf(updatedFrom), to: floorOf(updatedTo) })
  const { inTime } = await db.only<{ inTime: number }>`with ${counts(scope, created)} select ${TOTAL} as in_time`
  // No order is updated before it is created, so orders updated before a time also have ids before it.
  const inRange = (key: Statement) => sql`${key} >= ${list.from ?? ''} and ${key} < ${list.to ?? END}
    and o.id < ${floorOf(filter.updatedTo) ?? END}`
  const selected = sql`
    select o.id from unnest(${companyIds}::text[]) as company(id) cross join lateral (
      select o.id from orders o
      where o.tenant_id = ${tenantId} and o.company_id = company.id and ${inRange(list.key)} offset 0) o`
  // The expression `|| ''` keeps the planner from sorting all orders of the range.
  const readDown = (ofCompany: Statement) => sql`
    select o.id from orders o where o.tenant_id = ${tenantId} and ${ofCompany} and ${inRange(sql`(${list.key} || '')`)}
    order by o.id desc limit ${page * limit}`
  const down = hiddenIds
    ? readDown(isVisible(hiddenIds))
    : sql`
        select o.id from unnest(${companyIds}::text[]) as company(id)
        cross join lateral (${readDown(sql`o.company_id = company.id`)}) o`
  const isSmall = sql`${TOTAL} <= ${FEW}`
  const found =
    inTime < page * limit
      ? selected
      : sql`select id from (${selected}) o where ${isSmall} union all select id from (${down}) o where not ${isSmall}`
  return toPage(
    await db<PageRow[]>`
    with ${counts(scope, list)},
    picked as (select id from (${found}) o order by id desc limit ${limit} offset ${(page - 1) * limit})
    ${selectPage(scope, guarded(scope, TOTAL))}`,
  )
}

/** A time as a bound for the keys of the list `updated`. */
const updateKeyOf = (time: string | undefined) =>
  time === undefined ? null : String(Math.max(0, instant(time).getTime())).padStart(15, '0')
