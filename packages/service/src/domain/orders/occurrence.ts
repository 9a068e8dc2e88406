import { refuse } from '../refusal.ts'

/** How far clocks may differ. */
const TOLERANCE_MS = 5 * 60_000

/** When a reported step happened; now if nothing was given. It may be before the order was placed here: many tests are. */
export function readOccurrence(given: string | undefined, now: Date): Date {
  if (given === undefined) return now
  const at = new Date(given)
  if (at.getTime() > now.getTime() + TOLERANCE_MS)
    throw refuse('tooBig', 'This time is in the future. Check the date and the offset.', '/occurredAt')
  return at < now ? at : now
}
