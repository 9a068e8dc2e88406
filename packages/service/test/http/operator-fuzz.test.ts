import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RESULT_EVENTS, RESULTS, SCREENS } from '@order-testing/contract/operator'
import { SENDER_KINDS } from '@order-testing/contract'
import { created } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { messageAbout, operate, report, staffed } from '../support/operator.ts'

let service: TestService
let codes: string[]
let serviceIds: string[]
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
  const orders = await Promise.all([{}, { package: { id: 'several' } }, {}].map((members) => created(service, members)))
  codes = orders.map(({ code }) => code as string)
  serviceIds = orders.flatMap(({ services }) => services.map(({ id }: { id: string }) => id))
})
afterAll(() => service.stop())

const name = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), fc.constantFrom('Maria', 'Lopez'))
const instant = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

/** Messages that are right but for chance: most of them can be read, and many fit an order. */
const messages = fc.record(
  {
    sender: fc.record({ kind: fc.constantFrom(...SENDER_KINDS), id: name }),
    match: fc.record(
      {
        orderCode: fc.oneof(
          fc.nat().map((n) => codes[n % codes.length]!),
          name,
        ),
        serviceId: fc.oneof(
          fc.nat().map((n) => serviceIds[n % serviceIds.length]!),
          name,
        ),
        panel: fc.constantFrom('urine', 'Hair', 'nothing'),
        specimenId: fc.constantFrom('F-1', 'F-2', 'F-3'),
      },
      { requiredKeys: [] },
    ),
    participant: fc.record({ firstName: name, lastName: name }, { requiredKeys: [] }),
    event: fc.constantFrom(...RESULT_EVENTS),
    occurredAt: instant,
    specimen: fc.record({ id: fc.constantFrom('F-1', 'F-2', 'F-3'), collectedAt: instant }, { requiredKeys: ['id'] }),
    courier: name,
    screen: fc.constantFrom(...SCREENS),
    result: fc.constantFrom(...RESULTS),
    dilute: fc.boolean(),
    corrected: fc.boolean(),
    reason: name,
  },
  { requiredKeys: ['sender', 'match', 'event', 'occurredAt'] },
)

describe('arbitrary input to the results endpoint', () => {
  test('a message is refused, applied or queued: never a 5xx, never lost', async () => {
    let sent = 0
    await fc.assert(
      fc.asyncProperty(messages, fc.boolean(), async (members, sized) => {
        const { event, screen, result, ...rest } = members
        // Half of the time without what does not go with the event, so that the rest of the rules is reached too.
        const fitting = { ...(event === 'screened' && { screen }), ...(event === 'result' && { result }) }
        const chosen = sized ? { ...rest, ...fitting } : { ...rest, screen, result }
        const message = messageAbout({ code: '' }, { ...chosen, event, messageId: `fuzz-${(sent += 1)}` })
        const answer = await report(service, message)
        expect([200, 202, 400]).toContain(answer.status)
        const kept = await service.pool<{ state: string; orderId: string | null }[]>`
          select state, order_id from result_reports where message_id = ${message.messageId}`
        const states = { 200: ['applied'], 202: ['queued'], 400: [] }[answer.status as 200]
        expect(kept.map(({ state }) => state)).toEqual(states)
        expect(kept.every(({ state, orderId }) => state === 'queued' || orderId !== null)).toBe(true)
      }),
      { numRuns: 400 },
    )
  })

  test('input that is not a message is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (body) => {
        expect((await report(service, body)).status).toBe(400)
      }),
      { numRuns: 50 },
    )
  })

  test('orders stay readable and their totals consistent', async () => {
    const { body } = await operate(service, 'GET', '/orders')
    expect(body.total).toBe(codes.length)
    for (const code of codes) expect((await operate(service, 'GET', `/orders/${code}`)).status).toBe(200)
  })
})
