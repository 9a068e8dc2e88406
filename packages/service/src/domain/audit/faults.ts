import { hashEntry, hashLink, type ChainedEntry, type Head, type Link } from './chain.ts'

/** What is wrong with an audit log, and where. */
export interface Fault {
  kind: 'altered' | 'missing' | 'reordered' | 'unlinked' | 'details' | 'head' | 'checkpoint'
  seq: number | null
  entryId: string | null
  detail: string
}

/** A link as it was found, with the entry it points to where that is still there. */
export interface LinkWithEntry {
  link: Link
  entry: ChainedEntry | null
}

/** How far a link may have been moved to be called moved, and not altered. */
export const MAX_MOVE = 1_000

/**
 * Follows a chain from where it starts, link by link in the order of their numbers. A link that has a fault is taken for its
 * place all the same, so that one fault is told once.
 */
export class ChainWalk {
  #previous: Head
  #isPreviousSound = true

  constructor(start: Head) {
    this.#previous = start
  }

  /** The last link that was followed. */
  get head(): Head {
    return this.#previous
  }

  follow({ link, entry }: LinkWithEntry): Fault[] {
    const faults = [...this.#gapBefore(link), ...this.#placeOf(link)]
    if (!entry)
      faults.push(
        faultOf('missing', link, `Entry ${link.entryId} is missing: its link ${link.seq} is there, the entry is not.`),
      )
    else if (hashEntry(entry) !== link.entryHash)
      faults.push(faultOf('altered', link, `Entry ${link.entryId} (link ${link.seq}) was altered.`))
    this.#previous = link
    this.#isPreviousSound = faults.length === 0
    return faults
  }

  #gapBefore(link: Link): Fault[] {
    const { seq } = this.#previous
    if (link.seq === seq + 1) return []
    const gap = link.seq === seq + 2 ? `Link ${seq + 1} is missing` : `Links ${seq + 1} to ${link.seq - 1} are missing`
    // What the link follows is not there to be compared with.
    this.#previous = { seq: link.seq - 1, hash: link.previousHash }
    return [
      {
        kind: 'missing',
        seq: seq + 1,
        entryId: null,
        detail: `${gap}, with ${link.seq === seq + 2 ? 'its entry' : 'their entries'}.`,
      },
    ]
  }

  /** Whether the link stands where it was made. */
  #placeOf(link: Link): Fault[] {
    if (hashLink(link) !== link.hash) {
      const place = placeItWasMadeFor(link)
      return [
        place === undefined
          ? faultOf('altered', link, `Link ${link.seq} of entry ${link.entryId} was altered.`)
          : faultOf('reordered', link, `Entry ${link.entryId} has the number ${link.seq}, and was number ${place}.`),
      ]
    }
    if (link.previousHash === this.#previous.hash || !this.#isPreviousSound) return []
    const { seq } = this.#previous
    const detail = `Link ${seq} is not the one that link ${link.seq} was made to follow: it was replaced.`
    return [{ kind: 'altered', seq, entryId: null, detail }]
  }
}

/** A link that was moved still fits the number it had. */
function placeItWasMadeFor(link: Link): number | undefined {
  for (let by = 1; by <= MAX_MOVE; by++)
    for (const seq of [link.seq - by, link.seq + by]) if (hashLink({ ...link, seq }) === link.hash) return seq
  return undefined
}

const faultOf = (kind: Fault['kind'], { seq, entryId }: Link, detail: string): Fault => ({
  kind,
  seq,
  entryId,
  detail,
})
