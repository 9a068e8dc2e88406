import { createHash } from 'node:crypto'

/** An audit entry as it is hashed. It holds ids; what else there is to tell is sealed elsewhere and known by its hash. */
export interface ChainedEntry {
  tenantId: string
  id: string
  /** In UTC with microseconds, as the database keeps it: `2026-03-04T16:02:40.100000Z`. */
  at: string
  tokenId: string
  osUser: string | null
  host: string | null
  action: string
  subjectType: string
  subjectId: string
  detailsHash: string | null
}

/** The place of an entry in the chain of its tenant. Hashes are in hexadecimal digits. */
export interface Link {
  seq: number
  entryId: string
  entryHash: string
  previousHash: string
  hash: string
}

/** Where a chain ends: the next link follows it. */
export type Head = Pick<Link, 'seq' | 'hash'>

/** The last of the links that were pruned: what is left of the chain follows it. */
export interface Checkpoint extends Head {
  tenantId: string
  /** All pruned entries are older. */
  until: Date
}

/** What the signature of a checkpoint is of. */
export const checkpointPayload = ({ tenantId, seq, hash, until }: Checkpoint): string =>
  JSON.stringify([FORMAT, 'checkpoint', tenantId, seq, hash, until.toISOString()])

/** Names the way of hashing, so that another one could follow. */
const FORMAT = 'ots-audit-1'

/** What the first link of a tenant's chain follows. */
export const startChain = (tenantId: string): Head => ({ seq: 0, hash: hashOf([FORMAT, 'start', tenantId]) })

export const hashEntry = (entry: ChainedEntry): string =>
  hashOf([
    FORMAT,
    'entry',
    entry.tenantId,
    entry.id,
    entry.at,
    entry.tokenId,
    entry.osUser,
    entry.host,
    entry.action,
    entry.subjectType,
    entry.subjectId,
    entry.detailsHash,
  ])

export const hashLink = ({ seq, previousHash, entryHash }: Omit<Link, 'hash' | 'entryId'>): string =>
  hashOf([FORMAT, 'link', seq, previousHash, entryHash])

/** Links for entries, in the order given. */
export function linkEntries(head: Head, entries: readonly ChainedEntry[]): Link[] {
  let { seq, hash: previousHash } = head
  return entries.map((entry) => {
    seq += 1
    const entryHash = hashEntry(entry)
    const hash = hashLink({ seq, previousHash, entryHash })
    const link = { seq, entryId: entry.id, entryHash, previousHash, hash }
    previousHash = hash
    return link
  })
}

/** Of an array as JSON, which spells every value in one way and leaves no doubt where it ends. */
const hashOf = (values: (string | number | null)[]) => createHash('sha256').update(JSON.stringify(values)).digest('hex')
