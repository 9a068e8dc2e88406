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

/** What the sealed response of an attempt is bound to. */
interface AttemptKey {
  tenantId: string
  deliveryId: string
  at: Date
}

/** The response is sealed, because receivers may echo what they were sent. */
export interface AttemptRow extends Omit<AttemptRecord, 'detail' | 'excerpt'> {
  answer: Buffer | null
  /** Plain text written by an earlier build. */
  detail: string | null
  excerpt: string | null
}

type Answer = Pick<AttemptRecord, 'detail' | 'excerpt'>

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
  const { answer, detail, excerpt, ...rest } = row
  if (!answer) return { ...rest, detail, excerpt: excerpt ?? '' }
  return { ...rest, ...openAnswer(keyring, answer, { tenantId, deliveryId, at: row.at }) }
}

/** Without the key, operators still see the rest of the record. */
function openAnswer(keyring: Keyring, answer: Buffer, key: AttemptKey): Answer {
  try {
    return JSON.parse(keyring.open(answer, attemptContext(key))) as Answer
  } catch {
    return { detail: 'The response is encrypted with a key that is not set.', excerpt: '' }
  }
}

export const attemptContext = ({ tenantId, deliveryId, at }: AttemptKey) =>
  `attempt ${tenantId} ${deliveryId} ${at.toISOString()}`
