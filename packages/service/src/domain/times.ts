const DAY_MS = 86_400_000

const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
const threeDigits = Array.from({ length: 1_000 }, (_, n) => String(n).padStart(3, '0'))

/** The beginning of the text of each day that was met, with its "T". */
const days = new Map<number, string>()
const KEPT_DAYS = 1_000

/**
 * The same text as `toISOString`, in a fifth of the time: an order has a time for each step of each service, and those made up
 * two thirds of writing its text (1.0 and 0.2 µs a time, 82 and 37 µs an order with results). Without it, call `toISOString`.
 */
export function isoOf(date: Date): string {
  const time = date.getTime()
  const day = Math.floor(time / DAY_MS)
  const milliseconds = time - day * DAY_MS
  const seconds = Math.floor(milliseconds / 1_000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const clock = `${twoDigits[hours]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`
  return `${days.get(day) ?? dayText(day)}${clock}.${threeDigits[milliseconds % 1_000]}Z`
}

function dayText(day: number): string {
  const text = new Date(day * DAY_MS).toISOString().replace(/T.*/, 'T')
  if (days.size === KEPT_DAYS) days.clear()
  days.set(day, text)
  return text
}
