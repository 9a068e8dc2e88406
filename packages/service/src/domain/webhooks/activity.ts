export const HALF_HOUR_MS = 30 * 60_000

/** Attempts of one half hour. */
export interface HalfHour {
  beganAt: Date
  delivered: number
  failed: number
}

export const halfHourOf = (at: Date) => new Date(at.getTime() - (at.getTime() % HALF_HOUR_MS))

/** When the first of so many half hours began, of which the last is the current one. */
export const firstHalfHour = (now: Date, count: number) =>
  new Date(halfHourOf(now).getTime() - (count - 1) * HALF_HOUR_MS)

/** The attempts of a day as two lists, with a zero for every half hour without any. */
export function spreadDay(halfHours: readonly HalfHour[], { now, count }: { now: Date; count: number }) {
  const from = firstHalfHour(now, count)
  const delivered = Array.from({ length: count }, () => 0)
  const failed = Array.from({ length: count }, () => 0)
  for (const each of halfHours) {
    const index = (each.beganAt.getTime() - from.getTime()) / HALF_HOUR_MS
    if (index < 0 || index >= count) continue
    delivered[index] = each.delivered
    failed[index] = each.failed
  }
  return { from, delivered, failed }
}
