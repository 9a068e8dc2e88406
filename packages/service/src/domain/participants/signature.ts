import type { Participant } from '../orders/order.ts'

/**
 * What is wrong with a typed signature. It must be the first and the last name on file, so that nobody signs for somebody
 * else. Other names may stand between them, and a suffix after them.
 */
export function checkSignature(name: string, participant: SignedName): 'missing' | 'tooLong' | 'wrong' | null {
  if (name === '') return 'missing'
  if (name.length > LONGEST_NAME) return 'tooLong'
  const typed = partsOf(name)
  const [first, last] = [participant.firstName, participant.lastName].map((each) => partsOf(each).join(''))
  // Some people write their last name first.
  return isNamed(typed, first!, last!) || isNamed(typed, last!, first!) ? null : 'wrong'
}

type SignedName = Pick<Participant, 'firstName' | 'lastName'>

export const LONGEST_NAME = 255

/** Whether the parts begin with one name and end with the other. Each name may be written as one part or as several. */
function isNamed(parts: readonly string[], one: string, other: string): boolean {
  const rest = one === '' ? parts : afterName(parts, one)
  if (rest === null) return parts.join('') === one + other
  return other === '' || afterName(rest.toReversed(), other, (taken) => taken.toReversed().join('')) !== null
}

/** The parts after those that make up a name; null if they do not begin with it. */
function afterName(
  parts: readonly string[],
  name: string,
  join = (taken: readonly string[]) => taken.join(''),
): readonly string[] | null {
  const count = parts.findIndex((_, i) => join(parts.slice(0, i + 1)) === name) + 1
  return count === 0 ? null : parts.slice(count)
}

/** The parts of a name without case, accents, punctuation and suffix. */
function partsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const parts = plain.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '')
  return parts.length > 1 && SUFFIXES.has(parts.at(-1)!) ? parts.slice(0, -1) : parts
}

const SUFFIXES: ReadonlySet<string> = new Set(['jr', 'sr', 'ii', 'iii', 'iv'])
