import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { continueSimulations } from '../../src/operations/sandbox/simulate.ts'
import { body, created, PERSON, post, SECRET } from '../orders/given.ts'
import { operate, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const named = (lastName: string, members: object = {}) => ({
  participant: { firstName: 'Maria', lastName },
  ...members,
})
const random = new PooledRandom()
const failures: unknown[] = []
const work = () =>
  continueSimulations({ store: service.store, now: () => new Date(), random }, (error) => failures.push(error))
const read = async (id: string) => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const waiting = async () =>
  (await service.pool<{ orderId: string }[]>`select order_id from sandbox_simulations`).map(({ orderId }) => orderId)

describe('ruling 52: participants with the last name Sandbox-<Outcome>', () => {
  test.each([
    ['Sandbox-Positive', 'positive'],
    ['sandbox-negative', 'negative'],
    ['SANDBOX-NOSHOW', 'noShow'],
    ['Sandbox-LostInTransit', 'lostInTransit'],
    ['Sandbox-Refusal', 'testNotPerformed'],
  ])(
    'the link order of a participant named %s is created as usual, and workers make it %s',
    async (lastName, status) => {
      const order = await created(service, named(lastName))
      expect(order).toMatchObject({ status: 'ordered', participant: { lastName } })
      await work()
      expect(await read(order.id)).toMatchObject({ status })
      expect(await waiting()).toEqual([])
    },
  )

  test('orders with all details, of v1 and of operators are simulated too', async () => {
    const participant = { ...PERSON, lastName: 'Sandbox-Adulterated' }
    const settings = { schedulingOption: 'order' }
    const one = await created(service, { participant, settings })
    const two = await created(service, { participant, settings }, { path: '/api/v1/orders' })
    const three = await operate(service, 'POST', '/orders', body({ participant, settings, source: 'portal' }))
    await work()
    for (const { id } of [one, two, three.body.order ?? three.body])
      expect(await read(id as string)).toMatchObject({ status: 'adulterated' })
  })

  test('an outcome that the package cannot have leaves the order as it is', async () => {
    const { id } = await created(service, named('Sandbox-FitForDuty'))
    await work()
    expect(await read(id)).toMatchObject({ status: 'ordered' })
    expect(await waiting()).toEqual([])
    expect(failures).toEqual([])
  })

  test('other names are not simulated', async () => {
    for (const lastName of ['Sandbox', 'Sandbox-Unknown', 'Lopez-Positive']) await created(service, named(lastName))
    expect(await waiting()).toEqual([])
  })

  test('a create that is answered with an existing order starts no second simulation', async () => {
    const participant = { ...PERSON, lastName: 'Sandbox-Positive' }
    const sent = body({ participant, orderMatching: { enabled: true } })
    const first = await post(service, sent)
    const queued = () => service.pool`select id, order_id from sandbox_simulations`
    const before = await queued()
    expect(before).toMatchObject([{ orderId: first.body.id }])
    expect(await post(service, sent)).toMatchObject({ status: 200, body: { id: first.body.id } })
    expect(await queued()).toEqual(before)
    await work()
  })

  test('production simulates nobody', async () => {
    const production = await startService({ policy: { production: true, callbackAllow: [] } })
    try {
      await production.apply(staffed())
      await created(production, named('Sandbox-Positive'))
      expect(await production.pool`select from sandbox_simulations`).toHaveLength(0)
    } finally {
      await production.stop()
    }
  })
})
