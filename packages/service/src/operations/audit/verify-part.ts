import type * as contract from '@order-testing/contract/operator'
import type { Head } from '../../domain/audit/chain.ts'
import { ChainWalk, type Fault } from '../../domain/audit/faults.ts'
import type { Operation } from '../operation.ts'
import { ok } from '../operation.ts'
import {
  asReordered,
  checkDetails,
  checkHead,
  confirmUnlinked,
  findStart,
  LINKED_WITHIN_SECONDS,
  missingEntry,
  type AuditParts,
} from './verify.ts'

/** Links hashed at once, so that other requests are answered in between. */
const BATCH = 500
/** A part with so many faults ends: looking for the original place of a link takes thousands of hashes. */
const MANY_FAULTS = 20
/** Lost entries listed per part. */
const MAX_LOST = 100

/**
 * Verifies a part of the tenant's chain. A cursor holds all state between parts:
 *
 * | cursor     | part                                            |
 * |------------|-------------------------------------------------|
 * | none       | links from the start of the chain               |
 * | link:SEQ   | links after this number                         |
 * | entry:ID   | entries after this id, which must have a link   |
 */
export const verifyAuditPart: Operation<typeof contract.verifyAudit> = async ({ query }, { caller, store }) => {
  const { after = 'link:0', limit, head } = query
  const [phase, position] = after.split(':') as ['link' | 'entry', string]
  const part = { tenantId: caller.tenantId, store, limit }
  if (phase === 'link') return ok(await verifyLinks(Number(position), part))
  return ok(await verifyEntries(position, { ...part, expected: head === undefined ? undefined : readHead(head) }))
}

interface Part {
  tenantId: string
  store: AuditParts
  limit: number
}

async function verifyLinks(after: number, { tenantId, store, limit }: Part): Promise<contract.AuditVerification> {
  const { start, faults } = await findStart(tenantId, store)
  const isFirst = after <= start.seq
  const found = isFirst ? [...faults] : []
  const walk = isFirst ? new ChainWalk(start) : await walkFrom(after, tenantId, store)
  let links = 0
  let isMore = true
  while (isMore && links < limit && found.length < MANY_FAULTS) {
    const most = Math.min(BATCH, limit - links)
    const rows = await store.auditCheck.linksAfter(tenantId, walk.head.seq, most)
    isMore = rows.length === most
    for (const row of rows) {
      if (found.length >= MANY_FAULTS) {
        isMore = true
        break
      }
      links += 1
      for (const fault of walk.check(row)) found.push(await asReordered(fault, row, tenantId, store))
      found.push(...checkDetails(row))
    }
  }
  const next = isMore ? `link:${walk.head.seq}` : 'entry:'
  return { object: 'auditVerification', links, entries: 0, head: headOf(walk.head), faults: found, next }
}

/** Continues after a link that an earlier part has checked and reported. */
async function walkFrom(seq: number, tenantId: string, { auditCheck }: AuditParts): Promise<ChainWalk> {
  const [last] = await auditCheck.linksAfter(tenantId, seq - 1, 1)
  // Without it there is a gap, or nothing, after this number: the walk reports the gap at the next link.
  const walk = new ChainWalk({ seq: seq - 1, hash: last?.link.previousHash ?? '' })
  if (last?.link.seq === seq) walk.check(last)
  return walk
}

async function verifyEntries(
  after: string,
  { tenantId, store, limit, expected }: Part & { expected: Head | undefined },
): Promise<contract.AuditVerification> {
  const { auditCheck } = store
  const unlinked = await auditCheck.unlinkedAfter(tenantId, after, { most: limit, olderThan: LINKED_WITHIN_SECONDS })
  const { ids, seen, next } = unlinked
  const lost = await auditCheck.lostEntriesBetween(tenantId, { after, to: next }, MAX_LOST)
  const faults: Fault[] = [...(await confirmUnlinked(ids, { tenantId, auditCheck })), ...lost.map(missingEntry)]
  if (next === undefined && expected) {
    const { start } = await findStart(tenantId, store)
    faults.push(...(await checkHead(tenantId, expected, start, store)))
  }
  return {
    object: 'auditVerification',
    links: 0,
    entries: seen,
    head: null,
    faults,
    next: next === undefined ? null : `entry:${next}`,
  }
}

const headOf = ({ seq, hash }: Head) => ({ seq, hash })

function readHead(text: string): Head {
  const [seq, hash] = text.split(':') as [string, string]
  return { seq: Number(seq), hash }
}
