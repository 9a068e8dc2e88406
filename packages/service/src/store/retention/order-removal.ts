import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { lockEvents, removeEvents } from '../orders/events.ts'
import { FIGURES_LOCK } from '../orders/figure-rows.ts'
import { isOnLegalHold } from './legal-holds.ts'

/** Deletes orders. Must run in a transaction. */
export const orderRemoval = (db: Db) => ({
  /**
   * Deletes orders that this transaction has locked, with everything that belongs to them, except those under a legal hold.
   * Returns the ids of the deleted orders.
   */
  async remove(tenantId: string, ids: readonly string[]): Promise<string[]> {
    const gone = await db.values`
      with gone as (
        delete from orders o where tenant_id = ${tenantId} and id = any(${ids}) and not ${isOnLegalHold(tenantId, sql`o.id`)}
        returning tenant_id, company_id, location_id, id, status, updated_at),
      changed as (
        insert into order_changes (tenant_id, company_id, location_id, order_id, old_status, old_updated_at)
        select * from gone)
      select id from gone`
    if (gone.length === 0) return gone
    await removeReports(db, tenantId, gone)
    await db`delete from callbacks where tenant_id = ${tenantId} and order_id = any(${gone})`
    // A worker that has read one of these orders may still write its figures.
    await db`select pg_advisory_xact_lock(${FIGURES_LOCK})`
    await db`delete from service_figures where tenant_id = ${tenantId} and order_id = any(${gone})`
    await removeContacts(db, tenantId, gone)
    return gone
  },

  /** Deletes everything but the record of the test: notifications, events, links, agreements, explanations of matches. */
  strip: (tenantId: string, ids: readonly string[]): Promise<void> => removeContacts(db, tenantId, ids),
})

async function removeContacts(db: Db, tenantId: string, ids: readonly string[]): Promise<void> {
  const ofOrders = sql`tenant_id = ${tenantId} and order_id = any(${ids})`
  await lockEvents(db, tenantId, sql`order_id = any(${ids})`)
  await db`
    with notified as (delete from notifications where ${ofOrders} returning id),
    mailed as (delete from mailbox where notification_id in (select id from notified))
    delete from notification_attempts where tenant_id = ${tenantId} and notification_id in (select id from notified)`
  await db`
    with sent as (delete from deliveries where ${ofOrders} returning id)
    delete from delivery_attempts where tenant_id = ${tenantId} and delivery_id in (select id from sent)`
  await db`delete from order_links where ${ofOrders}`
  await db`delete from help_requests where ${ofOrders}`
  await db`delete from tasks where ${ofOrders}`
  await db`delete from agreements where ${ofOrders}`
  await db`delete from wrong_answers where ${ofOrders}`
  await db`delete from order_matches where ${ofOrders}`
  await db`delete from sandbox_simulations where ${ofOrders}`
  await db`delete from sandbox_troubles where ${ofOrders}`
  // Requests that name no order may name a person all the same.
  await db`delete from sandbox_requests where tenant_id = ${tenantId} and (order_ids && ${ids} or order_ids = '{}')`
  await removeEvents(db, tenantId, sql`order_id = any(${ids})`)
}

async function removeReports(db: Db, tenantId: string, ids: readonly string[]): Promise<void> {
  await db`
    with reports as (
      delete from result_reports where tenant_id = ${tenantId} and order_id = any(${ids}) returning id)
    delete from documents where tenant_id = ${tenantId} and result_id in (select id from reports)`
}
