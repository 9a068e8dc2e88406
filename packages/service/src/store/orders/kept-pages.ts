import type { Db } from '../db/db.ts'
import type { Page } from '../db/page.ts'
import { sql, type Statement } from '../db/sql.ts'
import { EVERY_COMPANY, listQueryOf } from './counts.ts'
import { floorOf, instant, type OrderFilter } from './filter.ts'
import { ALL, counts, END, jump, OF_COMPANY, reach, TOTAL, type KeptList, type Scope } from './kept-lists.ts'
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

/** Whether a page is read from each company down to a key that is certainly below it. */
const reaches = ({ hiddenIds }: Scope, list: KeptList) => hiddenIds !== undefined && !isOfAll(list)

/** The list as it is counted in the scope. Orders of a status or of a time of update have an index for each company only. */
function listOf({ tenantId, companyIds, hiddenIds }: Scope, list: KeptList): KeptList {
  if (!hiddenIds) return list
  const { condition } = list
  const ofTenant = (range: Statement) =>
    isOfAll(list)
      ? sql`select count(*) from orders o where o.tenant_id = ${tenantId} and ${range}`
      : sql`
          select coalesce(sum(counted.n), 0) from unnest(${[...companyIds, ...hiddenIds]}::text[]) as company(id) cross join lateral (
            select count(*) as n from orders o
            where o.tenant_id = ${tenantId} and o.company_id = company.id ${condition} and ${range}) counted`
  const countWithin = (range: Statement) => sql`
    select case part.company_id when ${EVERY_COMPANY} then (${ofTenant(range)}) else -(
      select count(*) from orders o
      where o.tenant_id = ${tenantId} and o.company_id = part.company_id ${condition} and ${range}) end`
  return { ...list, countWithin }
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
  return sql`
    reach as materialized (${reach(scope, list, limit)}),
    picked as (${pickFrom(scope, { ...list, isOfCompany: sql`o.company_id = company.id` }, limit, {
      parts,
      least: sql`reach.key`,
    })})`
}

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
  const count = async (kept: KeptList) =>
    (await db.only<{ total: number | null }>`with ${counts(scope, kept)} select ${guarded(scope, TOTAL)} as total`)
      .total
  const total = await count(list)
  if (total === null) return undefined
  const created = { ...ALL, from: floorOf(updatedFrom), to: floorOf(updatedTo) }
  const inTime = await count(listOf(scope, created))
  const isSorted = total <= FEW || (inTime ?? 0) < page * limit
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
  const found = isSorted ? selected : down
  return toPage(
    await db<PageRow[]>`
    with picked as (select id from (${found}) o order by id desc limit ${limit} offset ${(page - 1) * limit})
    ${selectPage(scope, guarded(scope, sql`${total}::int`))}`,
  )
}

/** A time as a bound for the keys of the list `updated`. */
const updateKeyOf = (time: string | undefined) =>
  time === undefined ? null : String(Math.max(0, instant(time).getTime())).padStart(15, '0')
