import type { Task } from '@order-testing/client/operator'
import type { Words } from '../../languages/en.ts'
import { titleOfReport } from '../../parts/report-title.ts'
import * as times from '../../parts/times.ts'

export type TaskAction = keyof Words['today']['actions']

const ACTIONS: Record<string, TaskAction> = {
  helpAsked: 'book',
  linkNotOpened: 'send',
  expiring: 'extend',
  notificationFailed: 'contact',
  resultUnmatched: 'match',
  clinicOff: 'rebook',
  receiverFailing: 'receiver',
}

/** The one thing that usually helps. */
export const actionOf = ({ reason }: Task): TaskAction => ACTIONS[reason] ?? 'order'

export const reasonOf = ({ reason, actor }: Task, { today }: Words): string =>
  (reason === 'stuck' ? today.stuckAt[actor] : undefined) ?? today.reasons[reason] ?? reason

/** What a task without an order is about: the specimen or order that a report names, or a receiver. */
export const subjectOf = ({ subjectId, result }: Task, words: Words): string =>
  result ? titleOfReport(result, words) : subjectId.replace(/^https?:\/\//, '')

/** What is known about the reason, in words. */
export function factOf(task: Task, words: Words, now: number): string {
  const { facts } = words.today
  const { details } = task
  const text = (name: string) => (typeof details[name] === 'string' ? details[name] : '')
  const since = text('since') === '' ? words.none : times.duration(words, now - Date.parse(text('since')))
  switch (task.reason) {
    case 'helpAsked':
      return `${facts.help[text('why')] ?? facts.help['other']!}; ${facts.asked(since)}`
    case 'declined':
      return facts.declined(since)
    case 'linkNotOpened':
      return facts.unopened(since)
    case 'expiring': {
      const left = Date.parse(text('expiresAt')) - now
      return left > 0 ? facts.expiring(times.duration(words, left)) : facts.expired
    }
    case 'notificationFailed':
      return notificationFact(task, words)
    case 'resultUnmatched':
      return words.results.reasons[text('why')] ?? words.results.reasons['noMatch']!
    case 'clinicOff':
      return text('appointmentAt') === ''
        ? facts.anyTime
        : facts.appointment(times.inZone(words, new Date(text('appointmentAt')), task.order?.timezone))
    case 'receiverFailing':
      return facts.receiver
    case 'stuck':
      return facts.stuck(since, times.duration(words, Number(details['usualSeconds']) * 1000))
    default:
      return ''
  }
}

function notificationFact({ details }: Task, { notifications }: Words): string {
  const [kind, channel, state] = ['kind', 'channel', 'state'].map((name) => String(details[name]))
  const [what, how] = [notifications.kinds[kind!] ?? kind!, notifications.channels[channel!] ?? channel!]
  return `${what}, ${how.toLowerCase()}: ${(notifications.states[state!] ?? state!).toLowerCase()}`
}

export const GROUPS = ['overdue', 'today', 'later'] as const

/** By the local day of the reader. */
export function groupOf({ dueAt }: Task, now: Date): (typeof GROUPS)[number] {
  const due = new Date(dueAt)
  if (due < now) return 'overdue'
  return times.isSameDay(due, now) ? 'today' : 'later'
}

export function relativeDue({ dueAt }: Task, words: Words, now: number): string {
  const left = Date.parse(dueAt) - now
  const duration = times.duration(words, left)
  return left < 0 ? words.today.over(duration) : words.today.inTime(duration)
}

const MORNING = 8

/** When a task comes back: in an hour, tomorrow morning, or on Monday morning. */
export function snoozeTimes(now: Date): Record<'hour' | 'tomorrow' | 'week', Date> {
  const morning = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING)
  const toMonday = (8 - now.getDay()) % 7 || 7
  return { hour: new Date(now.getTime() + 3_600_000), tomorrow: morning(1), week: morning(toMonday) }
}
