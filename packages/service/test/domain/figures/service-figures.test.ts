import { describe, expect, test } from 'vitest'
import { figuresOf, isCounted } from '../../../src/domain/figures/service-figures.ts'
import type { ServiceStatus } from '../../../src/domain/orders/statuses.ts'
import { orderOf } from '../../support/orders.ts'

const START = Date.parse('2026-11-02T12:00:00.000Z')
const after = (seconds: number) => new Date(START + seconds * 1000)

/** The figures of a service that entered these statuses after so many seconds. */
function figuresAfter(...steps: [ServiceStatus, number][]) {
  const history = steps.map(([status, seconds]) => ({ status, at: after(seconds) }))
  return figuresOf(orderOf({ services: [{ status: steps.at(-1)![0], history }] }))[0]!
}

describe('seconds in each stage', () => {
  test('a whole life gives the time of each stage', () => {
    expect(
      figuresAfter(
        ['ordered', 0],
        ['linkSent', 10],
        ['scheduled', 100],
        ['checkedIn', 400],
        ['collected', 500],
        ['inTransit', 600],
        ['receivedAtLab', 900],
        ['testing', 1000],
        ['mroReview', 2000],
        ['negative', 5000],
      ),
    ).toMatchObject({
      wasBooked: true,
      toScheduled: 90,
      toCheckedIn: 300,
      toLaboratory: 400,
      toReport: 1100,
      inReview: 3000,
      toResult: 5000,
    })
  })

  test('without a medical review the laboratory reports the result', () => {
    expect(figuresAfter(['ordered', 0], ['receivedAtLab', 50], ['negative', 80])).toMatchObject({
      wasBooked: false,
      toReport: 30,
      inReview: null,
      toResult: 80,
    })
  })

  test('stages that have not ended, were skipped or were reported out of order are unknown', () => {
    expect(figuresAfter(['ordered', 0], ['scheduled', 10])).toMatchObject({ toCheckedIn: null, toResult: null })
    expect(figuresAfter(['ordered', 0], ['collected', 50], ['receivedAtLab', 40])).toMatchObject({ toLaboratory: null })
  })

  test('a booking that was moved counts from its last time', () => {
    const moved = figuresAfter(['ordered', 0], ['scheduled', 10], ['scheduled', 60], ['checkedIn', 100])
    expect(moved).toMatchObject({ toScheduled: 10, toCheckedIn: 40 })
  })
})

describe('services that figures count', () => {
  const [first, , third] = figuresOf(orderOf({ services: [{}, {}, {}] }))

  test('the first service counts for its order, whatever its status', () => {
    expect(isCounted(first!)).toBe(true)
  })

  test('any other service counts once it was booked or has ended a stage', () => {
    expect(isCounted(third!)).toBe(false)
    expect(isCounted({ ...third!, wasBooked: true })).toBe(true)
    for (const stage of ['toScheduled', 'toCheckedIn', 'toLaboratory', 'toReport', 'inReview', 'toResult'])
      expect(isCounted({ ...third!, [stage]: 0 })).toBe(true)
  })
})
