import { describe, expect, test } from 'vitest'
import { recipientOf, type NotificationKind } from '../../service/src/domain/notifications/plan.ts'
import { en } from '../src/languages/en.ts'
import { es } from '../src/languages/es.ts'
import { messageState } from '../src/pages/order/message-state.ts'

const now = new Date('2026-03-05T12:00:00Z')
const around = { words: en, zone: 'America/Denver', isOrderClosed: false, now }
const reminder = { kind: 'bookingReminder', state: 'waiting', dueAt: '2026-03-06T16:00:00Z' }

describe('a notification in the time line', () => {
  test('that is due later says when', () => {
    expect(messageState(reminder, around)).toBe('due Mar 6, 9:00 AM MT')
  })

  test('that reminds of a closed order is not needed any more', () => {
    expect(messageState(reminder, { ...around, isOrderClosed: true })).toBe(en.order.notNeeded)
    expect(messageState({ ...reminder, state: 'dropped' }, around)).toBe(en.order.notNeeded)
  })

  test('that was sent says so', () => {
    expect(messageState({ ...reminder, state: 'sent' }, around)).toBe('sent')
  })
})

const KINDS = [
  'link',
  'linkAgain',
  'booking',
  'bookingChanged',
  'bookingWithdrawn',
  'reminder',
  'bookingReminder',
  'cancellation',
  'authorizationCopy',
  'clinicRequest',
  'clinicRequestAgain',
  'clinicReminder',
  'clinicNotNeeded',
  'clinicChosen',
  'clinicLinkAgain',
  'timeBooked',
  'timeChanged',
  'timeCancelled',
] satisfies NotificationKind[]

test.each([en, es])('every kind of notification has a name', (words) => {
  expect(KINDS.every((kind) => recipientOf(kind))).toBe(true)
  expect(KINDS.filter((kind) => words.notifications.kinds[kind] === undefined)).toEqual([])
})

test.each([en, es])('the moves and corrections of a service have names', ({ order: { actions } }) => {
  expect(actions['service.move']).toBeDefined()
  expect(actions['service.correct']).toBeDefined()
})

test('an event that nobody receives does not claim a receiver', () => {
  expect(en.order.eventLine(0)).toBe('The order changed; no receiver was registered')
  expect(en.order.eventLine(2)).toBe('The change goes to 2 receivers')
})
