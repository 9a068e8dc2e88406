import type { AttemptRecord } from './deliveries.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** The delivery and time of an attempt: what its sealed answer is bound to. */
interface AttemptKey {
  tenantId: string
  deliveryId: string
  at: Date
}

/** The row of an attempt. What was answered is sealed: receivers like to repeat what they were sent. */
export interface AttemptRow extends Omit<AttemptRecord, 'detail' | 'excerpt'> {
  answer: Buffer | null
  /** Plain text of an earlier build. */
  detail: string | null
  excerpt: string | null
}

type Answer = Pick<AttemptRecord, 'detail' | 'excerpt'>

/** What came back of an attempt; null where nothing did. */
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
  return { ...rest, ...answerOf(keyring, answer, { tenantId, deliveryId, at: row.at }) }
}

/** Operators see the rest of a record also where they work without the key. */
function answerOf(keyring: Keyring, answer: Buffer, key: AttemptKey): Answer {
  try {
    return JSON.parse(keyring.open(answer, attemptContext(key))) as Answer
  } catch {
    return { detail: 'The answer is sealed with a key that is not set.', excerpt: '' }
  }
}

export const attemptContext = ({ tenantId, deliveryId, at }: AttemptKey) =>
  `attempt ${tenantId} ${deliveryId} ${at.toISOString()}`
