import type { Order } from '../../domain/orders/order.ts'
import type { Db } from '../db/db.ts'
import { contentColumns, openOrder, type ContentRow } from '../orders/rows.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** No queue is longer: what is beyond it appears when the first ones are done. */
const MOST = 1_000

export interface Since {
  orderId: string
  since: Date
}

/** What may be a reason for a task, read from the tables that know it. Each cost depends on how much there is to do, not on the number of orders. */
export const taskReasons = (db: Db, keyring: Keyring) => ({
  tenants: () => db.values`select id from tenants order by id`,

  helpRequests: (tenantId: string) => db<(Since & { id: string; reason: string; recipient: string })[]>`
    select id, order_id, reason, recipient, created_at as since from help_requests
    where tenant_id = ${tenantId} and done_at is null order by id limit ${MOST}`,

  /** Orders that wait for the participant, whose links were sent before a time and never opened. */
  unopenedLinks: (tenantId: string, before: Date) => db<(Since & { expiresAt: Date | null })[]>`
    select l.order_id, max(l.created_at) as since, o.expires_at
    from order_links l join orders o on o.tenant_id = l.tenant_id and o.id = l.order_id
    where l.tenant_id = ${tenantId} and l.opened_at is null and l.revoked_at is null and l.recipient = 'participant'
      and l.created_at > ${before}::timestamptz - interval '30 days' and l.created_at <= ${before}
      and o.status in ('ordered', 'linkSent') and o.awaited_clinic_id is null
      and not exists (
        select from order_links other where other.tenant_id = l.tenant_id and other.order_id = l.order_id
          and other.recipient = 'participant' and (other.opened_at is not null or other.created_at > ${before}))
    group by l.order_id, o.expires_at order by since limit ${MOST}`,

  expiring: (tenantId: string, { now, before }: { now: Date; before: Date }) => db<
    { orderId: string; expiresAt: Date }[]
  >`
    select id as order_id, expires_at from orders
    where tenant_id = ${tenantId} and due_at > ${now} and due_at <= ${before} and expires_at = due_at
    order by due_at limit ${MOST}`,

  /** The last notification of each open order that did not arrive, unless a later one did. */
  failedNotifications: (tenantId: string, after: Date) => db<
    (Since & { id: string; kind: string; state: string; channel: string })[]
  >`
    select n.order_id, n.id, n.kind, n.state, n.channel, coalesce(n.ended_at, n.created_at) as since
    from (
      -- The last one of each first: only that is compared with later ones.
      select distinct on (order_id) tenant_id, order_id, id, kind, state, channel, ended_at, created_at from notifications
      where tenant_id = ${tenantId} and state in ('failed', 'bounced', 'suppressed') and created_at > ${after}
      order by order_id, id desc) n
    join orders o on o.tenant_id = n.tenant_id and o.id = n.order_id
    where o.status in ('ordered', 'linkSent', 'scheduled', 'pending', 'incomplete')
      and not exists (
        select from notifications later where later.tenant_id = n.tenant_id and later.order_id = n.order_id
          and later.id > n.id and later.state in ('sent', 'waiting', 'sending') and later.due_at <= now())
    order by n.order_id limit ${MOST}`,

  queuedResults: (tenantId: string) => db<
    { id: string; senderId: string; why: string | null; event: string; since: Date }[]
  >`
    select id, sender_id, why, event, received_at as since from result_reports
    where tenant_id = ${tenantId} and state = 'queued' order by id limit ${MOST}`,

  /** Booked orders whose clinic is no longer active. */
  switchedOffClinics: (tenantId: string) => db<
    { orderId: string; clinicId: string; appointmentAt: Date | null; since: Date }[]
  >`
    select o.id as order_id, c.id as clinic_id, o.appointment_at, o.updated_at as since
    from clinics c join orders o on o.tenant_id = c.tenant_id and o.awaited_clinic_id = c.id
    where c.tenant_id = ${tenantId} and not c.is_active order by o.appointment_at nulls last, o.id limit ${MOST}`,

  failingReceivers: (tenantId: string, failures: number) => db<{ origin: string; failures: number }[]>`
    select origin, failures from receivers
    where tenant_id = ${tenantId} and paused_at is null and open_until is not null and failures >= ${failures}
    order by origin limit ${MOST}`,

  /** A batch of orders under way that have not changed since a time, oldest change first, after the given one. */
  async underWay(
    tenantId: string,
    { before, after, most }: { before: Date; after: { updatedAt: Date; id: string }; most: number },
  ): Promise<{ order: Order; updatedAt: Date }[]> {
    const rows = await db<(ContentRow & { updatedAt: Date })[]>`
      select ${contentColumns()}, updated_at from orders
      where tenant_id = ${tenantId} and status in ('pending', 'incomplete', 'integrationError', 'lostInTransit', 'nonNegative')
        and updated_at < ${before} and (updated_at, id) > (${after.updatedAt}, ${after.id})
      order by updated_at, id limit ${most}`
    return rows.map(({ updatedAt, ...row }) => ({ order: openOrder(keyring, tenantId, row), updatedAt }))
  },
})
