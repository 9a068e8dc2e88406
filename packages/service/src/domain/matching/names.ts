import { LRUCache } from 'lru-cache'
import { jaroWinkler } from './jaro-winkler.ts'
import { NICKNAMES } from './nicknames.ts'

/** The similarity of two values, from 0 to 1, and its kind. */
export interface Comparison {
  similarity: number
  kind: 'equal' | 'nickname' | 'initial' | 'middle' | 'subset' | 'alike' | 'lastFour' | 'renamed' | 'different'
  /** Whether one identifier is equal, though another is not. */
  hasEqual?: boolean
}

export const EQUAL: Comparison = { similarity: 1, kind: 'equal' }
export const DIFFERENT: Comparison = { similarity: 0, kind: 'different' }

/** Names with at least this similarity count as misspellings of each other. */
const ALIKE = 0.85

const SUFFIXES = new Set(['jr', 'sr', 'ii', 'iii', 'iv'])

/** A name without diacritics, case, punctuation and generation suffixes, as it is compared. */
export function normaliseName(name: string): string {
  return normalised.memo(name)
}

/** Many people share a name, and a search compares with all of them. */
const normalised = new LRUCache<string, string>({ max: 2_000, memoMethod: normalise })

function normalise(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const kept = words.filter((word, i) => i === 0 || !SUFFIXES.has(word))
  // A name without letters and digits is still a name, and differs from other such names.
  return kept.join(' ') || name.trim().toLowerCase()
}

/** A middle name may be the name that a person goes by. */
export function compareFirst(a: { first: string; middle: string }, b: { first: string; middle: string }): Comparison {
  if (a.first === b.first) return EQUAL
  if (areNicknames(a.first, b.first)) return { similarity: 0.95, kind: 'nickname' }
  if (isInitial(a.first, b.first)) return { similarity: 0.8, kind: 'initial' }
  if (a.first === b.middle || b.first === a.middle) return { similarity: 0.85, kind: 'middle' }
  return compareSpelling(a.first, b.first)
}

export function compareLast(a: string, b: string): Comparison {
  if (a === b) return EQUAL
  const [x, y] = [new Set(a.split(' ')), new Set(b.split(' '))]
  const [small, large] = x.size <= y.size ? [x, y] : [y, x]
  if ([...small].every((word) => large.has(word))) return { similarity: 0.9, kind: 'subset' }
  return compareSpelling(a, b)
}

/** Middle names that differ count little: people leave them out, or have several. */
export function compareMiddle(a: string, b: string): Comparison {
  if (a === b) return EQUAL
  return isInitial(a, b) ? { similarity: 0.8, kind: 'initial' } : DIFFERENT
}

/** Longer names are only compared for equality, since the time of `jaroWinkler` grows with the square of their length. */
const LONGEST = 64

function compareSpelling(a: string, b: string): Comparison {
  if (a.length > LONGEST || b.length > LONGEST) return DIFFERENT
  const similarity = jaroWinkler(a, b)
  return similarity >= ALIKE ? { similarity, kind: 'alike' } : DIFFERENT
}

const isInitial = (a: string, b: string) => (a.length === 1 || b.length === 1) && a[0] === b[0]

const areNicknames = (a: string, b: string) => NICKNAMES.get(a)?.has(b) ?? false
