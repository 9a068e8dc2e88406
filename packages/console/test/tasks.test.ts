import { expect, test } from 'vitest'
import type { Task } from '@order-testing/client/operator'
import { en } from '../src/languages/en.ts'
import { es } from '../src/languages/es.ts'
import { actionOf, factOf, groupOf, reasonOf, snoozeTimes } from '../src/pages/today/facts.ts'

const NOW = new Date('2026-11-17T16:00:00Z')

const task = (members: Partial<Task>): Task => ({
  id: 'tsk_1',
  object: 'task',
  reason: 'stuck',
  actor: 'laboratory',
  subjectId: 'ord_1',
  details: {},
  foundAt: '2026-11-17T12:00:00Z',
  dueAt: '2026-11-17T16:30:00Z',
  claimedBy: null,
  snoozedUntil: null,
  doneAt: null,
  order: null,
  result: null,
  url: '',
  ...members,
})

test('a task says why it is there in words, in both languages', () => {
  const stuck = task({ details: { since: '2026-11-13T14:00:00Z', usualSeconds: 172_800, status: 'testing' } })
  expect(reasonOf(stuck, en)).toBe('Stuck at laboratory')
  expect(factOf(stuck, en, NOW.getTime())).toBe('4 d 2 h there; usual is under 2 d')
  expect(factOf(stuck, es, NOW.getTime())).toBe('4 d 2 h ahí; lo normal es menos de 2 d')
  const bounced = task({
    reason: 'notificationFailed',
    details: { kind: 'link', channel: 'email', state: 'bounced', since: '2026-11-17T15:00:00Z' },
  })
  expect(factOf(bounced, en, NOW.getTime())).toBe('Link, e-mail: bounced')
  const help = task({ reason: 'helpAsked', details: { why: 'tooFar', since: '2026-11-17T14:40:00Z' } })
  expect(factOf(help, en, NOW.getTime())).toBe('No clinic near enough; asked 1 h 20 m ago')
})

test('a reason that this console does not know is shown as it is, and leads to the order', () => {
  const other = task({ reason: 'somethingNew' })
  expect([reasonOf(other, en), factOf(other, en, NOW.getTime()), actionOf(other)]).toEqual([
    'somethingNew',
    '',
    'order',
  ])
})

test('a task is overdue from its due time on, and snoozing until next week ends on a Monday morning', () => {
  expect(groupOf(task({ dueAt: '2026-11-17T15:59:59Z' }), NOW)).toBe('overdue')
  expect(groupOf(task({ dueAt: '2026-11-27T15:59:59Z' }), NOW)).toBe('later')
  for (const day of [16, 17, 21, 22]) {
    const { week, tomorrow } = snoozeTimes(new Date(2026, 10, day, 15))
    expect([week.getDay(), week.getHours(), week.getDate()]).toEqual([1, 8, 23])
    expect(tomorrow.getDate()).toBe(day + 1)
  }
})
