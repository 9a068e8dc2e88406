import type { Keyring } from '../sealing/keyring.ts'

/** Long enough to look through the steps of a page. */
export const TICKET_LIFETIME_MS = 5 * 60_000
/** A token has no browser that the address could be bound to, so it works only for a moment. */
export const UNBOUND_LIFETIME_MS = 60_000

/** The order whose page an operator looks at, and until when. */
export interface ViewTicket {
  tenantId: string
  orderId: string
  /** The session of the person who asked, in which alone it counts; null if a token asked. */
  sessionId: string | null
  expiresAt: Date
}

/** Permission to see a participant's page. It is not stored: it travels sealed in the address of the page. */
export const viewTickets = (keyring: Keyring) => ({
  seal: ({ tenantId, orderId, sessionId, expiresAt }: ViewTicket): string =>
    keyring.seal(JSON.stringify([tenantId, orderId, expiresAt.getTime(), sessionId]), CONTEXT).toString('base64url'),

  /** Undefined if it is damaged or too old. */
  open(sealed: string, now: Date): ViewTicket | undefined {
    // Decoding would silently skip other characters.
    if (!/^[\w-]{1,1000}$/.test(sealed)) return undefined
    try {
      const plain = keyring.open(Buffer.from(sealed, 'base64url'), CONTEXT)
      const [tenantId, orderId, expiresAt, sessionId] = JSON.parse(plain) as [string, string, number, string | null]
      return expiresAt > now.getTime() ? { tenantId, orderId, sessionId, expiresAt: new Date(expiresAt) } : undefined
    } catch {
      return undefined
    }
  },
})

const CONTEXT = 'participant view'
