import type { Caller } from '../domain/caller.ts'
import type { Order } from '../domain/orders.ts'
import type { Db } from './database.ts'
import type { KeptAnswer } from './idempotency.ts'
import type { Keyring } from './keyring.ts'
import { insertion, type NewOrder } from './order-insertion.ts'
import {
  fromContent,
  matchKeysOf,
  openIdentifiers,
  sealIdentifiers,
  specimensOf,
  toContent,
  type Presented,
  type ReadyOrder,
  type StoredOrder,
} from './order-rows.ts'

/** An order with the same code is there already: chance, and so worth another try. */
export class CodeTaken extends Error {}

interface Alike {
  id: string
  participant: string
  identifiers: Buffer | null
  /** Only for the profile that asks for them. */
  source: string | null
  testReason: string | null
}

/** The orders placed for the companies linked to the caller. */
export const orders = (db: Db, keyring: Keyring) => {
  const visible = ({ tenantId, companyIds }: Caller) => db`tenant_id = ${tenantId} and company_id = any(${companyIds})`
  /** Under every key: other nodes may already have another current one, or not yet. */
  const allKeysOf = (tenantId: string, words: string[]) =>
    words.flatMap((word) => keyring.hashes(`${tenantId} ${word}`))
  const load = (tenantId: string, row: { id: string; content: StoredOrder; identifiers: Buffer | null }) =>
    fromContent(row.content, openIdentifiers(keyring, tenantId, row))

  return {
    async findVisible({ tenantId, companyIds }: Caller, ids: string[]): Promise<ReadyOrder[]> {
      return db<ReadyOrder[]>`
        select id, head, participant, identifiers from orders
        where tenant_id = ${tenantId} and company_id = any(${companyIds}) and id = any(${ids})`
    },

    /** Locks the row, so that two changes cannot both start from the same order. */
    async lockVisible(caller: Caller, id: string): Promise<Order | undefined> {
      const [row] = await db<{ id: string; content: StoredOrder; identifiers: Buffer | null }[]>`
        select id, content, identifiers from orders where ${visible(caller)} and id = ${id} for update`
      return row && load(caller.tenantId, row)
    },

    /** Writes new orders with all that belongs to them; false where the key of the answer to keep is taken. */
    async insert(added: NewOrder[], kept?: KeptAnswer): Promise<boolean> {
      try {
        const placed = await db`${insertion(db, keyring, added, kept)}`
        return placed.length > 0
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

    /** Orders that share a word, as far as they are compared; newest first. */
    async findAlike(caller: Caller, want: { words: string[]; since: Date; now: Date; profile: string }) {
      const keys = allKeysOf(caller.tenantId, want.words).map(String)
      const rows = await db<Alike[]>`
        select id, participant, identifiers, ${
          want.profile === 'standard'
            ? db`null as source, null as test_reason`
            : db`content ->> 'source' as source, content ->> 'testReason' as test_reason`
        }
        from orders
        where ${visible(caller)} and match_keys && ${keys}::bigint[] and created_at >= ${want.since}
          and ${
            want.profile === 'standard'
              ? db`status in ('ordered', 'scheduled') and (expires_at is null or expires_at > ${want.now})`
              : db`status not in ('cancelled', 'expired', 'noShow', 'testCancelled')`
          }
        order by id desc limit 200`
      return rows.map(({ id, participant, identifiers, source, testReason }) => ({
        id,
        source,
        testReason,
        person: JSON.parse(participant) as Omit<Order['participant'], 'identifiers'>,
        identifiers: () => openIdentifiers(keyring, caller.tenantId, { id, identifiers }),
      }))
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

    identifiersOf: (tenantId: string, row: ReadyOrder) => openIdentifiers(keyring, tenantId, row),
  }
}
