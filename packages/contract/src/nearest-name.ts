/** Longer names are not compared: comparing takes the product of both lengths. */
const LONGEST_COMPARED = 64

/** The known name that a misspelt one most likely means, if any is near: at most a third of its letters differ. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_COMPARED) return undefined
  const wanted = name.toLowerCase()
  const most = Math.max(1, Math.floor(name.length / 3))
  let nearest: { name: string; distance: number } | undefined
  for (const each of known) {
    const limit = nearest ? nearest.distance - 1 : most
    if (limit < 0) break
    if (each.length > LONGEST_COMPARED || Math.abs(each.length - name.length) > limit) continue
    const distance = editDistance(wanted, each.toLowerCase())
    if (distance <= limit) nearest = { name: each, distance }
  }
  return nearest?.name
}

/** How many letters have to be inserted, removed, replaced or swapped with their neighbour to get from `a` to `b`. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced)
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1)
    }
    ;[beforeLast, last] = [last, row]
  }
  return last[b.length]!
}
