import { describe, expect, test } from 'vitest'
import type { Claim } from '../../src/store/webhooks/workers.ts'
import { CircuitBreaker } from '../../src/webhooks/breaker.ts'

const ID = { tenantId: 'acme', origin: 'https://example.com' }
const FIRST: Claim = { tenantId: 'acme', id: 'dlv_1', claimId: 'one' }
const SECOND: Claim = { tenantId: 'acme', id: 'dlv_2', claimId: 'two' }

describe('the circuit breaker of a receiver', () => {
  test.each([0, 1, 2, 3, 4, 5, 6])('a failure %i microtasks after a report ends is reported, too', async (delay) => {
    const reported: Claim[] = []
    let answer!: (state: undefined) => void
    const answered = new Promise<undefined>((resolve) => (answer = resolve))
    const breaker = new CircuitBreaker(ID, {
      reportSuccess: async () => undefined,
      reportFailures: (_, claims) => {
        reported.push(...claims)
        return answered
      },
    })
    const failing = breaker.fail(FIRST)
    answer(undefined)
    for (let i = 0; i < delay; i++) await Promise.resolve()
    await Promise.all([failing, breaker.fail(SECOND)])
    expect(reported).toEqual([FIRST, SECOND])
  })
})
