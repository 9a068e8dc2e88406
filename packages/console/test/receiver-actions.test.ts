import { expect, test } from 'vitest'
import { en } from '../src/languages/en.ts'
import { actionsOf } from '../src/pages/webhooks/receiver-actions.ts'

test('a receiver with an open circuit can be paused, too', () => {
  expect(actionsOf({ state: 'open', pausedAt: null })).toEqual(['probe', 'resume', 'pause'])
  expect(actionsOf({ state: 'closed', pausedAt: null })).toEqual(['pause'])
  expect(actionsOf({ state: 'open', pausedAt: '2026-03-02T15:04:06Z' })).toEqual(['resume'])
})

test('receivers are not called healthy above deliveries that failed', () => {
  expect(en.webhooks.attention(0, 0)).toBe('all receivers are healthy')
  expect(en.webhooks.attention(0, 1)).toBe('no circuit is open; 1 delivery below failed')
  expect(en.webhooks.attention(2, 1)).toBe('2 need attention')
})
