import { setTimeout as sleep } from 'node:timers/promises'
import { hashEntry, startChain, type Head } from '../../domain/audit/chain.ts'
import { ChainWalk, type Fault } from '../../domain/audit/faults.ts'
import type { CheckedLink } from '../../store/audit/check.ts'
import type { Store } from '../../store/store.ts'

const BATCH = 2_000

/** Entries younger than this may still wait for their link, and so may one whose transaction took long. */
const LINKED_WITHIN_SECONDS = 10
const SECOND_LOOK_MS = 2_000

/** More faults than this are counted, not listed. */
const LISTED = 1_000

export interface Verification {
  tenantId: string
  /** Links that were followed. */
  links: number
  head: Head
  /** The first of them; `faultCount` has the number of all. */
  faults: Fault[]
  faultCount: number
}

/** What to hold a chain against. */
export interface Expectation {
  /** A head that was noted earlier: the chain must still have it. */
  head?: Head | undefined
  secondLookMs?: number
}

/** Checks a tenant's audit log from its first entry to its last, a batch at a time. */
export async function verifyAudit(
  tenantId: string,
  store: Store,
  { head: expected, secondLookMs = SECOND_LOOK_MS }: Expectation = {},
): Promise<Verification> {
  const found = new FaultList()
  const { start, faults } = await startOfChain(tenantId, store)
  found.add(...faults)
  const walk = new ChainWalk(start)
  let links = 0
  for (let rows = await store.auditCheck.linksAfter(tenantId, start.seq, BATCH); rows.length > 0;) {
    links += rows.length
    for (const row of rows) {
      for (const fault of walk.follow(row))
        found.add(found.isFull ? fault : await asReordered(fault, row, tenantId, store))
      found.add(...detailsFault(row))
    }
    rows = await store.auditCheck.linksAfter(tenantId, walk.head.seq, BATCH)
  }
  found.add(...(await unlinked(tenantId, store, secondLookMs)))
  if (expected) found.add(...(await checkHead(tenantId, expected, start, store)))
  return { tenantId, links, head: walk.head, faults: found.listed, faultCount: found.count }
}

/** After pruning a chain begins with a checkpoint, whose signature vouches for what was before it. */
async function startOfChain(tenantId: string, store: Store): Promise<{ start: Head; faults: Fault[] }> {
  const checkpoint = await store.auditPruning.checkpoint(tenantId)
  if (!checkpoint) return { start: startChain(tenantId), faults: [] }
  const { seq, hash, isGenuine } = checkpoint
  if (isGenuine) return { start: { seq, hash }, faults: [] }
  const why =
    isGenuine === undefined ? 'is signed with a key that is not set' : 'has a wrong signature: it was forged or altered'
  return {
    start: { seq, hash },
    faults: [{ kind: 'checkpoint', seq, entryId: null, detail: `The checkpoint at ${seq} ${why}.` }],
  }
}

class FaultList {
  readonly listed: Fault[] = []
  count = 0

  /** Further faults are only counted. */
  get isFull(): boolean {
    return this.listed.length === LISTED
  }

  add(...faults: Fault[]): void {
    this.count += faults.length
    this.listed.push(...faults.slice(0, LISTED - this.listed.length))
  }
}

/** An entry that does not fit its link, but fits another one, was exchanged and not altered. */
async function asReordered(fault: Fault, { link, entry }: CheckedLink, tenantId: string, store: Store): Promise<Fault> {
  if (fault.kind !== 'altered' || !entry || fault.entryId !== entry.id) return fault
  const place = await store.auditCheck.placeOfEntry(tenantId, hashEntry(entry), link.seq)
  if (place === undefined || place === link.seq) return fault
  const detail = `Entry ${entry.id} has the number ${link.seq}, and was number ${place}.`
  return { ...fault, kind: 'reordered', detail }
}

function detailsFault({ link: { seq, entryId }, detailsFlaw }: CheckedLink): Fault[] {
  if (detailsFlaw === null) return []
  const detail = `The details of entry ${entryId} (link ${seq}) ${detailsFlaw.replace(/\.$/, '')}.`
  return [{ kind: 'details', seq, entryId, detail }]
}

async function unlinked(tenantId: string, { auditCheck }: Store, secondLookMs: number): Promise<Fault[]> {
  const suspects: string[] = []
  for (let after: string | undefined = ''; after !== undefined;) {
    const seen: Awaited<ReturnType<typeof auditCheck.unlinkedAfter>> = await auditCheck.unlinkedAfter(tenantId, after, {
      most: BATCH,
      olderThan: LINKED_WITHIN_SECONDS,
    })
    suspects.push(...seen.ids)
    after = seen.next
  }
  if (suspects.length === 0) return []
  await sleep(secondLookMs)
  const ids = await auditCheck.withoutLink(tenantId, suspects)
  return ids.map((entryId) => ({
    kind: 'unlinked',
    seq: null,
    entryId,
    detail: `Entry ${entryId} is older than ${LINKED_WITHIN_SECONDS} seconds and has no link.`,
  }))
}

/** A head from before the checkpoint was pruned with its entries: nothing is left to compare it with. */
async function checkHead(tenantId: string, { seq, hash }: Head, start: Head, { auditCheck }: Store): Promise<Fault[]> {
  const found = seq === start.seq ? start.hash : await auditCheck.hashAt(tenantId, seq)
  if (found === hash || seq < start.seq) return []
  const detail =
    found === undefined
      ? `There is no link ${seq}, whose hash was noted: entries at the end of the chain are missing.`
      : `Link ${seq} has another hash than was noted: the chain was written anew.`
  return [{ kind: 'head', seq, entryId: null, detail }]
}
