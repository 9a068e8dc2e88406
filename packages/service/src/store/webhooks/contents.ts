import type { Callback } from '@order-testing/contract'
import type { Db } from '../db/db.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { openCallback } from './callback-sealing.ts'
import { deliveryContext } from './outbox.ts'

/** What a delivery sends, for operators. */
export interface DeliveryContentRecord {
  earlierAttempts: number
  queuedAt: Date
  /** When the callback was last registered again. */
  changedAt: Date | null
  /** Null once it was deleted, or if its key is missing. */
  body: Buffer | null
  /** Null if its key is missing. */
  callback: Callback | null
}

interface Row extends Pick<DeliveryContentRecord, 'earlierAttempts' | 'queuedAt' | 'changedAt' | 'body'> {
  orderId: string
  callbackId: string
  url: string | null
  secrets: Buffer
}

export const deliveryContents = (db: Db, keyring: Keyring) => ({
  async find(tenantId: string, id: string): Promise<DeliveryContentRecord | undefined> {
    const row = await db.first<Row>`
      select d.order_id, d.callback_id, d.earlier_attempts, d.queued_at, d.body, c.changed_at, c.url, c.secrets
      from deliveries d join callbacks c on c.tenant_id = d.tenant_id and c.id = d.callback_id
      where d.tenant_id = ${tenantId} and d.id = ${id}`
    if (!row) return undefined
    const { orderId, callbackId, url, secrets, body, ...record } = row
    return {
      ...record,
      body: body && openOr(() => keyring.openBytes(body, deliveryContext({ tenantId, id }))),
      callback: openOr(() => openCallback(keyring, { tenantId, orderId, id: callbackId, url, secrets })),
    }
  },
})

/** Null without the key, so that operators still see the rest. */
function openOr<T>(open: () => T): T | null {
  try {
    return open()
  } catch {
    return null
  }
}
