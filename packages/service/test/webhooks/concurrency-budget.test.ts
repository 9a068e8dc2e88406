import { expect, test } from 'vitest'
import { CircuitBreaker } from '../../src/webhooks/breaker.ts'
import { ConcurrencyBudget } from '../../src/webhooks/concurrency-budget.ts'
import { Receiver } from '../../src/webhooks/receiver.ts'

function createReceiver(origin: string): Receiver {
  const id = { tenantId: 'north', origin }
  const nothing = () => Promise.resolve(undefined)
  return new Receiver(id, new CircuitBreaker(id, { reportFailures: nothing, reportSuccess: nothing }))
}

test('a receiver is slow while one of its requests takes longer than a second', () => {
  const [budget, receiver, from] = [new ConcurrencyBudget(), createReceiver('https://slow.example'), performance.now()]
  budget.acquire(receiver, from)
  for (let ms = 250; ms < 1_000; ms += 250) expect(budget.moveSlow(from + ms)).toEqual(new Set())
  expect(budget.moveSlow(from + 1_000)).toEqual(new Set([receiver]))
  expect(receiver.breaker.isTroubled).toBe(true)
})

test('a receiver is not slow because this process stalled', () => {
  const [budget, receiver, from] = [new ConcurrencyBudget(), createReceiver('https://well.example'), performance.now()]
  budget.acquire(receiver, from)
  budget.moveSlow(from + 250)
  const later = from + 20_000
  expect(budget.moveSlow(later)).toEqual(new Set())
  expect(budget.moveSlow(later + 250)).toEqual(new Set())
  expect(receiver.breaker.isTroubled).toBe(false)
  for (let ms = 500; ms < 1_000; ms += 250) budget.moveSlow(later + ms)
  expect(budget.moveSlow(later + 1_000)).toEqual(new Set([receiver]))
})

test('a slow request leaves the healthy share of the budget and is still counted until it ends', () => {
  const [budget, receiver, from] = [new ConcurrencyBudget(), createReceiver('https://slow.example'), performance.now()]
  const free = budget.free
  const permit = budget.acquire(receiver, from)!
  expect([budget.free, budget.inUse]).toEqual([free - 1, 1])
  for (let ms = 250; ms <= 1_000; ms += 250) budget.moveSlow(from + ms)
  expect([budget.free, budget.inUse]).toEqual([free, 1])
  budget.release(permit)
  expect([budget.free, budget.inUse]).toEqual([free, 0])
})
