import { identifiers, sql, type Statement } from '../db/sql.ts'
import { EVERY_COMPANY, listQueryOf } from './counts.ts'
import { floorOf, type OrderFilter } from './filter.ts'

/** Sorts after every key. With two bounds the planner uses the index; with an optional bound it does not. */
export const END = '~'

/** Lists of orders whose counts are kept in chunks, and the range of their keys that a filter selects. No order is in two of them. */
export interface KeptList {
  names: readonly string[]
  /** The expression that the lists are sorted by. */
  key: Statement
  /** What the orders of a list have in common. May refer to the list as `part.list`. */
  condition: Statement
  /** That an order is of the company `part.company_id`. */
  isOfCompany: Statement
  /** How orders within a range of keys are counted for a `part`, if not by `isOfCompany`. */
  countWithin?: (range: Statement) => Statement
  from: string | null
  to: string | null
}

export interface Scope {
  tenantId: string
  companyIds: string[]
  /** The other companies of the tenant, if its own lists are used instead of those of each company. */
  hiddenIds?: readonly string[]
  /** What is selected of the orders of the page. */
  columns: Statement
}

/** The kept list that has exactly the orders of the filter, if there is one. */
export function findKeptList(filter: OrderFilter): KeptList | undefined {
  const { code, externalId, specimenId, locationId, status, updatedFrom, updatedTo } = filter
  if ([code, externalId, specimenId, updatedFrom, updatedTo].some((value) => value !== undefined)) return undefined
  if (locationId !== undefined && status !== undefined) return undefined
  const names =
    status === undefined
      ? [locationId === undefined ? 'all' : `location ${locationId}`]
      : [status].flat().map((each) => STATUS + each)
  return {
    names,
    ...(names.length === 1 ? listQueryOf(names[0]!) : OF_STATUSES),
    isOfCompany: locationId === undefined ? OF_COMPANY : OF_COMPANY_BY_LOCATION,
    from: floorOf(filter.createdFrom),
    to: lower(floorOf(filter.createdTo), filter.before),
  }
}

export const OF_COMPANY = sql`o.company_id = part.company_id`

/** The expression keeps the planner from reading all orders of the company: those of the location are fewer, and have an index. */
const OF_COMPANY_BY_LOCATION = sql`o.company_id || '' = part.company_id`

/** The names of lists by status begin with it. */
export const STATUS = 'status '

const OF_STATUSES = { key: sql`o.id`, condition: sql`and o.status = substr(part.list, ${STATUS.length + 1}::int)` }

const lower = (a: string | null, b: string | undefined) => (a === null || (b !== undefined && b < a) ? (b ?? null) : a)

export const ALL = { names: ['all'], ...listQueryOf('all'), isOfCompany: OF_COMPANY }

type Pieces = 'piece' | 'coarse'

/** Where a page lies in its lists. */
export interface PageBounds {
  offset: number
  limit: number
}

/**
 * The common table expressions that the total and the pages of lists come from. Of a whole tenant, what its hidden companies have is
 * subtracted.
 *
 * | name | a row is |
 * |-|-|
 * | `tail` | what a change that is not folded yet adds to a list, or takes from it |
 * | `coarse` | a block, or a chunk of a list without blocks |
 * | `refined` | a range of keys in which chunks take the place of blocks |
 * | `piece` | a block or, where a bound of the range falls or the page lies, a chunk |
 * | `part` | a list of a company |
 * | `bound` | (one row) how many orders have at least the lower bound of the range as their key, and how many the upper one |
 * | `jump` | (one row) a key above the page, and how many orders to skip from there |
 * | `reach`, `near` | (`kept-pages.ts`) a key below the page; an order found near it |
 * | `picked` | (`kept-pages.ts`) an order of the page |
 */
export function counts(scope: Scope, kept: KeptList, page?: PageBounds): Statement {
  const { tenantId, companyIds, hiddenIds } = scope
  const isWhole = kept.from === null && kept.to === null && !page
  return sql`
    tail as materialized (
      select owner.company_id, entry.list, entry.key, owner.sign * entry.n as n
      from order_changes c cross join lateral (${ownersOf(hiddenIds)}) owner cross join lateral (${entriesOf(kept)}) entry
      where c.tenant_id = ${tenantId} ${hiddenIds ? sql`` : sql`and c.company_id = any(${companyIds})`} and entry.n <> 0),
    ${isWhole ? readBlocks('piece', scope, kept) : sql`${readBlocks('coarse', scope, kept)}, ${refine(scope, kept, page)}`},
    part as materialized (select company_id, list from piece union select company_id, list from tail),
    bound as (
      select
        ${kept.to === null ? sql`0::bigint` : countFrom(tenantId, kept, sql`${kept.to}::text`)} as from_upper,
        ${
          kept.from === null
            ? sql`(select coalesce(sum(n), 0)::bigint from piece) + (select coalesce(sum(n), 0)::bigint from tail)`
            : countFrom(tenantId, kept, sql`${kept.from}::text`)
        } as from_lower)`
}

/** All blocks of the lists, and the chunks of lists without blocks. Chunks have no `end_key`. */
function readBlocks(name: Pieces, { tenantId, companyIds, hiddenIds }: Scope, { names }: KeptList): Statement {
  const under = hiddenIds ? [EVERY_COMPANY, ...hiddenIds] : companyIds
  return sql`
    block as materialized (
      select company_id, list, start_key, lead(start_key, 1, ${END}) over (partition by company_id, list order by start_key) as end_key,
        ${signOf(hiddenIds)} * n as n
      -- The list first: a scan of all blocks compares each with few lists, but perhaps with a thousand companies.
      from order_blocks where tenant_id = ${tenantId} and list = any(${names}) and company_id = any(${under})),
    ${identifiers(name)} as materialized (
      select * from block
      union all
      select company_id, list, start_key, null, ${signOf(hiddenIds)} * n
      from ${rowsOf(under)} as owner (id) cross join ${rowsOf(names)} as named (name) cross join lateral (
        select * from order_chunks where tenant_id = ${tenantId} and company_id = owner.id and list = named.name) c
      where (owner.id, named.name) not in (select company_id, list from block))`
}

/**
 * A row for each text. Of an array, the planner expects ten: it would plan the list of one company anew each time, which takes longer
 * than the list.
 */
const rowsOf = (texts: readonly string[]) =>
  texts.length === 1 ? sql`(values (${texts[0]!}::text))` : sql`unnest(${texts}::text[])`

/** Replaces the blocks that a bound falls into, or that lie near the page, by their chunks. */
const refine = (scope: Scope, list: KeptList, page: PageBounds | undefined) => sql`
  refined as materialized (
    select * from (values (${list.from}::text, ${list.from}::text), (${list.to}, ${list.to})) as bounds (low, high)
    ${page ? sql`union all ${boundPage(scope, list, page)}` : sql``}),
  piece as materialized (
    select * from coarse where not ${IS_REFINED}
    union all
    select company_id, list, c.start_key, null, ${signOf(scope.hiddenIds)} * c.n from coarse cross join lateral (
      select start_key, n from order_chunks
      where tenant_id = ${scope.tenantId} and company_id = coarse.company_id and list = coarse.list
        and start_key >= coarse.start_key and start_key < coarse.end_key) c
    where ${IS_REFINED})`

const IS_REFINED = sql`exists (select from refined where coarse.start_key < high and coarse.end_key > low)`

/** Of a whole tenant, what its hidden companies have is subtracted. */
const signOf = (hiddenIds: Scope['hiddenIds']) =>
  hiddenIds ? sql`case company_id when ${EVERY_COMPANY} then 1 else -1 end` : sql`1`

/**
 * Keys that certainly lie below a page and above it. Changes that are not folded may move it; and of each list, some orders of the piece
 * that a key falls into lie on the other side of the key.
 */
const boundPage = (scope: Scope, { to }: KeptList, { offset, limit }: PageBounds) => sql`
  select
    coalesce(max(start_key) filter (
      where upto >= ${offset + limit} + ${MOVED} + ${hiddenIn('coarse', scope)} + 2 * ${cutIn('coarse', scope, 'all')}), ''),
    coalesce(min(start_key) filter (where upto <= ${offset} - ${MOVED} - 2 * ${cutIn('coarse', scope, 'others')}), ${to}, ${END})
  from (
    select start_key, sum(n) over (order by start_key desc) as upto from coarse
    where ${isSeen(scope)} ${to === null ? sql`` : sql`and start_key < ${to}`}) passed`

/** The most orders that changes not folded yet add or take away. */
const MOVED = sql`(select coalesce(sum(abs(n)), 0) from tail)`

const hiddenIn = (pieces: Pieces, scope: Scope) =>
  sql`(select coalesce(sum(-n), 0) from ${identifiers(pieces)} where not ${isSeen(scope)})`

/**
 * The most orders in pieces that a key falls into: of all lists, or of all others, if a piece of one list begins with the key. Near a page
 * such pieces are chunks.
 */
const cutIn = (pieces: Pieces, scope: Scope, lists: 'all' | 'others') => sql`(
  select coalesce(sum(largest) ${lists === 'all' ? sql`` : sql`- min(largest)`}, 0)
  from (
    select max(n) as largest from ${identifiers(pieces)}
    where ${isSeen(scope)} ${pieces === 'piece' ? sql`and end_key is null` : sql``} group by company_id, list) part)`

/** Whom a change is counted for. */
const ownersOf = (hiddenIds: Scope['hiddenIds']) =>
  hiddenIds
    ? sql`select ${EVERY_COMPANY}::text as company_id, 1 as sign union all select c.company_id, -1 where c.company_id = any(${hiddenIds})`
    : sql`select c.company_id, 1 as sign`

/**
 * What a change does to the lists, like the view `order_list_changes`, but for one kind of list: with the view, a list beside a flood
 * of creates took 75 instead of 32 ms in the median (`npm run bench -- writing`).
 */
function entriesOf({ names }: KeptList): Statement {
  const [name = ''] = names
  if (name.startsWith(STATUS))
    return sql`
      select list, c.order_id as key, n
      from (select 'status ' || c.new_status as list, 1 as n union all select 'status ' || c.old_status, -1) moved
      where c.new_status is distinct from c.old_status and list = any(${names})`
  if (name === 'updated')
    return sql`
      select 'updated' as list, updated_key(at, c.order_id) as key, n
      from (select c.new_updated_at as at, 1 as n union all select c.old_updated_at, -1) moved where at is not null`
  const isListed = name === ALL.names[0] ? sql`true` : sql`'location ' || c.location_id = ${name}`
  return sql`
    select ${name}::text as list, c.order_id as key, (c.new_status is not null)::int - (c.old_status is not null)::int as n
    where ${isListed}`
}

export const TOTAL = sql`(select greatest(from_lower - from_upper, 0)::int from bound)`

/**
 * The number of orders of the lists with this key or a higher one: whole pieces by their counts, the chunk that the key falls
 * into by counting rows, and the changes that are not folded yet.
 */
const countFrom = (tenantId: string, list: KeptList, key: Statement) => sql`
  (select coalesce(sum(counted.n), 0)::bigint
   from part
   cross join lateral (
     select min(start_key) as start_key, coalesce(sum(n), 0) as n from piece
     where piece.company_id = part.company_id and piece.list = part.list and start_key >= ${key}) whole
   cross join lateral (
     select whole.n
       + (${countWithin(tenantId, list, sql`${list.key} >= ${key} and ${list.key} < coalesce(whole.start_key, ${END})`)})
       + (select coalesce(sum(tail.n), 0) from tail
          where tail.company_id = part.company_id and tail.list = part.list and tail.key >= whole.start_key) as n
   ) counted)`

const countWithin = (tenantId: string, list: KeptList, range: Statement) =>
  list.countWithin?.(range) ??
  sql`select count(*) from orders o where o.tenant_id = ${tenantId} and ${list.isOfCompany} ${list.condition} and ${range}`

/** The last start of a chunk that is certainly before the page, and how many orders to skip from there. Near the page, there are no blocks. */
export const jump = (scope: Scope, list: KeptList, offset: number) => sql`
  select target.key, ${offset}::bigint + (select from_upper from bound)
    - (case when target.key is null then (select from_upper from bound)
       else ${countFrom(scope.tenantId, list, sql`target.key`)} end) as skip
  from (select coalesce(min(start_key), ${list.to}::text) as key
        from (select start_key, sum(n) over (order by start_key desc) as upto from piece
              where ${isSeen(scope)} ${list.to === null ? sql`` : sql`and start_key < ${list.to}`}) passed
        where upto <= ${offset}
          - ${MOVED} - ${cutIn('piece', scope, 'others')}) target`

/** Chunks that are not of a hidden company. */
const isSeen = ({ hiddenIds }: Scope) => (hiddenIds ? sql`company_id = ${EVERY_COMPANY}` : sql`true`)

/**
 * A key from which on a whole tenant certainly has all orders up to the end of the page, and not many more. Changes that are not
 * folded may take away some of them, all hidden orders may be among them, and a chunk may reach beyond the start of the page.
 */
export const reach = (scope: Scope, { from }: KeptList, limit: number) => sql`
  select greatest(coalesce(max(start_key), ''), ${from ?? ''}) as key
  from (select start_key, sum(n) over (order by start_key desc) as upto from piece
        where ${isSeen(scope)} and start_key < coalesce((select key from jump), ${END})) passed
  where upto >= (select skip from jump) + ${limit} + ${MOVED} + ${hiddenIn('piece', scope)} + ${cutIn('piece', scope, 'all')}`
