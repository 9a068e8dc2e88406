import { canReadParticipant, type Caller } from '../../domain/access/caller.ts'
import type { Order } from '../../domain/orders/order.ts'
import { violatedConstraint } from '../db/errors.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { KeptAnswer } from './idempotency.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { arrayText, columnsOf } from '../db/arrays.ts'
import { insertion, type NewOrder } from './insertion.ts'
import {
  openOrder,
  openReady,
  readyColumns,
  specimenLookUp,
  wholeColumns,
  type OrderTexts,
  type ReadyOrder,
  type WholeOrder,
} from './rows.ts'
import type { WrittenOrder } from './columns.ts'
import { update } from './update.ts'

/** An order with the same code is there already: chance, and so worth another try. */
export class CodeTaken extends Error {}

export type OrderName = { id: string } | { code: string }

/** That a create was answered with an order on file, and why. */
export interface MatchRow {
  at: Date
  tokenId: string
  score: number
  explanation: object
}

/** What an order may be named by; one that several have names several. */
export interface OrderLookUp {
  tenantId: string
  id?: string | undefined
  code?: string | undefined
  specimenId?: string | undefined
}

interface LockedRow extends WholeOrder {
  tenantId: string
}

/** The orders placed for the companies linked to the caller. */
export const orders = (db: Db, keyring: Keyring) => {
  /** No index helps with the expression: of a company that is new to it, the planner would rather read all than the one named. */
  const visible = ({ tenantId, companyIds }: Caller) =>
    sql`tenant_id = ${tenantId} and company_id || '' = any(${companyIds})`
  const load = (tenantId: string, row: WholeOrder): Order => openOrder(keyring, tenantId, row)

  return {
    /** With the participant where the caller may read it. */
    async findVisible(caller: Caller, ids: string[]): Promise<ReadyOrder[]> {
      return db<ReadyOrder[]>`
        select ${readyColumns()} from orders where ${visible(caller)} and id = any(${ids})`
    },

    async codeOf(caller: Caller, id: string): Promise<string | undefined> {
      const [row] = await db<{ code: string }[]>`select code from orders where ${visible(caller)} and id = ${id}`
      return row?.code
    },

    async idOf(caller: Caller, name: OrderName): Promise<string | undefined> {
      if ('id' in name) return name.id
      const [row] = await db<{ id: string }[]>`select id from orders where ${visible(caller)} and code = ${name.code}`
      return row?.id
    },

    /** The order as the rules see it, by its id or its code. */
    async findWhole(caller: Caller, name: OrderName): Promise<Order | undefined> {
      const named = 'id' in name ? sql`id = ${name.id}` : sql`code = ${name.code}`
      const [row] = await db<LockedRow[]>`
        select tenant_id, ${wholeColumns()} from orders where ${visible(caller)} and ${named}`
      return row && load(caller.tenantId, row)
    },

    async whole(tenantId: string, id: string): Promise<Order | undefined> {
      const [row] = await db<LockedRow[]>`
        select tenant_id, ${wholeColumns()} from orders where tenant_id = ${tenantId} and id = ${id}`
      return row && load(tenantId, row)
    },

    /** Orders of a tenant that have one of these statuses, or any, in the order of their ids, from behind one. */
    async after(tenantId: string, last: string, most: number, statuses?: readonly string[]): Promise<Order[]> {
      const rows = await db<LockedRow[]>`
        select tenant_id, ${wholeColumns()} from orders where tenant_id = ${tenantId} and id > ${last}
          ${statuses === undefined ? sql`` : sql`and status = any(${statuses})`}
        order by id limit ${most}`
      return rows.map((row) => load(tenantId, row))
    },

    /** Locks the row, so that two changes cannot both start from the same order. */
    async lockVisible(caller: Caller, id: string): Promise<Order | undefined> {
      const [row] = await db<WholeOrder[]>`
        select ${wholeColumns()} from orders where ${visible(caller)} and id = ${id} for update`
      return row && load(caller.tenantId, row)
    },

    /**
     * Writes new orders with all that belongs to them, and tells of each whether it was written: not where the key of the
     * answer to keep is taken, and not where one like it has come first.
     */
    async insert(added: NewOrder[], kept?: KeptAnswer): Promise<boolean[]> {
      try {
        const refused = await db<{ id: string }[]>`${insertion(keyring, added, kept)}`
        const ids = new Set(refused.map(({ id }) => id))
        return added.map(({ order }) => !ids.has(order.id))
      } catch (error) {
        if (violatedConstraint(error) === 'orders_by_code') throw new CodeTaken()
        throw error
      }
    },

    /** Locks what time alone is to change by now, leaving out what others hold; with the time by the database's clock. */
    async lockDue(most: number): Promise<{ tenantId: string; order: Order; now: Date }[]> {
      const rows = await db<(LockedRow & { now: Date })[]>`
        select tenant_id, ${wholeColumns()}, now() as now from orders
        where due_at <= now() order by due_at limit ${most} for update skip locked`
      return rows.map(({ now, ...row }) => ({ tenantId: row.tenantId, order: load(row.tenantId, row), now }))
    },

    /** Puts the order that is due first off for an hour. */
    async putOffDue(): Promise<void> {
      await db`
        update orders set due_at = now() + interval '1 hour'
        where (tenant_id, id) in (select tenant_id, id from orders where due_at <= now() order by due_at limit 1)`
    },

    /** For each look-up the orders that it names, locked. */
    async lockNamed(lookUps: OrderLookUp[]): Promise<Order[][]> {
      const column = columnsOf(lookUps)
      const rows = await db<(LockedRow & { place: number })[]>`
        with found as (
          select l.place, o.tenant_id, o.id
          from unnest(
            ${column(({ tenantId }) => tenantId)}::text[],
            ${column(({ id }) => id ?? null)}::text[],
            ${column(({ code }) => code ?? null)}::text[],
            ${column(({ specimenId }) => specimenId ?? null)}::text[],
            ${column(({ tenantId, specimenId }) => (specimenId === undefined ? null : arrayText(specimenLookUp(keyring, tenantId, specimenId))))}::text[]
          ) with ordinality as l (tenant_id, id, code, specimen_id, specimen_keys, place)
          cross join lateral (
            select tenant_id, id from orders where tenant_id = l.tenant_id and id = l.id
            union select tenant_id, id from orders where tenant_id = l.tenant_id and code = l.code
            union (select tenant_id, id from orders where tenant_id = l.tenant_id and specimen_keys <> '{}'
              and specimen_keys && l.specimen_keys::bigint[] limit 10)
            union (select tenant_id, id from orders where tenant_id = l.tenant_id and specimen_ids <> '{}'
              and specimen_ids @> array[l.specimen_id] limit 10)
          ) o),
        -- All in the same order, so that nobody waits for someone who waits for him.
        locked as (
          select tenant_id, ${wholeColumns()} from orders
          where (tenant_id, id) in (select tenant_id, id from found) order by tenant_id, id for update)
        select place::int, tenant_id, ${wholeColumns()} from found join locked using (tenant_id, id)
        order by place, id`
      const named = lookUps.map((): Order[] => [])
      for (const { place, ...row } of rows) named[place - 1]!.push(load(row.tenantId, row))
      return named
    },

    /** Writes orders that this transaction has locked. */
    async update(changed: WrittenOrder[]): Promise<void> {
      if (changed.length > 0) await db`${update(keyring, changed)}`
    },

    /** Keeps what a match was found by, so that it can be explained to whoever doubts it. */
    async recordMatch(
      { tenantId, tokenId }: Caller,
      orderId: string,
      { at, score, explanation }: { at: Date; score: number; explanation: object },
    ): Promise<void> {
      await db`
        insert into order_matches (tenant_id, order_id, token_id, at, score, explanation)
        values (${tenantId}, ${orderId}, ${tokenId}, ${at}, ${score}, ${JSON.stringify(explanation)}::text::jsonb)`
    },

    matchesOf: (tenantId: string, orderId: string, most: number) => db<MatchRow[]>`
      select at, token_id, score::float8, explanation from order_matches
      where tenant_id = ${tenantId} and order_id = ${orderId} order by seq desc limit ${most}`,

    /** The ready texts of an order; of the participant only where the row was read with it. */
    open(caller: Caller, row: ReadyOrder): OrderTexts {
      const { head, participant } = openReady(keyring, caller.tenantId, row)
      return { head, participant: canReadParticipant(caller) ? participant : null }
    },
  }
}
