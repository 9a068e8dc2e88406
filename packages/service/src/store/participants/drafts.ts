import type { Keyring } from '../sealing/keyring.ts'

/** Long enough for an interrupted form, too short for someone who finds the address another day. */
const LIFETIME_MS = 4 * 3_600_000

export interface DraftOwner {
  tenantId: string
  orderId: string
}

type FormValues = Record<string, string>

/** Form values that were not submitted for good. They are not stored: they travel sealed in addresses. */
export const drafts = (keyring: Keyring) => ({
  seal: (values: FormValues, owner: DraftOwner, now: Date): string =>
    keyring.seal(JSON.stringify({ madeAt: now.getTime(), typed: values }), contextOf(owner)).toString('base64url'),

  /** Undefined if the draft is damaged, another order's, or too old. */
  open(draft: string, owner: DraftOwner, now: Date): FormValues | undefined {
    // Decoding would silently skip other characters.
    if (!/^[\w-]+$/.test(draft)) return undefined
    try {
      const plain = keyring.open(Buffer.from(draft, 'base64url'), contextOf(owner))
      const { madeAt, typed } = JSON.parse(plain) as { madeAt: number; typed: FormValues }
      return now.getTime() - madeAt < LIFETIME_MS ? typed : undefined
    } catch {
      return undefined
    }
  },
})

const contextOf = ({ tenantId, orderId }: DraftOwner) => `draft ${tenantId} ${orderId}`
