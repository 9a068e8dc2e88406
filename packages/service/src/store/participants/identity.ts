import type { Tally } from '../../domain/participants/identity.ts'
import type { Db } from '../db/db.ts'
import type { Keyring } from '../sealing/keyring.ts'
import type { DraftOwner } from './drafts.ts'

/** Wrong answers to the question on a new device. */
export const wrongAnswers = (db: Db) => ({
  find: ({ tenantId, orderId }: DraftOwner) => db.first<Tally>`
      select wrong, locked_until from wrong_answers where tenant_id = ${tenantId} and order_id = ${orderId}`,

  /** The order must be locked, so that no answer goes uncounted. */
  async put({ tenantId, orderId }: DraftOwner, { wrong, lockedUntil }: Tally): Promise<void> {
    await db`
      insert into wrong_answers (tenant_id, order_id, wrong, locked_until)
      values (${tenantId}, ${orderId}, ${wrong}, ${lockedUntil})
      on conflict (tenant_id, order_id) do update set wrong = excluded.wrong, locked_until = excluded.locked_until`
  },

  async forget({ tenantId, orderId }: DraftOwner): Promise<void> {
    await db`delete from wrong_answers where tenant_id = ${tenantId} and order_id = ${orderId}`
  },
})

/** Marks of devices that may see an order. They are not stored: browsers keep them sealed. */
export const devices = (keyring: Keyring) => ({
  mark: (owner: DraftOwner, until: Date): string =>
    keyring.seal(until.getTime().toString(36), contextOf(owner)).toString('base64url'),

  /** Whether this is a mark of the order that has not expired. */
  isKnown(mark: string, owner: DraftOwner, now: Date): boolean {
    // Decoding would silently skip other characters.
    if (!/^[\w-]+$/.test(mark)) return false
    try {
      return Number.parseInt(keyring.open(Buffer.from(mark, 'base64url'), contextOf(owner)), 36) > now.getTime()
    } catch {
      return false
    }
  },
})

const contextOf = ({ tenantId, orderId }: DraftOwner) => `device ${tenantId} ${orderId}`
