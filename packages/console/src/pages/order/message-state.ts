import type { Words } from '../../languages/en.ts'
import * as times from '../../parts/times.ts'

/** What became of a notification, or when it is due. Reminders of a closed order are planned, but will not be sent. */
export function messageState(
  details: Record<string, unknown>,
  { words, zone, isOrderClosed, now = new Date() }: { words: Words; zone: string; isOrderClosed: boolean; now?: Date },
): string {
  const { state: given, dueAt, kind } = details
  const state = String(given)
  const isPlanned = state === 'waiting' && typeof dueAt === 'string' && new Date(dueAt) > now
  if (state === 'dropped' || (isPlanned && isOrderClosed && isReminder(String(kind)))) return words.order.notNeeded
  if (isPlanned) return words.order.dueOn(times.moment(words, new Date(dueAt), zone))
  return (words.notifications.states[state] ?? state).toLowerCase()
}

const isReminder = (kind: string) => /reminder$/i.test(kind)
