import type { Recipient } from '../../domain/orders/order.ts'
import type { HelpDetails, HelpReason } from '../../domain/participants/help.ts'
import type { Db } from '../db/db.ts'
import { givenRows } from '../db/arrays.ts'
import { pageOf, type Filter, type Page, type PageRequest } from '../db/page.ts'
import { andEqual, sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

export interface HelpRequestRow {
  tenantId: string
  id: string
  orderId: string
  /** Of the order. */
  code: string
  recipient: Recipient
  reason: HelpReason
  createdAt: Date
  doneAt: Date | null
  doneBy: string | null
}

export type NewHelpRequest = Omit<HelpRequestRow, 'code' | 'doneAt' | 'doneBy'> & { details: HelpDetails }

/** What a change of an order ends. */
export interface EndedRequest {
  tenantId: string
  orderId: string
  at: Date
  isHelped: boolean
  isSettled: boolean
}

type HelpFilter = PageRequest & Filter<'isOpen', boolean> & Filter<'orderId'>

const COLUMNS = sql`h.tenant_id, h.id, h.order_id, h.recipient, h.reason, h.created_at, h.done_at, h.done_by`

/** Requests for help with finding a clinic. */
export const helpRequests = (db: Db, keyring: Keyring) => ({
  /** Adds a request, in place of an open one of the order. */
  async put({ details, ...row }: NewHelpRequest): Promise<void> {
    const { tenantId, orderId } = row
    await db`delete from help_requests where tenant_id = ${tenantId} and order_id = ${orderId} and done_at is null`
    const content = keyring.seal(JSON.stringify(details), helpContext(row))
    await db`
      insert into help_requests (tenant_id, id, order_id, recipient, reason, content, created_at)
      values (${tenantId}, ${row.id}, ${orderId}, ${row.recipient}, ${row.reason}, ${content}, ${row.createdAt})`
  },

  /** The open request of an order. */
  findOpen: (tenantId: string, orderId: string) => db.first<Pick<HelpRequestRow, 'recipient' | 'reason' | 'createdAt'>>`
      select recipient, reason, created_at from help_requests
      where tenant_id = ${tenantId} and order_id = ${orderId} and done_at is null`,

  page: (tenantId: string, { isOpen, orderId, ...page }: HelpFilter): Promise<Page<HelpRequestRow>> =>
    pageOf<HelpRequestRow>(db, page, {
      from: sql`
        from help_requests h where h.tenant_id = ${tenantId} ${andEqual({ 'h.orderId': orderId })}
          ${isOpen === undefined ? sql`` : sql`and (h.done_at is null) = ${isOpen}`}`,
      order: sql`h.id desc`,
      pick: sql`h.id`,
      show: sql`
        select ${COLUMNS}, o.code from help_requests h join orders o on o.tenant_id = h.tenant_id and o.id = h.order_id
        where h.tenant_id = ${tenantId} and h.id = picked.id`,
    }),

  async read(tenantId: string, id: string): Promise<(HelpRequestRow & { details: HelpDetails }) | undefined> {
    const row = await db.first<HelpRequestRow & { content: Buffer }>`
      select ${COLUMNS}, h.content, o.code from help_requests h join orders o on o.tenant_id = h.tenant_id and o.id = h.order_id
      where h.tenant_id = ${tenantId} and h.id = ${id}`
    return row && withDetails(keyring, row)
  },

  /** All requests about an order, oldest first. */
  async ofOrder(tenantId: string, orderId: string): Promise<(HelpRequestRow & { details: HelpDetails })[]> {
    const rows = await db<(HelpRequestRow & { content: Buffer })[]>`
      select ${COLUMNS}, h.content, o.code from help_requests h join orders o on o.tenant_id = h.tenant_id and o.id = h.order_id
      where h.tenant_id = ${tenantId} and h.order_id = ${orderId} order by h.id`
    return rows.map((row) => withDetails(keyring, row))
  },

  /** The open request of an order with what it says. */
  async readOpen(tenantId: string, orderId: string) {
    const row = await db.first<HelpRequestRow & { content: Buffer }>`
      select ${COLUMNS}, h.content, o.code from help_requests h join orders o on o.tenant_id = h.tenant_id and o.id = h.order_id
      where h.tenant_id = ${tenantId} and h.order_id = ${orderId} and h.done_at is null`
    return row && withDetails(keyring, row)
  },

  /** Closes an open request; false if it was closed already. */
  async finish(tenantId: string, id: string, { by, at }: { by: string; at: Date }): Promise<boolean> {
    const count = await db.count`
      update help_requests set done_at = ${at}, done_by = ${by}
      where tenant_id = ${tenantId} and id = ${id} and done_at is null`
    return count > 0
  },

  /** Closes the open requests of orders that no longer need help, or have nothing left to agree to. */
  async end(orders: EndedRequest[]): Promise<void> {
    if (orders.length === 0) return
    await db`
      update help_requests h set done_at = given.at
      from ${givenRows(orders, { text: ['tenantId', 'orderId'], timestamptz: ['at'], boolean: ['isHelped', 'isSettled'] })}
      where h.tenant_id = given.tenant_id and h.order_id = given.order_id and h.done_at is null
        and case when h.reason = 'declined' then given.is_settled else given.is_helped end`
  },

  /** Closes the request of somebody who declined and has agreed since. */
  async endDeclined(tenantId: string, orderId: string, at: Date): Promise<void> {
    await db`
      update help_requests set done_at = ${at}
      where tenant_id = ${tenantId} and order_id = ${orderId} and reason = 'declined' and done_at is null`
  },
})

export const helpContext = ({ tenantId, id }: { tenantId: string; id: string }) => `help ${tenantId} ${id}`

function withDetails(keyring: Keyring, { content, ...row }: HelpRequestRow & { content: Buffer }) {
  return { ...row, details: JSON.parse(keyring.open(content, helpContext(row))) as HelpDetails }
}
