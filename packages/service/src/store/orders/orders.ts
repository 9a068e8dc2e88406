import { ORDER_STATUSES } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import type { Order } from '../../domain/orders/order.ts'
import { isOpen } from '../../domain/orders/statuses.ts'
import type { OrderView } from '../../domain/orders/view.ts'
import { arrayText, givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { violatedConstraint } from '../db/errors.ts'
import { sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import type { SavedResponse } from './idempotency.ts'
import { insertStatement, type NewOrder } from './insertion.ts'
import { contentColumns, openOrder, requesterHashes, specimenHashes, type ContentRow, type ViewRow } from './rows.ts'
import { openNewest, unknownViewColumns, type SealedRow } from './views.ts'
import { updateStatement, type WrittenOrder } from './writing.ts'

const OPEN_STATUSES = ORDER_STATUSES.filter((status) => isOpen(status))

/** Another order has the same random code. Worth another try with a new one. */
export class CodeTaken extends Error {}

export type OrderName = { id: string } | { code: string }

/** A create that was answered with an order on file, and why. */
export interface MatchRow {
  at: Date
  tokenId: string
  score: number
  explanation: object
}

/** References to orders. A code or specimen id may refer to several. */
export interface OrderLookup {
  tenantId: string
  id?: string | undefined
  code?: string | undefined
  specimenId?: string | undefined
}

/** An order that is due, which may be one that cannot be read. */
export interface DueName {
  tenantId: string
  id: string
}

type LockedRow = ContentRow & { tenantId: string }

/**
 * The orders of `given` that have its code or specimen. `lockNamed` searches for each only if a reference names one, since most
 * reports name the id. The limits keep PostgreSQL from joining whole tables.
 */
const ofCode = sql`
  union select place, o.tenant_id, o.id from given cross join lateral (
    select tenant_id, id from orders where tenant_id = given.tenant_id and code = given.code limit 1) o`
const ofSpecimen = sql`
  union select place, o.tenant_id, o.id from given cross join lateral (
    (select tenant_id, id from orders where tenant_id = given.tenant_id and specimen_keys <> '{}'
      and specimen_keys && given.specimen_keys::bigint[] limit 10)
    union all (select tenant_id, id from orders where tenant_id = given.tenant_id and specimen_ids <> '{}'
      and specimen_ids @> array[given.specimen_id] limit 10)) o`

/** An order whose requester's links were all revoked is closed to the requester's other links, too. */
const isOpenToRequester = sql`not exists (
    select from order_links l where l.tenant_id = orders.tenant_id and l.order_id = orders.id and l.recipient = 'requester'
    having bool_and(l.revoked_at is not null))`

export const orders = (db: Db, keyring: Keyring) => {
  /**
   * The expression `company_id || ''` keeps the planner from reading all orders of a company it has no statistics of: 20 orders
   * of 6,000 took 150 times as long (`growth/new-company`, which fails when PostgreSQL does without it).
   */
  const visible = ({ tenantId, companyIds }: Caller) =>
    sql`tenant_id = ${tenantId} and company_id || '' = any(${companyIds})`
  const load = (tenantId: string, row: ContentRow): Order => openOrder(keyring, tenantId, row)

  const ofRequester = (tenantId: string, email: string, now: Date) => sql`
    tenant_id = ${tenantId} and requester_key = any(${requesterHashes(keyring, tenantId, email)}::bigint[])
      and (due_at is null or due_at > ${now}) and ${isOpenToRequester}`

  return {
    /** The view of each order, in the order of the ids; undefined where the caller may see no such order. */
    async findViews(caller: Caller, ids: string[]): Promise<(OrderView | undefined)[]> {
      const columns = unknownViewColumns(keyring, caller.tenantId, ids)
      const rows = await db<(SealedRow & ViewRow)[]>`
        select ${columns} from orders where ${visible(caller)} and id = any(${ids})`
      const views = await openNewest(db, keyring, caller, rows)
      const found = new Map(rows.map(({ id }, i) => [id, views[i]]))
      return ids.map((id) => found.get(id))
    },

    async findCode(caller: Caller, id: string): Promise<string | undefined> {
      const [code] = await db.values`select code from orders where ${visible(caller)} and id = ${id}`
      return code
    },

    /** The number of open orders of companies. */
    async countOpen(tenantId: string, companyIds: string[]): Promise<number> {
      if (companyIds.length === 0) return 0
      const { total } = await db.only<{ total: number }>`
        select count(*)::int as total from orders
        where tenant_id = ${tenantId} and company_id = any(${companyIds}) and status = any(${OPEN_STATUSES})`
      return total
    },

    /** The codes of orders, by id. */
    async codesOf(tenantId: string, ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map()
      const rows = await db<{ id: string; code: string }[]>`
        select id, code from orders where tenant_id = ${tenantId} and id = any(${[...new Set(ids)]})`
      return new Map(rows.map(({ id, code }) => [id, code]))
    },

    async findId(caller: Caller, name: OrderName): Promise<string | undefined> {
      if ('id' in name) return name.id
      const [id] = await db.values`select id from orders where ${visible(caller)} and code = ${name.code}`
      return id
    },

    async findVisible(caller: Caller, name: OrderName): Promise<Order | undefined> {
      const named = 'id' in name ? sql`id = ${name.id}` : sql`code = ${name.code}`
      const row = await db.first<ContentRow>`
        select ${contentColumns()} from orders where ${visible(caller)} and ${named}`
      return row && load(caller.tenantId, row)
    },

    async find(tenantId: string, id: string): Promise<Order | undefined> {
      const row = await db.first<ContentRow>`
        select ${contentColumns()} from orders where tenant_id = ${tenantId} and id = ${id}`
      return row && load(tenantId, row)
    },

    async findAll(tenantId: string, ids: readonly string[]): Promise<Map<string, Order>> {
      const rows = await db<ContentRow[]>`
        select ${contentColumns()} from orders where tenant_id = ${tenantId} and id = any(${[...new Set(ids)]})`
      return new Map(rows.map((row) => load(tenantId, row)).map((order) => [order.id, order]))
    },

    async findByCode(tenantId: string, code: string): Promise<Order | undefined> {
      const row = await db.first<ContentRow>`
        select ${contentColumns()} from orders where tenant_id = ${tenantId} and code = ${code}`
      return row && load(tenantId, row)
    },

    /** The orders that a requester can choose a clinic for, and how many there are. Those without a clinic come first. */
    async ofRequester(tenantId: string, email: string, { most, now }: { most: number; now: Date }) {
      const rows = await db<(ContentRow & { count: number })[]>`
        select ${contentColumns()}, count(*) over ()::int as count from orders
        where ${ofRequester(tenantId, email, now)}
        order by awaited_clinic_id is not null, expires_at nulls last, id limit ${most}`
      return { found: rows.map((row) => load(tenantId, row)), count: rows[0]?.count ?? 0 }
    },

    async hasOthersOfRequester(tenantId: string, { id, requester }: Order, now: Date): Promise<boolean> {
      const others = await db.values`
        select id from orders where ${ofRequester(tenantId, requester.email, now)} and id <> ${id} limit 1`
      return others.length > 0
    },

    /** The orders of a tenant with one of these statuses, or any, sorted by id, after the given one. */
    async listAfter(tenantId: string, last: string, most: number, statuses?: readonly string[]): Promise<Order[]> {
      const rows = await db<ContentRow[]>`
        select ${contentColumns()} from orders where tenant_id = ${tenantId} and id > ${last}
          ${statuses === undefined ? sql`` : sql`and status = any(${statuses})`}
        order by id limit ${most}`
      return rows.map((row) => load(tenantId, row))
    },

    /** Locks the row, so that two changes cannot both start from the same order. */
    async lockVisible(caller: Caller, id: string): Promise<Order | undefined> {
      const row = await db.first<ContentRow>`
        select ${contentColumns()} from orders where ${visible(caller)} and id = ${id} for update`
      return row && load(caller.tenantId, row)
    },

    /**
     * Writes new orders with everything that belongs to them. Returns for each whether it was written: it is not if the
     * idempotency key is taken, or if there are new candidates since its search.
     */
    async insert(added: NewOrder[], response?: SavedResponse): Promise<boolean[]> {
      try {
        const refused = new Set(await db.values`${insertStatement(keyring, added, response)}`)
        return added.map(({ order }) => !refused.has(order.id))
      } catch (error) {
        if (violatedConstraint(error) === 'orders_by_code') throw new CodeTaken()
        throw error
      }
    },

    /** The names of orders whose `due_at` has passed by the database's clock, without those that are locked. */
    findDue: (most: number) => db<DueName[]>`
      select tenant_id, id from orders where due_at <= now() order by due_at limit ${most} for update skip locked`,

    /** Locks orders that `findDue` would find: up to so many of them, or only the given one. */
    async lockDue(most: number, only?: DueName): Promise<{ tenantId: string; order: Order; now: Date }[]> {
      const rows = await db<(LockedRow & { now: Date })[]>`
        select tenant_id, ${contentColumns()}, now() as now from orders
        where due_at <= now() ${only ? sql`and tenant_id = ${only.tenantId} and id = ${only.id}` : sql``}
        order by due_at limit ${most} for update skip locked`
      return rows.map(({ now, ...row }) => ({ tenantId: row.tenantId, order: load(row.tenantId, row), now }))
    },

    /** Postpones an order, unless it is no longer due. */
    async postponeDue({ tenantId, id }: DueName, minutes: number): Promise<void> {
      await db`
        update orders set due_at = now() + ${minutes}::int * interval '1 minute'
        where tenant_id = ${tenantId} and id = ${id} and due_at <= now()`
    },

    /** Locks the orders that each lookup refers to. */
    async lockNamed(lookups: OrderLookup[]): Promise<Order[][]> {
      const given = lookups.map(({ tenantId, id, code, specimenId }) => {
        const specimenKeys = specimenId === undefined ? null : arrayText(specimenHashes(keyring, tenantId, specimenId))
        return { tenantId, id, code, specimenId, specimenKeys }
      })
      const isAnyGiven = (name: 'code' | 'specimenId') => given.some((each) => each[name] !== undefined)
      const rows = await db<(LockedRow & { place: number })[]>`
        with given as (
          select * from ${givenRows(given, { text: ['tenantId', 'id', 'code', 'specimenId', 'specimenKeys'] })}),
        found as (
          select place, tenant_id, id from given where id is not null
          ${isAnyGiven('code') ? ofCode : sql``} ${isAnyGiven('specimenId') ? ofSpecimen : sql``}),
        -- Locked in the same order by all, so that transactions cannot deadlock.
        locked as (
          select tenant_id, ${contentColumns()} from orders
          where (tenant_id, id) in (select tenant_id, id from found) order by tenant_id, id for update)
        select place::int, tenant_id, ${contentColumns()} from found join locked using (tenant_id, id)
        order by place, id`
      const named = lookups.map((): Order[] => [])
      for (const { place, ...row } of rows) named[place - 1]!.push(load(row.tenantId, row))
      return named
    },

    /** Writes orders that this transaction has locked. */
    async update(changed: WrittenOrder[]): Promise<void> {
      if (changed.length > 0) await db`${updateStatement(keyring, changed)}`
    },

    /** Records how a match was found, so that it can be explained later. */
    async recordMatch(
      { tenantId, tokenId }: Caller,
      orderId: string,
      { at, score, explanation }: { at: Date; score: number; explanation: object },
    ): Promise<void> {
      await db`
        insert into order_matches (tenant_id, order_id, token_id, at, score, explanation)
        values (${tenantId}, ${orderId}, ${tokenId}, ${at}, ${score}, ${JSON.stringify(explanation)}::text::jsonb)`
    },

    listMatches: (tenantId: string, orderId: string, most: number) => db<MatchRow[]>`
      select at, token_id, score::float8, explanation from order_matches
      where tenant_id = ${tenantId} and order_id = ${orderId} order by seq desc limit ${most}`,
  }
}
