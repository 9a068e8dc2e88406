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

/** From this many companies on, the lists of the whole tenant are used, or its newest orders. */
export const MANY_COMPANIES = 20

/** Orders of the tenant among which a page of many companies is looked for. */
const NEWEST = 2_000

/** Up to this many orders are sorted by id; more are read in the order of their ids. */
const FEW = 2_000

const isWhole = ({ keptUnder }: Scope) => keptUnder[0] === EVERY_COMPANY

/** A page of a kept list. Undefined if the scope is a whole tenant, but lacks some of its companies. */
export async function keptPage(
  db: Db,
  scope: Scope,
  kept: KeptList,
  { limit, page }: OrderFilter,
): Promise<Page<SealedRow> | undefined> {
  const offset = (page - 1) * limit
  const list = isWhole(scope) ? listOfTenant(scope, kept) : kept
  const start =
    offset > SHALLOW
      ? jump(scope.tenantId, scope.keptUnder.length * kept.names.length, list, offset)
      : sql`select ${kept.to}::text as key, ${offset}::bigint as skip`
  return toPage(
    await db<PageRow[]>`
    with ${counts(scope, list)},
    jump as materialized (${start}),
    ${pick(scope, list, { limit, offset })}
    ${selectPage(scope, totalOf(scope))}`,
  )
}

/** The list of a whole tenant. Orders of a status have an index for each company only. */
const listOfTenant = (scope: Scope, list: KeptList): KeptList =>
  list.names[0] === ALL.names[0]
    ? { ...list, isOfCompany: sql`true` }
    : { ...list, countWithin: countByCompany(scope, list) }

/** Counts company by company. The scope has all companies of the tenant, or no total is given. */
const countByCompany =
  ({ tenantId, companyIds }: Scope, { condition }: KeptList) =>
  (range: Statement) =>
    sql`
    select coalesce(sum(counted.n), 0) from unnest(${companyIds}::text[]) as company(id) cross join lateral (
      select count(*) as n from orders o where o.tenant_id = ${tenantId} and o.company_id = company.id ${condition} and ${range}) counted`

/** No total for a whole tenant if there are companies beyond those of the scope. */
const totalOf = (scope: Scope, total: Statement = TOTAL) =>
  isWhole(scope)
    ? sql`(select case when not exists (
        select from companies where tenant_id = ${scope.tenantId} and id <> all(${scope.companyIds})) then ${total} end)`
    : total

/** The common table expressions of `picked`, the ids of the page. */
function pick(scope: Scope, list: KeptList, at: { limit: number; offset: number }): Statement {
  const { limit } = at
  if (list.countWithin)
    return sql`
      reach as materialized (${reach(list, limit)}),
      picked as (${pickFrom(scope, { ...list, isOfCompany: sql`o.company_id = company.id` }, limit, {
        parts: sql`reach cross join part cross join unnest(${scope.companyIds}::text[]) as company(id)`,
        least: sql`reach.key`,
      })})`
  const least = list.from === null ? undefined : sql`${list.from}`
  const newest = newestOf(scope, list, at)
  if (!newest) return sql`picked as (${pickFrom(scope, list, limit, { parts: sql`part`, least })})`
  const parts = sql`(select * from part where not exists (select from newest)) part`
  return sql`
    newest as materialized (${newest}),
    picked as (select id from newest union all (${pickFrom(scope, list, limit, { parts, least })}))`
}

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
 * The page of many companies, if the newest orders of the tenant have it all, else nothing. Reading the newest orders of each
 * company instead reads a page of every one of them.
 */
function newestOf(
  { tenantId, companyIds, keptUnder }: Scope,
  { names, from, to }: KeptList,
  { limit, offset }: { limit: number; offset: number },
): Statement | undefined {
  const isApt = keptUnder.length >= MANY_COMPANIES && names[0] === ALL.names[0] && offset + limit <= NEWEST
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
  const list = isWhole(scope) ? listOfTenant(scope, byUpdate) : byUpdate
  const { tenantId, companyIds } = scope
  const { limit, page, updatedFrom, updatedTo } = filter
  const count = async (kept: KeptList) =>
    (await db.only<{ total: number | null }>`with ${counts(scope, kept)} select ${totalOf(scope)} as total`).total
  const total = await count(list)
  if (total === null) return undefined
  const created = { ...ALL, from: floorOf(updatedFrom), to: floorOf(updatedTo) }
  const inTime = await count(isWhole(scope) ? listOfTenant(scope, created) : created)
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
  const down = isWhole(scope)
    ? readDown(sql`o.company_id || '' = any(${companyIds})`)
    : sql`
        select o.id from unnest(${companyIds}::text[]) as company(id)
        cross join lateral (${readDown(sql`o.company_id = company.id`)}) o`
  const found = isSorted ? selected : down
  return toPage(
    await db<PageRow[]>`
    with picked as (select id from (${found}) o order by id desc limit ${limit} offset ${(page - 1) * limit})
    ${selectPage(scope, sql`${total}::int`)}`,
  )
}

/** A time as a bound for the keys of the list `updated`. */
const updateKeyOf = (time: string | undefined) =>
  time === undefined ? null : String(Math.max(0, instant(time).getTime())).padStart(15, '0')
