export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!
}

/** A service reaches its full rate after a few thousand requests. */
const WARM_UP = 5

/** Measures alternately, so that a slow phase of the machine affects all measures, and returns medians. The first rounds warm up. */
export async function inTurns<K extends string>(
  rounds: number,
  measures: Record<K, () => Promise<number>>,
): Promise<Record<K, number>> {
  const names = Object.keys(measures) as K[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const name of names) {
      const figure = await measures[name]()
      if (round >= 0) taken[name].push(figure)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(taken[name])])) as Record<K, number>
}
