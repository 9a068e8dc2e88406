import type { Keyring } from '../sealing/keyring.ts'

/** Worth a visit with interruptions, and nothing to whoever finds the address another day. */
const WORTH_MS = 4 * 3_600_000

/** The order that something was typed for. */
export interface DraftOwner {
  tenantId: string
  orderId: string
}

type Typed = Record<string, string>

/** What somebody has typed and not sent for good yet. It is kept nowhere: it goes along in addresses, read here alone. */
export const drafts = (keyring: Keyring) => ({
  seal: (typed: Typed, owner: DraftOwner, now: Date): string =>
    keyring.seal(JSON.stringify({ madeAt: now.getTime(), typed }), contextOf(owner)).toString('base64url'),

  /** Undefined for what is damaged, another order's, or too old. */
  open(draft: string, owner: DraftOwner, now: Date): Typed | undefined {
    // Decoding would pass over whatever else there is.
    if (!/^[\w-]+$/.test(draft)) return undefined
    try {
      const plain = keyring.open(Buffer.from(draft, 'base64url'), contextOf(owner))
      const { madeAt, typed } = JSON.parse(plain) as { madeAt: number; typed: Typed }
      return now.getTime() - madeAt < WORTH_MS ? typed : undefined
    } catch {
      return undefined
    }
  },
})

const contextOf = ({ tenantId, orderId }: DraftOwner) => `draft ${tenantId} ${orderId}`
