import { createHash, randomBytes } from 'node:crypto'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** What an entry tells besides ids. It may name people and results, so it is kept sealed, apart from the entry. */
export interface AuditDetails {
  reason: string | null
  /** What was changed, as it was and as it is; null for reads. */
  before: unknown
  after: unknown
}

type EntryKey = { tenantId: string; id: string }

/** Goes in front of the details, so that their hash does not let anybody guess at them. */
const SALT_LENGTH = 16

/** The first byte of details that were written before details were sealed. */
const PLAIN = 0

/** Null where there is nothing to tell. */
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

/** What is wrong with the details of an entry, in words that follow "The details"; null where nothing is. */
export function flawOf(
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

/** Salt and details: what the entry's hash is of. */
const openSalted = (keyring: Keyring, entry: EntryKey, content: Buffer): Buffer =>
  content[0] === PLAIN ? content.subarray(1) : keyring.openBytes(content, contextOf(entry))

/** The same content under the current key. */
export const resealDetails = (keyring: Keyring, entry: EntryKey, content: Buffer): Buffer =>
  keyring.seal(openSalted(keyring, entry, content), contextOf(entry))

const hashDetails = (salted: Buffer): Buffer => createHash('sha256').update(salted).digest()

/** The details of an entry `e` of a statement, under the current key where there is such a copy. */
export const detailsOf = (keyring: Keyring, e: Statement): Statement => sql`
  (select d.content from audit_details d where d.tenant_id = ${e}.tenant_id and d.entry_id = ${e}.id
   order by d.key_id = ${keyring.currentId} desc, d.key_id limit 1)`

/** Bound to the entry, so that details cannot be passed off as another entry's. */
const contextOf = ({ tenantId, id }: EntryKey) => `audit ${tenantId} ${id}`
