import type { OrderStatus } from '@order-testing/contract'
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
import { pageOf, type PageRequest } from './page.ts'

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

    pageVisible: (caller: Caller, filter: OrderFilter) =>
      pageOf<ReadyOrder>(db, filter, {
        pick: columns,
        from: db`from orders where ${visible(caller)}
          ${filter.companyId === undefined ? db`` : db`and company_id = ${filter.companyId}`}
          ${filter.locationId === undefined ? db`` : db`and location_id = ${filter.locationId}`}
          ${filter.code === undefined ? db`` : db`and code = ${filter.code}`}
          ${filter.specimenId === undefined ? db`` : db`and specimen_ids @> array[${filter.specimenId}]`}
          ${filter.status === undefined ? db`` : db`and status = ${filter.status}`}
          ${filter.createdFrom === undefined ? db`` : db`and created_at >= ${instant(filter.createdFrom)}`}
          ${filter.createdTo === undefined ? db`` : db`and created_at < ${instant(filter.createdTo)}`}
          ${filter.updatedFrom === undefined ? db`` : db`and updated_at >= ${instant(filter.updatedFrom)}`}
          ${filter.updatedTo === undefined ? db`` : db`and updated_at < ${instant(filter.updatedTo)}`}`,
        order: db`id desc`,
      }),

    /** Locks the row, so that two changes cannot both start from the same order. */
    async lockVisible(caller: Caller, id: string): Promise<Order | undefined> {
      const [row] = await db<{ id: string; content: StoredOrder; identifiers: Buffer | null }[]>`
        select id, content, identifiers from orders where ${visible(caller)} and id = ${id} for update`
      return row && load(caller.tenantId, row)
    },

    async insert(tenantId: string, order: Order, presented: Presented, words: string[]): Promise<void> {
      try {
        await db`
          insert into orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, expires_at,
            specimen_ids, head, participant, identifiers, content, match_keys)
          values (${tenantId}, ${order.id}, ${order.code}, ${order.company.id}, ${order.location.id}, ${order.status},
            ${order.createdAt}, ${order.updatedAt}, ${order.expiresAt}, ${specimensOf(order)}, ${presented.head}, ${presented.participant},
            ${sealIdentifiers(keyring, tenantId, order)}, ${toContent(order)}::text::jsonb, ${matchKeysOf(keyring, tenantId, words)}::bigint[])`
      } catch (error) {
        if ((error as { constraint_name?: string }).constraint_name === 'orders_by_code') throw new CodeTaken()
        throw error
      }
    },

    async update(tenantId: string, order: Order, presented: Presented, words: string[]): Promise<void> {
      await db`
        update orders set status = ${order.status}, updated_at = ${order.updatedAt}, expires_at = ${order.expiresAt},
          specimen_ids = ${specimensOf(order)}, head = ${presented.head}, participant = ${presented.participant},
          identifiers = ${sealIdentifiers(keyring, tenantId, order)}, content = ${toContent(order)}::text::jsonb,
          match_keys = ${matchKeysOf(keyring, tenantId, words)}::bigint[]
        where tenant_id = ${tenantId} and id = ${order.id}`
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

/** The years that the database and the driver both can write. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59Z')

/** The first millisecond that is not before this time: orders keep no finer times, whatever a filter says. */
function instant(text: string): Date {
  const isBetween = /\.\d{3}\d*[1-9]/.test(text)
  return new Date(Math.max(EARLIEST, Math.min(LATEST, Date.parse(text) + (isBetween ? 1 : 0))))
}
