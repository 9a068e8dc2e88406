import { createHash } from 'node:crypto'

/** The hashed part of an audit entry. It holds only ids; details are sealed elsewhere and represented by their hash. */
export interface ChainedEntry {
  tenantId: string
  id: string
  /** UTC with microseconds, as stored: `2026-03-04T16:02:40.100000Z`. */
  at: string
  tokenId: string
  osUser: string | null
  host: string | null
  action: string
  subjectType: string
  subjectId: string
  detailsHash: string | null
  /** The person who acted. Hashed only if there is one, so that entries of earlier releases keep their hashes. */
  userId: string | null
}

/** An entry's position in the hash chain of its tenant. Hashes are hexadecimal. */
export interface Link {
  seq: number
  entryId: string
  entryHash: string
  previousHash: string
  hash: string
}

/** The end of a chain, which the next link follows. */
export type Head = Pick<Link, 'seq' | 'hash'>

/** The last pruned link, which the rest of the chain follows. */
export interface Checkpoint extends Head {
  tenantId: string
  /** All pruned entries are older than this. */
  until: Date
}

/** The text that the signature of a checkpoint covers. */
export const checkpointPayload = ({ tenantId, seq, hash, until }: Checkpoint): string =>
  JSON.stringify([FORMAT, 'checkpoint', tenantId, seq, hash, until.toISOString()])

/** The version of the hash format. */
const FORMAT = 'ots-audit-1'

/** The head of an empty chain. */
export const startChain = (tenantId: string): Head => ({ seq: 0, hash: hashValues([FORMAT, 'start', tenantId]) })

export const hashEntry = (entry: ChainedEntry): string =>
  hashValues([
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
    ...(entry.userId === null ? [] : [entry.userId]),
  ])

export const hashLink = ({ seq, previousHash, entryHash }: Omit<Link, 'hash' | 'entryId'>): string =>
  hashValues([FORMAT, 'link', seq, previousHash, entryHash])

/** Makes the links of new entries, in the order given. */
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

/** Hashes values as a JSON array, which is unambiguous about where each value ends. */
const hashValues = (values: (string | number | null)[]) =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex')
