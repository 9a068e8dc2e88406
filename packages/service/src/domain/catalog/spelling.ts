/** A word of the vocabulary that a searched word may mean, and how sure that is (0 to 1). */
export interface Spelling {
  word: string
  closeness: number
}

/** How many of the likeliest spellings of a word are followed. */
export const SPELLINGS = 50

/** Which of the known words somebody may have meant: the word itself, one it begins, or one a few slips away. */
export function findSpellings(searched: string, known: readonly string[]): Spelling[] {
  return known
    .map((word) => ({ word, closeness: closeness(searched, word) }))
    .filter((spelling) => spelling.closeness > 0)
    .toSorted((a, b) => b.closeness - a.closeness || a.word.length - b.word.length || (a.word < b.word ? -1 : 1))
    .slice(0, SPELLINGS)
}

/** A word and what is left of it without each of its letters: two words that are one slip apart share one of these. */
export function remnantsOf(word: string): string[] {
  if (slipsAllowed(word) === 0) return []
  const letters = Array.from(word)
  return [...new Set([word, ...letters.map((_, i) => letters.toSpliced(i, 1).join(''))])]
}

function closeness(searched: string, word: string): number {
  if (word === searched) return 1
  if (word.startsWith(searched)) return 0.9
  const slips = slipsBetween(searched, word)
  return slips <= slipsAllowed(searched) ? 0.9 - slips / searched.length : 0
}

/** One slip in a short word makes another word; numbers are never misspelt, they are other numbers. */
function slipsAllowed(word: string): number {
  if (/\d/.test(word) || word.length < 4) return 0
  return word.length < 6 ? 1 : word.length < 9 ? 2 : 3
}

/** Letters left out, put in, changed or swapped with their neighbour (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + same)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    ;[before, above] = [above, row]
  }
  return above[b.length]!
}
