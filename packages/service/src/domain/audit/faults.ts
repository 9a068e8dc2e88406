import { hashEntry, hashLink, type ChainedEntry, type Head, type Link } from './chain.ts'

/** A defect of an audit log and its position. */
export interface Fault {
  kind: 'altered' | 'missing' | 'reordered' | 'unlinked' | 'details' | 'head' | 'checkpoint'
  seq: number | null
  entryId: string | null
  detail: string
}

/** A stored link with its entry; null if the entry is gone. */
export interface LinkWithEntry {
  link: Link
  entry: ChainedEntry | null
}

/** Links moved by at most this many positions are recognized as reordered; others are reported as altered. */
export const MAX_MOVE = 1_000

/** Checks a chain link by link, in the order of their numbers. Continues after a faulty link, so that a fault is reported once. */
export class ChainWalk {
  #previous: Head
  #isPreviousSound = true

  constructor(start: Head) {
    this.#previous = start
  }

  /** The last link checked. */
  get head(): Head {
    return this.#previous
  }

  check({ link, entry }: LinkWithEntry): Fault[] {
    const faults = [...this.#checkGap(link), ...this.#checkPlace(link)]
    if (!entry)
      faults.push(faultOf('missing', link, `Entry ${link.entryId} is missing, but its link ${link.seq} exists.`))
    else if (hashEntry(entry) !== link.entryHash)
      faults.push(faultOf('altered', link, `Entry ${link.entryId} (link ${link.seq}) was altered.`))
    this.#previous = link
    this.#isPreviousSound = faults.length === 0
    return faults
  }

  #checkGap(link: Link): Fault[] {
    const { seq } = this.#previous
    if (link.seq === seq + 1) return []
    const gap = link.seq === seq + 2 ? `Link ${seq + 1} is missing` : `Links ${seq + 1} to ${link.seq - 1} are missing`
    // The hash of the missing link is unknown, so take the one that this link recorded.
    this.#previous = { seq: link.seq - 1, hash: link.previousHash }
    const detail = `${gap}, with ${link.seq === seq + 2 ? 'its entry' : 'their entries'}.`
    return [{ kind: 'missing', seq: seq + 1, entryId: null, detail }]
  }

  #checkPlace(link: Link): Fault[] {
    if (hashLink(link) !== link.hash) {
      const place = findOriginalSeq(link)
      return [
        place === undefined
          ? faultOf('altered', link, `Link ${link.seq} of entry ${link.entryId} was altered.`)
          : faultOf('reordered', link, `Entry ${link.entryId} was moved from number ${place} to number ${link.seq}.`),
      ]
    }
    if (link.previousHash === this.#previous.hash || !this.#isPreviousSound) return []
    const { seq } = this.#previous
    const detail = `Link ${seq} was replaced: link ${link.seq} refers to another hash.`
    return [{ kind: 'altered', seq, entryId: null, detail }]
  }
}

/** Finds the number for which the link's hash is right. */
function findOriginalSeq(link: Link): number | undefined {
  for (let by = 1; by <= MAX_MOVE; by++)
    for (const seq of [link.seq - by, link.seq + by]) if (hashLink({ ...link, seq }) === link.hash) return seq
  return undefined
}

const faultOf = (kind: Fault['kind'], { seq, entryId }: Link, detail: string): Fault => ({ kind, seq, entryId, detail })
