import type { Caller } from '../domain/caller.ts'
import type { Order } from '../domain/orders.ts'
import type { Db } from './database.ts'
import type { Keyring } from './keyring.ts'
import {
  fromContent,
  matchKeysOf,
  openIdentifiers,
  sealIdentifiers,
  toContent,
  type Presented,
  type ReadyOrder,
  type StoredOrder,
} from './order-rows.ts'

/** An order with the same code is there already: chance, and so worth another try. */
export class CodeTaken extends Error {}

/** The orders placed for the companies linked to the caller. */
export const orders = (db: Db, keyring: Keyring) => {
  const columns = db`id, head, participant, identifiers`
  const visible = ({ tenantId, companyIds }: Caller) => db`tenant_id = ${tenantId} and company_id = any(${companyIds})`
  /** Under every key: other nodes may already have another current one, or not yet. */
  const allKeysOf = (tenantId: string, words: string[]) =>
    words.flatMap((word) => keyring.hashes(`${tenantId} ${word}`))
  const load = (tenantId: string, row: { id: string; content: StoredOrder; identifiers: Buffer | null }) =>
    fromContent(row.content, openIdentifiers(keyring, tenantId, row))

  return {
    async findVisible(caller: Caller, id: string): Promise<ReadyOrder | undefined> {
      const [row] = await db<ReadyOrder[]>`select ${columns} from orders where ${visible(caller)} and id = ${id}`
      return row
    },

    /** Locks the row, so that two changes cannot both start from the same order. */
    async lockVisible(caller: Caller, id: string): Promise<Order | undefined> {
      const [row] = await db<{ id: string; content: StoredOrder; identifiers: Buffer | null }[]>`
        select id, content, identifiers from orders where ${visible(caller)} and id = ${id} for update`
      return row && load(caller.tenantId, row)
    },

    async insert(tenantId: string, order: Order, presented: Presented, words: string[]): Promise<void> {
      try {
        await db`
          with placed as (insert into orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, expires_at,
            specimen_ids, head, participant, identifiers, content, match_keys)
          values (${tenantId}, ${order.id}, ${order.code}, ${order.company.id}, ${order.location.id}, ${order.status},
            ${order.createdAt}, ${order.updatedAt}, ${order.expiresAt}, ${specimensOf(order)}, ${presented.head}, ${presented.participant},
            ${sealIdentifiers(keyring, tenantId, order)}, ${toContent(order)}::text::jsonb, ${matchKeysOf(keyring, tenantId, words)}::bigint[]))
          insert into order_changes (tenant_id, company_id, location_id, order_id, new_status, new_updated_at)
          values (${tenantId}, ${order.company.id}, ${order.location.id}, ${order.id}, ${order.status}, ${order.updatedAt})`
      } catch (error) {
        if ((error as { constraint_name?: string }).constraint_name === 'orders_by_code') throw new CodeTaken()
        throw error
      }
    },

    /** The order must be locked: its counts follow from what it was before. */
    async update(tenantId: string, order: Order, presented: Presented, words: string[]): Promise<void> {
      await db`
        with before as (select status, updated_at from orders where tenant_id = ${tenantId} and id = ${order.id}),
        changed as (update orders set status = ${order.status}, updated_at = ${order.updatedAt}, expires_at = ${order.expiresAt},
          specimen_ids = ${specimensOf(order)}, head = ${presented.head}, participant = ${presented.participant},
          identifiers = ${sealIdentifiers(keyring, tenantId, order)}, content = ${toContent(order)}::text::jsonb,
          match_keys = ${matchKeysOf(keyring, tenantId, words)}::bigint[]
        where tenant_id = ${tenantId} and id = ${order.id})
        insert into order_changes (tenant_id, company_id, location_id, order_id, old_status, new_status, old_updated_at, new_updated_at)
        select ${tenantId}, ${order.company.id}, ${order.location.id}, ${order.id}, before.status, ${order.status},
          before.updated_at, ${order.updatedAt}
        from before`
    },

    /** Keeps other creates for the same person and purpose waiting until this transaction has ended. */
    async lockWords(tenantId: string, words: string[]): Promise<void> {
      const sorted = allKeysOf(tenantId, words)
        .toSorted((a, b) => (a < b ? -1 : 1))
        .map(String)
      await db`select pg_advisory_xact_lock(key) from unnest(${sorted}::bigint[]) as key`
    },

    /** Orders that share a word, for scoring; newest first. */
    async findAlike(
      caller: Caller,
      want: { words: string[]; since: Date; now: Date; profile: string },
    ): Promise<Order[]> {
      const keys = allKeysOf(caller.tenantId, want.words).map(String)
      const rows = await db<{ id: string; content: StoredOrder; identifiers: Buffer | null }[]>`
        select id, content, identifiers from orders
        where ${visible(caller)} and match_keys && ${keys}::bigint[] and created_at >= ${want.since}
          and ${
            want.profile === 'standard'
              ? db`status in ('ordered', 'scheduled') and (expires_at is null or expires_at > ${want.now})`
              : db`status not in ('cancelled', 'expired', 'noShow', 'testCancelled')`
          }
        order by id desc limit 200`
      return rows.map((row) => load(caller.tenantId, row))
    },

    identifiersOf: (tenantId: string, row: ReadyOrder) => openIdentifiers(keyring, tenantId, row),
  }
}

const specimensOf = ({ services }: Order) =>
  services.flatMap(({ specimenId }) => (specimenId === null ? [] : [specimenId]))
