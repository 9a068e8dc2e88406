import type { Caller } from '../../domain/access/caller.ts'
import type { OrderView } from '../../domain/orders/view.ts'
import type { Db } from '../db/db.ts'
import type { Page } from '../db/page.ts'
import { andEqual, sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { EVERY_COMPANY } from './counts.ts'
import { instant, type OrderFilter } from './filter.ts'
import { keptPage, updatedPage } from './kept-pages.ts'
import { findKeptList, type Scope } from './kept-lists.ts'
import { selectPage, toPage, type PageRow } from './page-rows.ts'
import { startOf } from './positions.ts'
import { externalHashes, specimenHashes } from './rows.ts'
import { openUnchanged, sealColumns, sealedViewColumns, type SealedRow } from './views.ts'

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
  // A location is of one company.
  const isWide = companyIds.length >= MANY_COMPANIES && filter.locationId === undefined
  const hiddenIds = isWide && isKept(filter) ? await findHidden(db, caller) : undefined
  const page = hiddenIds && (await pageOf(db, keyring, { ...scope, hiddenIds }, filter))
  return page ?? (await pageOf(db, keyring, scope, filter))!
}

/** From this many companies on, the lists of the whole tenant are used if the caller sees most of it. */
const MANY_COMPANIES = 20

/** How much smaller what is hidden must be than what is seen. */
const MOSTLY = 4

/** Orders of hidden companies may have become many since then. */
const ASKED_AGAIN_MS = 600_000

/** What `findHidden` found, by the list of companies, which is kept until the catalog changes. */
const known = new WeakMap<readonly string[], { at: number; hiddenIds: readonly string[] | undefined }>()

/** The companies of the tenant that the caller does not see, if they are few and have few orders. */
async function findHidden(db: Db, { tenantId, companyIds }: Caller): Promise<readonly string[] | undefined> {
  const last = known.get(companyIds)
  if (last && Date.now() - last.at < ASKED_AGAIN_MS) return last.hiddenIds
  const { ids, hidden, all } = await db.only<{ ids: string[]; hidden: number; all: number }>`
    with hidden as materialized (
      select id from companies where tenant_id = ${tenantId} except select unnest(${companyIds}::text[])),
    counted as (
      select company_id, n from order_chunks
      where tenant_id = ${tenantId} and company_id = any(array(select ${EVERY_COMPANY} union all select id from hidden)) and list = 'all')
    select array(select id from hidden) as ids,
      coalesce(sum(n) filter (where company_id <> ${EVERY_COMPANY}), 0)::float8 as hidden,
      coalesce(sum(n) filter (where company_id = ${EVERY_COMPANY}), 0)::float8 as all
    from counted`
  const isMost = MOSTLY * ids.length <= companyIds.length && MOSTLY * hidden <= all
  const hiddenIds = isMost ? ids : undefined
  known.set(companyIds, { at: Date.now(), hiddenIds })
  return hiddenIds
}

const isKept = (filter: OrderFilter) => findKeptList(filter) !== undefined || isByUpdate(filter)

/** Undefined if the scope is a whole tenant that has got another company meanwhile. */
async function pageOf(
  db: Db,
  keyring: Keyring,
  scope: Scope,
  filter: OrderFilter,
): Promise<Page<SealedRow> | undefined> {
  const kept = findKeptList(filter)
  if (kept) return keptPage(db, scope, kept, filter)
  return isByUpdate(filter) ? updatedPage(db, scope, filter) : countedPage(db, keyring, scope, filter)
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

/** Counts rows: for codes, external ids and specimens, which have few orders, and for combined filters. */
async function countedPage(
  db: Db,
  keyring: Keyring,
  scope: Scope,
  filter: OrderFilter,
): Promise<Page<SealedRow> | undefined> {
  const { tenantId, companyIds } = scope
  const { limit, page } = filter
  const matching = sql`
    from orders o where o.tenant_id = ${tenantId} and o.company_id = any(${companyIds})
      ${conditionsOf(keyring, tenantId, filter)}`
  return toPage(
    await db<PageRow[]>`
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
