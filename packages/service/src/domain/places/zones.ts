const DAY_MS = 86_400_000

/**
 * The moment at which clocks of a zone show a local time, given as if it were UTC. An hour that they skip in spring is read
 * as the one after it, one that they repeat in autumn as the first.
 */
export function instantIn(timezone: string, asUtc: number): Date {
  const shown = shownIn(timezone)
  // Clocks may change that day: the offset of the day before, or else of the day after, is right.
  const possible = [asUtc - DAY_MS, asUtc + DAY_MS].map((at) => asUtc - (shown(at) - at))
  return new Date(possible.find((at) => shown(at) === asUtc) ?? possible[0]!)
}

/** What clocks of a zone show at a moment, as if it were UTC. */
function shownIn(timezone: string): (at: number) => number {
  // Sweden writes dates the way machines do.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`) + (((at % 1000) + 1000) % 1000)
}
