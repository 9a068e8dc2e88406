import { jaroWinkler } from './jaro-winkler.ts'
import { NICKNAMES } from './nicknames.ts'

/** How alike two names are, from 0 to 1, and why. */
export interface Likeness {
  similarity: number
  kind: 'equal' | 'nickname' | 'initial' | 'middle' | 'subset' | 'alike' | 'renamed' | 'different'
}

const EQUAL: Likeness = { similarity: 1, kind: 'equal' }
const DIFFERENT: Likeness = { similarity: 0, kind: 'different' }

/** Spellings at least this alike count as the same name misspelt. */
const ALIKE = 0.85

const SUFFIXES = new Set(['jr', 'sr', 'ii', 'iii', 'iv'])

/** A name as it is compared: no marks, case, punctuation or generation. */
export function normaliseName(name: string): string {
  const known = normalised.get(name)
  if (known !== undefined) return known
  const made = normalise(name)
  if (normalised.size >= REMEMBERED) normalised.clear()
  normalised.set(name, made)
  return made
}

/** Names met lately: people share theirs with many others, and a search compares with all of them. */
const normalised = new Map<string, string>()
const REMEMBERED = 5_000

function normalise(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const kept = words.filter((word, i) => i === 0 || !SUFFIXES.has(word))
  // A name of signs alone is still a name, and not the same as every other of its kind.
  return kept.join(' ') || name.trim().toLowerCase()
}

/** The second name of either may be what the other goes by. */
export function compareFirst(a: { first: string; middle: string }, b: { first: string; middle: string }): Likeness {
  if (a.first === b.first) return EQUAL
  if (areNicknames(a.first, b.first)) return { similarity: 0.95, kind: 'nickname' }
  if (isInitial(a.first, b.first)) return { similarity: 0.8, kind: 'initial' }
  if (a.first === b.middle || b.first === a.middle) return { similarity: 0.85, kind: 'middle' }
  return alike(a.first, b.first)
}

export function compareLast(a: string, b: string): Likeness {
  if (a === b) return EQUAL
  const [x, y] = [new Set(a.split(' ')), new Set(b.split(' '))]
  const [small, large] = x.size <= y.size ? [x, y] : [y, x]
  if ([...small].every((word) => large.has(word))) return { similarity: 0.9, kind: 'subset' }
  return alike(a, b)
}

/** Two middle names that differ say little: people leave them out, or choose between several. */
export function compareMiddle(a: string, b: string): Likeness {
  if (a === b) return EQUAL
  return isInitial(a, b) ? { similarity: 0.8, kind: 'initial' } : DIFFERENT
}

/** Letters of the longest names that are compared letter by letter, which takes time by the square of them. */
const LONGEST = 64

function alike(a: string, b: string): Likeness {
  if (a.length > LONGEST || b.length > LONGEST) return DIFFERENT
  const similarity = jaroWinkler(a, b)
  return similarity >= ALIKE ? { similarity, kind: 'alike' } : DIFFERENT
}

const isInitial = (a: string, b: string) => (a.length === 1 || b.length === 1) && a[0] === b[0]

const areNicknames = (a: string, b: string) => NICKNAMES.get(a)?.has(b) ?? false
