import type { Branding } from '@order-testing/contract'
import type { Recipient } from '../../domain/orders/order.ts'
import type { Db } from '../db/db.ts'

export interface LinkRow {
  tenantId: string
  orderId: string
  /** Decides what the link opens. */
  recipient: Recipient
  expiresAt: Date
}

export interface FoundLink extends LinkRow {
  /** Set if it was taken back. */
  revokedAt: Date | null
  /** Whom to call if it no longer works. Read with the link, so that an unknown link takes as long. */
  tenant: string
  tenantBranding: Branding | null
}

/** Links to the pages of participants and requesters. Only hashes of their secrets are stored. */
export const links = (db: Db) => ({
  async add(secretHash: Buffer, { tenantId, orderId, recipient, expiresAt }: LinkRow, at: Date): Promise<void> {
    await db`
      insert into order_links (secret_hash, tenant_id, order_id, recipient, created_at, expires_at)
      values (${secretHash}, ${tenantId}, ${orderId}, ${recipient}, ${at}, ${expiresAt})`
  },

  /** Notes when a link was first opened. Mail scanners open links too, so it proves nothing. */
  async markOpened(secretHash: Buffer, at: Date): Promise<void> {
    await db`update order_links set opened_at = ${at} where secret_hash = ${secretHash} and opened_at is null`
  },

  /** Takes back the links of an order, of one recipient or of all; returns how many still worked. */
  revoke: (tenantId: string, orderId: string, { recipient, at }: { recipient: Recipient | null; at: Date }) => db.count`
      update order_links set revoked_at = ${at}
      where tenant_id = ${tenantId} and order_id = ${orderId} and revoked_at is null and expires_at > ${at}
        and (${recipient}::text is null or recipient = ${recipient})`,

  /** Deletes a batch of links that expired more than 30 days ago. True if there may be more. */
  async forgetOld(): Promise<boolean> {
    const count = await db.count`
      delete from order_links where secret_hash in (
        select secret_hash from order_links where expires_at < now() - interval '30 days' order by expires_at limit 500)`
    return count === 500
  },

  /** Whether all links of the requester to an order were revoked. */
  async isClosed(tenantId: string, orderId: string): Promise<boolean> {
    const row = await db.first<{ isClosed: boolean | null }>`
      select bool_and(revoked_at is not null) as is_closed from order_links
      where tenant_id = ${tenantId} and order_id = ${orderId} and recipient = 'requester'`
    return row?.isClosed === true
  },

  find: (secretHash: Buffer) => db.first<FoundLink>`
      select l.tenant_id, order_id, recipient, expires_at, revoked_at, t.name as tenant,
        t.record -> 'branding' as tenant_branding
      from order_links l join tenants t on t.id = l.tenant_id where secret_hash = ${secretHash}`,
})
