import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '@order-testing/contract'
import type { OperatorOrder } from '@order-testing/contract/operator'
import { created, SECRET } from './given.ts'
import { startService, type TestService } from '../support/service.ts'
import { applied, messageAbout, operate, report, seenByOperator, staffed } from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(
    staffed({
      services: [
        { id: 'instant', name: 'Instant', category: 'drug', type: 'instantUrine', isDot: false, requiresMro: true },
      ],
      packages: [{ id: 'mixed', name: 'Mixed', services: ['dot-urine', 'instant', 'dot-breath', 'audiogram'] }],
      offered: ['mixed'],
    }),
  )
})
afterAll(() => service.stop())

const FRA = { agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }
const read = async (id: string): Promise<Order> => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const events = async (id: string): Promise<number> =>
  (await service.call(SECRET, `/api/v2/orders/${id}/events`)).body.total

describe('concurrent results and a cancellation', () => {
  test('of concurrent results and a cancellation one wins, the history is in order and no event is lost', async () => {
    for (let round = 0; round < 20; round++) {
      const order = await created(service)
      await applied(service, messageAbout(order, { kind: 'collector', event: 'collected' }))
      const answers = await Promise.all([
        report(service, messageAbout(order, { event: 'result', result: 'negative' })),
        report(service, messageAbout(order, { event: 'result', result: 'positive' })),
        service.call(SECRET, { method: 'PUT', path: `/api/v2/orders/${order.id}/cancellation` }),
      ])
      const [negative, positive, cancelled] = answers.map(({ status }) => status)
      const last = await read(order.id)
      expect([negative, positive, cancelled].filter((status) => status === 200)).toHaveLength(1)
      expect(last.status).toBe(negative === 200 ? 'negative' : positive === 200 ? 'positive' : 'cancelled')
      const times = last.services[0]!.statusHistory.map(({ occurredAt }) => occurredAt)
      expect(times).toEqual(times.toSorted())
      expect(await events(order.id)).toBe(2)
      const { total } = (await operate(service, 'GET', `/results?orderId=${order.id}`)).body
      expect(total).toBe(3)
    }
  })
})

describe('random changes by operators and laboratories', () => {
  const steps = fc.array(fc.record({ place: fc.nat(), choice: fc.nat(), screen: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })

  /** What a reader sees of an order, except its times of change. */
  const seen = ({ updatedAt: _, ...order }: Order) => JSON.stringify(order)

  async function step({ services }: OperatorOrder, order: Order, { place, choice, screen }: Step): Promise<void> {
    const target = services[place % services.length]!
    const match = { serviceId: target.id }
    const status = target.nextStatuses[choice % target.nextStatuses.length]
    if (screen) await report(service, messageAbout(order, { match, event: 'screened', screen: 'initial' }))
    else if (status) await operate(service, 'POST', `/orders/${order.id}/services/${target.id}/moves`, { status })
  }

  interface Step {
    place: number
    choice: number
    screen: boolean
  }

  test('each change that a reader can see makes one event, and no other change does', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (moves) => {
        const order = await created(service, { package: { id: 'mixed' }, ...FRA })
        let before = await read(order.id)
        let changes = 0
        for (const move of moves) {
          await step(await seenByOperator(service, order.id), order, move)
          const after = await read(order.id)
          const isChanged = seen(after) !== seen(before)
          if (isChanged) changes++
          expect(after.updatedAt > before.updatedAt || !isChanged).toBe(true)
          expect(after.updatedAt === before.updatedAt || isChanged).toBe(true)
          expect(await events(order.id)).toBe(changes)
          expect(JSON.stringify(after.services[0])).not.toContain('nonNegative')
          before = after
        }
      }),
      { numRuns: 15 },
    )
  })
})
