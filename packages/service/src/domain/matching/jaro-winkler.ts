/** How many letters of a common prefix raise the similarity, and by how much each. */
const PREFIX = { letters: 4, weight: 0.1 }

/** The Jaro-Winkler similarity of two texts as published: 1 for equal ones, 0 where no letter matches. */
export function jaroWinkler(a: string, b: string): number {
  if (a === b) return 1
  const [x, y] = [Array.from(a), Array.from(b)]
  const similarity = jaro(x, y)
  return similarity + commonPrefix(x, y) * PREFIX.weight * (1 - similarity)
}

function jaro(a: string[], b: string[]): number {
  const [matchedA, matchedB] = matchingLetters(a, b)
  const matches = matchedA.length
  if (matches === 0) return 0
  const transpositions = matchedA.filter((letter, i) => letter !== matchedB[i]).length / 2
  return (matches / a.length + matches / b.length + (matches - transpositions) / matches) / 3
}

/** The letters of each text that match one of the other within the matching window, in their own order. */
function matchingLetters(a: string[], b: string[]): [string[], string[]] {
  const window = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1)
  const isTaken = b.map(() => false)
  const matched = a.filter((letter, i) => {
    const end = Math.min(b.length, i + window + 1)
    for (let j = Math.max(0, i - window); j < end; j++) {
      if (isTaken[j] || b[j] !== letter) continue
      isTaken[j] = true
      return true
    }
    return false
  })
  return [matched, b.filter((_, j) => isTaken[j])]
}

function commonPrefix(a: string[], b: string[]): number {
  let length = 0
  while (length < PREFIX.letters && length < a.length && a[length] === b[length]) length++
  return length
}
