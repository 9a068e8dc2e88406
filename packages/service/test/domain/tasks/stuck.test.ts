import { describe, expect, test } from 'vitest'
import type { ServiceStatus } from '../../../src/domain/orders/statuses.ts'
import { SERVICE_STATUSES } from '../../../src/domain/orders/statuses.ts'
import { findStuck, STAGES } from '../../../src/domain/tasks/stuck.ts'
import { orderOf } from '../../support/orders.ts'

const NOW = new Date('2026-11-17T12:00:00.000Z')
const HOUR_MS = 3_600_000
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS)

const stuckAt = (status: ServiceStatus, hours: number) =>
  findStuck(orderOf({ services: [{ status, statusUpdatedAt: ago(hours) }] }), NOW)

describe('a test that stays longer than usual where it is', () => {
  test.each([
    ['checkedIn', 4, 'collector'],
    ['collected', 24, 'courier'],
    ['inTransit', 48, 'courier'],
    ['receivedAtLab', 24, 'laboratory'],
    ['testing', 48, 'laboratory'],
    ['mroReview', 48, 'reviewer'],
    ['lostInTransit', 4, 'operator'],
    ['integrationError', 1, 'operator'],
    ['inProgress', 72, 'clinic'],
  ] as const)('a test that is %s for over %d hours waits for the %s', (status, usual, actor) => {
    expect(stuckAt(status, usual - 0.1)).toBeUndefined()
    expect(stuckAt(status, usual + 0.1)).toMatchObject({
      actor,
      dueAt: new Date(ago(usual + 0.1).getTime() + 1.5 * usual * HOUR_MS),
      details: { status, usualSeconds: usual * 3600, since: ago(usual + 0.1).toISOString() },
    })
  })

  test('statuses before check-in, results and closed tests are never stuck', () => {
    const others = (Object.keys(SERVICE_STATUSES) as ServiceStatus[]).filter((status) => !(status in STAGES))
    for (const status of others) expect(stuckAt(status, 10_000)).toBeUndefined()
  })

  test('of several tests the one that is longest over its time is reported', () => {
    const services = [
      { status: 'testing' as const, statusUpdatedAt: ago(50) },
      { status: 'checkedIn' as const, statusUpdatedAt: ago(9) },
    ]
    expect(findStuck(orderOf({ services }), NOW)?.details).toMatchObject({ status: 'checkedIn' })
  })
})
