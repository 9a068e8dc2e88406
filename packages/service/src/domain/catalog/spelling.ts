/** A vocabulary word that a searched word may stand for, and the confidence (0 to 1). */
export interface Spelling {
  word: string
  closeness: number
}

/** Spellings considered per word. */
export const MAX_SPELLINGS = 50

/** Returns the likeliest known words for a searched one: the word itself, words it begins, and words a few edits away. */
export function findSpellings(searched: string, known: readonly string[]): Spelling[] {
  return known
    .map((word) => ({ word, closeness: closeness(searched, word) }))
    .filter((spelling) => spelling.closeness > 0)
    .toSorted((a, b) => b.closeness - a.closeness || a.word.length - b.word.length || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_SPELLINGS)
}

/** The word and its variants without one letter: words one edit apart share at least one of these. */
export function remnantsOf(word: string): string[] {
  if (maxEdits(word) === 0) return []
  const letters = Array.from(word)
  return [...new Set([word, ...letters.map((_, i) => letters.toSpliced(i, 1).join(''))])]
}

function closeness(searched: string, word: string): number {
  if (word === searched) return 1
  if (word.startsWith(searched)) return 0.9
  const edits = editDistance(searched, word)
  return edits <= maxEdits(searched) ? 0.9 - edits / searched.length : 0
}

/** An edit of a short word makes a different word, and an edit of a number a different number. */
function maxEdits(word: string): number {
  if (/\d/.test(word) || word.length < 4) return 0
  return word.length < 6 ? 1 : word.length < 9 ? 2 : 3
}

/** Deletions, insertions, substitutions and transpositions of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
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
