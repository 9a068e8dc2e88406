import { describe, expect, test } from 'vitest'
import { planAttempts, type PlannedDelivery } from '../../../src/domain/webhooks/attempt-plan.ts'
import { DEFAULT_SCHEDULE } from '../../../src/domain/webhooks/retry.ts'

const QUEUED = new Date('2026-03-01T12:00:00Z')
const after = (seconds: number) => new Date(QUEUED.getTime() + 1000 * seconds)
const policy = { schedule: DEFAULT_SCHEDULE }

const delivery = (members: Partial<PlannedDelivery> = {}): PlannedDelivery => ({
  version: 'v2',
  attempts: 0,
  earlierAttempts: 0,
  queuedAt: QUEUED,
  isOpen: true,
  dueAt: QUEUED,
  attemptedAt: [],
  ...members,
})

describe('the plan of a delivery', () => {
  test('a new delivery has its first attempt next and the rest of the schedule after it', () => {
    const steps = planAttempts(delivery(), policy)
    expect(steps.map(({ number }) => number)).toEqual(DEFAULT_SCHEDULE.map((_, index) => index + 1))
    expect(steps.slice(0, 3)).toEqual([
      { number: 1, state: 'next', at: QUEUED, waitSeconds: 0 },
      { number: 2, state: 'later', at: after(5), waitSeconds: 5 },
      { number: 3, state: 'later', at: after(35), waitSeconds: 30 },
    ])
  })

  test('attempts that were made keep their times, and later ones follow from the next', () => {
    const made = { attempts: 2, attemptedAt: [after(1), after(7)], dueAt: after(40) }
    expect(planAttempts(delivery(made), { schedule: [0, 5, 30, 120] })).toEqual([
      { number: 1, state: 'done', at: after(1), waitSeconds: 0 },
      { number: 2, state: 'done', at: after(7), waitSeconds: 5 },
      { number: 3, state: 'next', at: after(40), waitSeconds: 30 },
      { number: 4, state: 'later', at: after(160), waitSeconds: 120 },
    ])
  })

  test('a parked delivery has no times for what is to come', () => {
    const steps = planAttempts(delivery({ dueAt: null }), { schedule: [0, 5] })
    expect(steps.map(({ state, at }) => [state, at])).toEqual([
      ['next', null],
      ['later', null],
    ])
  })

  test('a replay begins the schedule anew, and its attempts count on', () => {
    const made = { attempts: 4, earlierAttempts: 3, attemptedAt: [after(0), after(1), after(2), after(90)] }
    expect(planAttempts(delivery({ ...made, dueAt: after(95) }), { schedule: [0, 5] })).toEqual([
      { number: 4, state: 'done', at: after(90), waitSeconds: 0 },
      { number: 5, state: 'next', at: after(95), waitSeconds: 5 },
    ])
  })

  test('a delivery that has ended has nothing to come, and attempts without a record have no time', () => {
    const ended = delivery({ attempts: 2, attemptedAt: [after(9)], isOpen: false, dueAt: null })
    expect(planAttempts(ended, { schedule: [0] })).toEqual([
      { number: 1, state: 'done', at: null, waitSeconds: 0 },
      { number: 2, state: 'done', at: after(9), waitSeconds: null },
    ])
  })

  test('a v1 delivery has no attempts after its hour', () => {
    const steps = planAttempts(delivery({ version: 'v1' }), policy)
    expect(steps).toHaveLength(8)
    expect(planAttempts(delivery({ version: 'v1', dueAt: after(3000) }), policy).length).toBeLessThan(8)
  })
})
