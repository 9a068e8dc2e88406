const DAY_MS = 86_400_000

/**
 * The instant of a local time in a time zone; the local time is given as if it were UTC. A time skipped in spring moves to
 * the hour after it; of a time repeated in autumn, the first counts.
 */
export function instantIn(timezone: string, asUtc: number): Date {
  const localTime = localTimeIn(timezone)
  // Clocks may change that day: either the offset of the day before or that of the day after is right.
  const possible = [asUtc - DAY_MS, asUtc + DAY_MS].map((at) => asUtc - (localTime(at) - at))
  return new Date(possible.find((at) => localTime(at) === asUtc) ?? possible[0]!)
}

/** The local time of an instant, as if it were UTC. */
function localTimeIn(timezone: string): (at: number) => number {
  // The Swedish format is almost ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`) + (((at % 1000) + 1000) % 1000)
}
