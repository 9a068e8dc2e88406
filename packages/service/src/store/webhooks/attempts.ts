import type { Keyring } from '../sealing/keyring.ts'

/** One attempt, as logged. */
export interface AttemptRecord {
  at: Date
  ms: number
  status: number | null
  error: string | null
  detail: string | null
  excerpt: string
}

/** The response is sealed, because receivers may echo what they were sent. */
export interface AttemptRow extends Omit<AttemptRecord, 'excerpt'> {
  answer: Buffer | null
  /** Plain text written by an earlier build, as is `detail`. */
  excerpt: string | null
}

/** Seals the response of an attempt; null if there was none. */
export function sealAttempt(
  keyring: Keyring,
  { tenantId, id }: { tenantId: string; id: string },
  { at, detail, excerpt }: Pick<AttemptRecord, 'at' | 'detail' | 'excerpt'>,
): Buffer | null {
  if (detail === null && excerpt === '') return null
  return keyring.seal(JSON.stringify({ detail, excerpt }), attemptContext({ tenantId, deliveryId: id, at }))
}

export function openAttempt(keyring: Keyring, tenantId: string, deliveryId: string, row: AttemptRow): AttemptRecord {
  const { answer, ...attempt } = row
  if (!answer) return { ...attempt, excerpt: row.excerpt ?? '' }
  try {
    const opened = keyring.open(answer, attemptContext({ tenantId, deliveryId, at: row.at }))
    return { ...attempt, ...(JSON.parse(opened) as Pick<AttemptRecord, 'detail' | 'excerpt'>) }
  } catch {
    // Without the key, operators still see the rest of the record.
    return { ...attempt, detail: 'The response is encrypted with a key that is not set.', excerpt: '' }
  }
}

/** What the sealed response is bound to. */
export const attemptContext = ({ tenantId, deliveryId, at }: { tenantId: string; deliveryId: string; at: Date }) =>
  `attempt ${tenantId} ${deliveryId} ${at.toISOString()}`
