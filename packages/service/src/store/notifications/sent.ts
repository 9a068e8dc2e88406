import type { BOUNCE_TYPES } from '@order-testing/contract'
import type { Channel } from '../../domain/notifications/plan.ts'
import type { Db } from '../db/db.ts'
import type { Keyring } from '../sealing/keyring.ts'
import {
  BOUNCE_NUMBER,
  COLUMNS,
  notificationAttemptContext,
  sealDetail,
  type NotificationRow,
} from './notifications.ts'
import { addressHashes } from './suppressions.ts'

/** What came back after a notification was sent. */
export interface Bounce {
  type: (typeof BOUNCE_TYPES)[number]
  at: Date
  reason: string | null
}

/** What is known of notifications after they were sent. */
export const sentNotifications = (db: Db, keyring: Keyring) => ({
  /** Records that a notification came back; false if it was not sent, or is being sent again. */
  async bounce(tenantId: string, id: string, { type, at, reason }: Bounce): Promise<boolean> {
    const count = await db.count`
      with bounced as (
        update notifications set state = 'bounced', ended_at = ${at}
        where tenant_id = ${tenantId} and id = ${id} and state in ('sent', 'uncertain', 'bounced') returning id)
      insert into notification_attempts (tenant_id, notification_id, number, at, duration_ms, outcome, answer)
      select ${tenantId}, id, ${BOUNCE_NUMBER}::int, ${at}::timestamptz, 0, ${type},
        ${sealDetail(keyring, { tenantId, id, attempts: BOUNCE_NUMBER }, reason)}::bytea
      from bounced
      on conflict (tenant_id, notification_id, number) do update
        set at = excluded.at, outcome = excluded.outcome, answer = excluded.answer, detail = null`
    return count > 0
  },

  /** What came back last, if anything. */
  async findBounce(tenantId: string, id: string): Promise<Bounce | undefined> {
    const row = await db.first<{ at: Date; outcome: Bounce['type']; answer: Buffer | null }>`
      select at, outcome, answer from notification_attempts
      where tenant_id = ${tenantId} and notification_id = ${id} and number = ${BOUNCE_NUMBER}`
    if (!row) return undefined
    const key = { tenantId, notificationId: id, number: BOUNCE_NUMBER }
    const reason = row.answer && keyring.open(row.answer, notificationAttemptContext(key))
    return { type: row.outcome, at: row.at, reason }
  },

  /** The latest notification that was sent to an address. */
  latestTo: (tenantId: string, channel: Channel, address: string) => db.first<NotificationRow>`
      select ${COLUMNS} from notifications
      where tenant_id = ${tenantId} and address_key = any(${addressHashes(keyring, { tenantId, channel }, address)}::bigint[])
      order by id desc limit 1`,

  /** Whether a notification was sent to this address. */
  async wasSentTo(
    { tenantId, id, channel }: Pick<NotificationRow, 'tenantId' | 'id' | 'channel'>,
    address: string,
  ): Promise<boolean> {
    const count = await db.count`
      select from notifications where tenant_id = ${tenantId} and id = ${id}
        and address_key = any(${addressHashes(keyring, { tenantId, channel }, address)}::bigint[])`
    return count > 0
  },

  /** Whether a text message about the order has left before. */
  async hasTexted({ tenantId, orderId, id }: Pick<NotificationRow, 'tenantId' | 'orderId' | 'id'>): Promise<boolean> {
    const found = await db.first<{ id: string }>`
      select id from notifications where tenant_id = ${tenantId} and order_id = ${orderId} and id <> ${id}
        and channel = 'mobile' and left_at is not null limit 1`
    return found !== undefined
  },

  /** Whether a notification of this kind about an order was queued since a time. */
  async wasQueuedSince(
    tenantId: string,
    orderId: string,
    { kind, since }: { kind: string; since: Date },
  ): Promise<boolean> {
    const found = await db.first<{ id: string }>`
      select id from notifications where tenant_id = ${tenantId} and order_id = ${orderId} and kind = ${kind}
        and created_at > ${since} limit 1`
    return found !== undefined
  },
})
