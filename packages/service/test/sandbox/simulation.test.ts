import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { continueSimulations } from '../../src/operations/sandbox/simulate.ts'
import { created, DISCREET, GLOBEX, PERSON, SECRET, TENANT } from '../orders/given.ts'
import { operate, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(
    staffed({
      packages: [{ id: 'dot-both', name: 'DOT both', services: ['dot-urine', 'dot-breath'] }],
      offered: ['dot-both'],
    }),
  )
})
afterAll(() => service.stop())

const simulate = (id: string, body: unknown, secret = SECRET) =>
  service.call(secret, { method: 'POST', path: `/api/sandbox/v1/orders/${id}/simulation`, body })
const read = async (id: string) => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const random = new PooledRandom()
const work = (onFailure = (error: unknown): void => expect(error).toBeUndefined()) =>
  continueSimulations({ store: service.store, now: () => new Date(), random }, onFailure)
const due = () => service.pool`update sandbox_simulations set due_at = now()`
const waiting = async () =>
  (await service.pool<{ orderId: string }[]>`select order_id from sandbox_simulations`).map(({ orderId }) => orderId)
const dot = {
  package: { id: 'dot-both' },
  agency: { code: 'PHMSA' },
  participant: PERSON,
  settings: { schedulingOption: 'order' },
}

describe('ruling 52: a simulation', () => {
  test('a simulation moves an order to its outcome and answers it, with a history like that of a real one', async () => {
    const { id } = await created(service, dot)
    const { status, body } = await simulate(id, { outcome: 'positive' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, object: 'order', status: 'positive', isFinal: true })
    expect(body.services.map((each: { status: string }) => each.status)).toEqual(['positive', 'positive'])
    expect(body.services[0].statusHistory.map((each: { status: string }) => each.status)).toEqual(
      'ordered checkedIn collected inTransit receivedAtLab testing mroReview positive'.split(' '),
    )
    expect(body).toEqual(await read(id))
    const { total } = (await service.call(SECRET, `/api/v2/orders/${id}/events`)).body
    expect(total).toBeGreaterThanOrEqual(6)
    const reports = await service.pool`select from result_reports where order_id = ${id} and state = 'applied'`
    expect(reports.length).toBeGreaterThanOrEqual(10)
  })

  test('a refusal is a test that was not performed, with the reason for operators', async () => {
    const { id } = await created(service)
    expect((await simulate(id, { outcome: 'refusal' })).body).toMatchObject({
      status: 'testNotPerformed',
      isFinal: true,
    })
    const [report] = await service.pool<{ id: string }[]>`
      select id from result_reports where tenant_id = ${TENANT} and order_id = ${id} and event = 'result'`
    const { body } = await operate(service, 'GET', `/results/${report!.id}`)
    expect(body).toMatchObject({
      state: 'applied',
      message: { reason: 'Simulated: the participant refused the test.' },
    })
  })

  test('a link order gets the details that its participant would fill in', async () => {
    const { id } = await created(service)
    await simulate(id, { outcome: 'negative' })
    expect(await read(id)).toMatchObject({
      status: 'negative',
      participant: { lastName: 'Lopez', birthDate: '1990-01-15' },
    })
  })

  test.each([
    ['noShow', 'noShow'],
    ['expired', 'expired'],
    ['lostInTransit', 'lostInTransit'],
  ])('the outcome %s makes the order %s', async (outcome, status) => {
    const { id } = await created(service)
    expect((await simulate(id, { outcome })).body).toMatchObject({ status, isFinal: false })
  })

  test('a simulation stops at the status that it names', async () => {
    const { id } = await created(service)
    const { body } = await simulate(id, { outcome: 'positive', until: 'testing' })
    expect(body).toMatchObject({ status: 'pending', services: [{ status: 'testing' }] })
    expect(await waiting()).not.toContain(id)
  })

  test('with a delay the first step is made at once, and workers make the others when they are due', async () => {
    const { id } = await created(service)
    const { body } = await simulate(id, { outcome: 'negative', delaySeconds: 60 })
    expect(body).toMatchObject({ services: [{ status: 'checkedIn' }] })
    await work()
    expect(await read(id)).toMatchObject({ services: [{ status: 'checkedIn' }] })
    const seen: string[] = []
    while ((await waiting()).includes(id)) {
      await due()
      await work()
      seen.push((await read(id)).services[0].status)
    }
    expect([...new Set(seen)]).toEqual('collected inTransit receivedAtLab testing negative'.split(' '))
  })

  test('concurrent workers make each step once', async () => {
    const { id } = await created(service)
    await simulate(id, { outcome: 'negative', delaySeconds: 60 })
    await due()
    await Promise.all([work(), work(), work()])
    expect(await read(id)).toMatchObject({ services: [{ status: 'collected' }] })
    const reports = await service.pool`select from result_reports where order_id = ${id}`
    expect(reports).toHaveLength(2)
  })

  test('a new simulation replaces the one under way', async () => {
    const { id } = await created(service)
    await simulate(id, { outcome: 'negative', delaySeconds: 60 })
    expect((await simulate(id, { outcome: 'positive' })).body).toMatchObject({ status: 'positive' })
    expect(await waiting()).not.toContain(id)
  })

  test('a simulation ends when the order is cancelled, and nothing is queued for operators', async () => {
    const { id } = await created(service)
    await simulate(id, { outcome: 'negative', delaySeconds: 60 })
    await service.call(SECRET, { method: 'PUT', path: `/api/v2/orders/${id}/cancellation` })
    await due()
    await work()
    expect(await waiting()).not.toContain(id)
    const queued = await service.pool`select from result_reports where order_id = ${id} and state = 'queued'`
    expect(queued).toHaveLength(0)
  })
})

describe('a simulation is refused', () => {
  test('an outcome that the services cannot have is refused with the possible ones', async () => {
    const { id } = await created(service, { ...dot, package: { id: 'dot-alcohol' } })
    const { status, body } = await simulate(id, { outcome: 'fitForDuty' })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ code: 'invalidValue', source: { pointer: '/outcome' } }])
    expect(body.errors[0].detail).toContain('negative, positive')
  })

  test.each([
    [{ outcome: 'great' }, 'invalidValue /outcome'],
    [{}, 'required /outcome'],
    [{ outcome: 'negative', delaySeconds: 3601 }, 'tooBig /delaySeconds'],
    [{ outcome: 'negative', delaySeconds: -1 }, 'tooSmall /delaySeconds'],
    [{ outcome: 'negative', services: [] }, 'tooSmall /services'],
    [{ outcome: 'negative', until: 'negative' }, 'invalidValue /until'],
    [{ outcome: 'negative', color: 'red' }, 'unrecognizedKeys /color'],
  ])('the body %j is refused as %s', async (body, expected) => {
    const { id } = await created(service)
    const answer = await simulate(id, body)
    const [{ code, source }] = answer.body.errors
    expect(`${answer.status} ${code} ${source.pointer}`).toBe(`400 ${expected}`)
  })

  test('an order with an outcome is refused', async () => {
    const { id } = await created(service)
    await simulate(id, { outcome: 'negative' })
    expect(await simulate(id, { outcome: 'positive' })).toMatchObject({ status: 422 })
  })

  test('an order of another company is not found', async () => {
    const { id } = await created(service)
    expect(await simulate(id, { outcome: 'negative' }, GLOBEX)).toMatchObject({ status: 404 })
    expect(await simulate('ord_unknown', { outcome: 'negative' })).toMatchObject({ status: 404 })
  })
})

test('the answer shows the participant only to tokens that may read it', async () => {
  const { id } = await created(service)
  expect((await simulate(id, { outcome: 'negative' }, DISCREET)).body).not.toHaveProperty('participant')
})
