import { createHash, randomBytes } from 'node:crypto'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** The part of an entry that may contain personal data and results: sealed, and stored apart from the entry. */
export interface AuditDetails {
  reason: string | null
  /** The subject before and after a change; null for reads. */
  before: unknown
  after: unknown
}

type EntryKey = { tenantId: string; id: string }

/** Precedes the details, so that their hash cannot be used to guess them. */
const SALT_LENGTH = 16

/** The first byte of details from releases that did not seal them. */
const PLAIN = 0

/** Returns null if there are no details. */
export function sealDetails(
  keyring: Keyring,
  { reason, before, after, ...entry }: EntryKey & AuditDetails,
): { hash: Buffer; content: Buffer } | null {
  if (reason === null && before == null && after == null) return null
  const salted = Buffer.concat([randomBytes(SALT_LENGTH), Buffer.from(JSON.stringify({ reason, before, after }))])
  return { hash: hashDetails(salted), content: keyring.seal(salted, contextOf(entry)) }
}

export function openDetails(keyring: Keyring, entry: EntryKey, content: Buffer | null): AuditDetails {
  if (content === null) return { reason: null, before: null, after: null }
  const text = openSalted(keyring, entry, content).subarray(SALT_LENGTH).toString('utf8')
  const { reason = null, before = null, after = null } = JSON.parse(text) as Partial<AuditDetails>
  return { reason, before, after }
}

/** Returns the defect of an entry's details, phrased to follow "The details", or null. */
export function findDefect(
  keyring: Keyring,
  { detailsHash, ...entry }: EntryKey & { detailsHash: string | null },
  content: Buffer | null,
): string | null {
  if (content === null) return detailsHash === null ? null : 'are missing'
  try {
    return hashDetails(openSalted(keyring, entry, content)).toString('hex') === detailsHash ? null : 'were altered'
  } catch (error) {
    return `cannot be opened: ${(error as Error).message}`
  }
}

/** Salt and details, which the entry's hash covers. */
const openSalted = (keyring: Keyring, entry: EntryKey, content: Buffer): Buffer =>
  content[0] === PLAIN ? content.subarray(1) : keyring.openBytes(content, contextOf(entry))

export const resealDetails = (keyring: Keyring, entry: EntryKey, content: Buffer): Buffer =>
  keyring.seal(openSalted(keyring, entry, content), contextOf(entry))

const hashDetails = (salted: Buffer): Buffer => createHash('sha256').update(salted).digest()

/** Selects the details of an entry `e`, preferring the copy under the current key. */
export const selectDetails = (keyring: Keyring, e: Statement): Statement => sql`
  (select d.content from audit_details d where d.tenant_id = ${e}.tenant_id and d.entry_id = ${e}.id
   order by d.key_id = ${keyring.currentId} desc, d.key_id limit 1)`

/** Binds details to their entry, so that they cannot be swapped. */
const contextOf = ({ tenantId, id }: EntryKey) => `audit ${tenantId} ${id}`
