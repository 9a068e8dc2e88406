import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Draft } from '../../domain/participants/draft.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** Long enough for an interrupted form, too short for someone who finds the browser another day. */
export const DRAFT_LIFETIME_MS = 4 * 3_600_000
/** Cookies are limited to about 4 KB with their name and attributes. */
const LONGEST = 3_800
/** No draft is longer when unpacked. */
const UNPACKED_BYTES = 64 * 1024

export interface DraftOwner {
  tenantId: string
  orderId: string
}

/** What was entered but not submitted for good. It is not stored: it travels packed and sealed in a cookie of the link. */
export const drafts = (keyring: Keyring) => ({
  /** Undefined if the draft is too long for a cookie. */
  seal(draft: Draft, owner: DraftOwner, now: Date): string | undefined {
    const packed = deflateRawSync(JSON.stringify({ madeAt: now.getTime(), draft }))
    const sealed = keyring.seal(packed, contextOf(owner)).toString('base64url')
    return sealed.length > LONGEST ? undefined : sealed
  },

  /** Undefined if the draft is damaged, another order's, or too old. */
  open(sealed: string, owner: DraftOwner, now: Date): Draft | undefined {
    // Decoding would silently skip other characters.
    if (!/^[\w-]+$/.test(sealed)) return undefined
    try {
      const packed = keyring.openBytes(Buffer.from(sealed, 'base64url'), contextOf(owner))
      const plain = inflateRawSync(packed, { maxOutputLength: UNPACKED_BYTES }).toString()
      const { madeAt, draft } = JSON.parse(plain) as { madeAt: number; draft: Draft }
      return now.getTime() - madeAt < DRAFT_LIFETIME_MS ? draft : undefined
    } catch {
      return undefined
    }
  },
})

const contextOf = ({ tenantId, orderId }: DraftOwner) => `draft ${tenantId} ${orderId}`
