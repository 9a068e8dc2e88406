import { setTimeout as sleep } from 'node:timers/promises'
import { hashEntry, startChain, type Head } from '../../domain/audit/chain.ts'
import { ChainWalk, type Fault } from '../../domain/audit/faults.ts'
import type { CheckedLink } from '../../store/audit/check.ts'
import type { Store } from '../../store/store.ts'
import type { OnProgress } from '../progress.ts'

const BATCH = 2_000

export type AuditParts = Pick<Store, 'auditCheck' | 'auditPruning'>

/** Younger entries may still wait for their link. */
export const LINKED_WITHIN_SECONDS = 10
/** Time to link an older entry whose transaction committed late, before it counts as unlinked. */
const RECHECK_AFTER_MS = 2_000

/** Further faults are counted, not listed. */
const MAX_LISTED = 1_000

export interface Verification {
  tenantId: string
  /** Number of links checked. */
  links: number
  head: Head
  /** The first faults; `faultCount` is the number of all. */
  faults: Fault[]
  faultCount: number
}

export interface VerifyOptions {
  /** A head saved earlier, which the chain must still contain. */
  head?: Head | undefined
  recheckAfterMs?: number
  onProgress?: OnProgress | undefined
}

/** Verifies the whole audit log of a tenant, in batches. */
export async function verifyAudit(
  tenantId: string,
  store: AuditParts,
  { head: expected, recheckAfterMs = RECHECK_AFTER_MS, onProgress }: VerifyOptions = {},
): Promise<Verification> {
  const found = new FaultList()
  const { start, faults } = await findStart(tenantId, store)
  found.add(...faults)
  const walk = new ChainWalk(start)
  let links = 0
  for (let rows = await store.auditCheck.linksAfter(tenantId, start.seq, BATCH); rows.length > 0;) {
    links += rows.length
    for (const row of rows) {
      for (const fault of walk.check(row))
        found.add(found.isFull ? fault : await asReordered(fault, row, tenantId, store))
      found.add(...checkDetails(row))
    }
    onProgress?.({ kind: 'audit entries', done: links })
    rows = await store.auditCheck.linksAfter(tenantId, walk.head.seq, BATCH)
  }
  found.add(...(await findUnlinked(tenantId, store, recheckAfterMs)))
  const orphans = await store.auditCheck.detailsWithoutEntry(tenantId, MAX_LISTED)
  const isListed = new Set(found.listed.map(({ entryId }) => entryId))
  found.add(...orphans.filter((entryId) => !isListed.has(entryId)).map(missingEntry))
  if (expected) found.add(...(await checkHead(tenantId, expected, start, store)))
  return { tenantId, links, head: walk.head, faults: found.listed, faultCount: found.count }
}

/** A pruned chain starts at a signed checkpoint. */
export async function findStart(tenantId: string, store: AuditParts): Promise<{ start: Head; faults: Fault[] }> {
  const checkpoint = await store.auditPruning.readCheckpoint(tenantId)
  if (!checkpoint) return { start: startChain(tenantId), faults: [] }
  const { seq, hash, isGenuine } = checkpoint
  const start = { seq, hash }
  if (isGenuine) return { start, faults: [] }
  const isKeyUnknown = isGenuine === undefined
  const why = isKeyUnknown
    ? 'is signed with a key that is not set'
    : 'has an invalid signature: it was forged or altered'
  return { start, faults: [{ kind: 'checkpoint', seq, entryId: null, detail: `The checkpoint at ${seq} ${why}.` }] }
}

class FaultList {
  readonly listed: Fault[] = []
  count = 0

  get isFull(): boolean {
    return this.listed.length === MAX_LISTED
  }

  add(...faults: Fault[]): void {
    this.count += faults.length
    this.listed.push(...faults.slice(0, MAX_LISTED - this.listed.length))
  }
}

/** An altered entry that matches the hash of another link was moved, not altered. */
export async function asReordered(fault: Fault, { link, entry }: CheckedLink, tenantId: string, store: AuditParts) {
  if (fault.kind !== 'altered' || !entry || fault.entryId !== entry.id) return fault
  const place = await store.auditCheck.findSeqOfEntry(tenantId, hashEntry(entry), link.seq)
  if (place === undefined || place === link.seq) return fault
  const detail = `Entry ${entry.id} was moved from number ${place} to number ${link.seq}.`
  return { ...fault, kind: 'reordered' as const, detail }
}

export function checkDetails({ link: { seq, entryId }, detailsDefect }: CheckedLink): Fault[] {
  if (detailsDefect === null) return []
  const detail = `The details of entry ${entryId} (link ${seq}) ${detailsDefect.replace(/\.$/, '')}.`
  return [{ kind: 'details', seq, entryId, detail }]
}

export const missingEntry = (entryId: string): Fault => ({
  kind: 'missing',
  seq: null,
  entryId,
  detail: `Entry ${entryId} is missing, but its details exist.`,
})

async function findUnlinked(tenantId: string, { auditCheck }: AuditParts, recheckAfterMs: number): Promise<Fault[]> {
  const suspects: string[] = []
  for (let after: string | undefined = ''; after !== undefined;) {
    const seen: Awaited<ReturnType<typeof auditCheck.unlinkedAfter>> = await auditCheck.unlinkedAfter(tenantId, after, {
      most: BATCH,
      olderThan: LINKED_WITHIN_SECONDS,
    })
    suspects.push(...seen.ids)
    after = seen.next
  }
  return confirmUnlinked(suspects, { tenantId, auditCheck, recheckAfterMs })
}

/** Entries that are still unlinked after some time are faults. */
export async function confirmUnlinked(
  suspects: readonly string[],
  { tenantId, auditCheck, recheckAfterMs = RECHECK_AFTER_MS }: Recheck,
): Promise<Fault[]> {
  if (suspects.length === 0) return []
  await sleep(recheckAfterMs)
  const ids = await auditCheck.filterUnlinked(tenantId, suspects)
  return ids.map((entryId) => {
    const detail = `Entry ${entryId} is older than ${LINKED_WITHIN_SECONDS} seconds but has no link.`
    return { kind: 'unlinked', seq: null, entryId, detail }
  })
}

interface Recheck extends Pick<AuditParts, 'auditCheck'> {
  tenantId: string
  recheckAfterMs?: number
}

/** A head older than the checkpoint cannot be compared any more. */
export async function checkHead(
  tenantId: string,
  { seq, hash }: Head,
  start: Head,
  { auditCheck }: AuditParts,
): Promise<Fault[]> {
  const found = seq === start.seq ? start.hash : await auditCheck.hashAt(tenantId, seq)
  if (found === hash || seq < start.seq) return []
  const detail =
    found === undefined
      ? `Link ${seq} of the expected head does not exist: entries at the end of the chain are missing.`
      : `Link ${seq} differs from the expected head: the chain was rewritten.`
  return [{ kind: 'head', seq, entryId: null, detail }]
}
