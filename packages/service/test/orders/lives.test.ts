import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Order, OrderEvent } from '@order-testing/contract'
import { httpReceiver, type Receiver } from '../webhooks/receivers.ts'
import { endWork } from '../webhooks/working.ts'
import { created, SECRET } from './given.ts'
import { deliverAll, LOOPBACK } from '../support/delivering.ts'
import { startService, type TestService } from '../support/service.ts'
import { applied, messageAbout, operate, report, staffed, tested } from '../support/operator.ts'

let service: TestService
let receiver: Receiver & { requests: { body: Buffer }[] }
beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(
    staffed({
      packages: [
        { id: 'dot-mixed', name: 'DOT Mixed', services: ['dot-urine', 'dot-breath'] },
        { id: 'fitness', name: 'Fitness', services: ['urine', 'audiogram'] },
        { id: 'records', name: 'Records', services: ['criminal'] },
      ],
      offered: ['dot-mixed', 'fitness', 'records'],
      settings: { backgroundProvider: 'checkr' },
    }),
  )
})
beforeEach(async () => {
  receiver = await httpReceiver()
})
afterAll(async () => {
  await endWork()
  await service.stop()
})

const FRA = { agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }

const placed = (members: object = {}) => created(service, { callback: { url: receiver.url }, ...members })
const read = async (id: string): Promise<Order> => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const eventsOf = async (id: string): Promise<OrderEvent[]> =>
  (await service.call(SECRET, `/api/v2/orders/${id}/events`)).body.data

/** Applies reports in turn, and returns how an integrator sees the order after each. */
async function watch(order: Order, reports: Parameters<typeof messageAbout>[1][]): Promise<string[]> {
  const seen: string[] = []
  for (const members of reports) {
    await applied(service, messageAbout(order, members))
    const { status, services } = await read(order.id)
    seen.push(`${status}: ${services.map((each) => each.status).join(', ')}`)
  }
  return seen
}

const panel = (order: Order, id: string) => ({ match: { orderCode: order.code, panel: id } })

describe('the life of an order, seen through the public interface and its events', () => {
  test('a DOT test becomes negative step by step', async () => {
    const order: Order = await placed({ package: { id: 'dot' }, ...FRA })
    const life = await watch(order, [
      { kind: 'collector', event: 'checkedIn' },
      { kind: 'collector', event: 'collected', specimen: { id: 'DOT-1' } },
      { kind: 'courier', event: 'inTransit', courier: 'Swift', trackingNumber: '1Z-77' },
      { event: 'receivedAtLab' },
      { event: 'testing' },
      { event: 'mroReview' },
      { kind: 'mro', event: 'result', result: 'negative' },
    ])
    expect(life).toEqual([
      'pending: checkedIn',
      'pending: collected',
      'pending: inTransit',
      'pending: receivedAtLab',
      'pending: testing',
      'pending: mroReview',
      'negative: negative',
    ])
    const last = await read(order.id)
    expect(last).toMatchObject({
      isFinal: true,
      services: [{ specimenId: 'DOT-1', courierServiceName: 'Swift', trackingNumber: '1Z-77', isFinal: true }],
    })
    expect(await eventsOf(order.id)).toHaveLength(7)
    await deliverAll(service)
    const events = receiver.requests.map(({ body }) => JSON.parse(body.toString()) as { data: { url: string } })
    expect(events.map(({ data }) => data.url)).toEqual(Array(7).fill(order.url))
  })

  test.each(['positive', 'substituted', 'adulterated', 'testCancelled'])('a DOT test becomes %s', async (result) => {
    const order: Order = await placed({ package: { id: 'dot' }, ...FRA })
    await watch(order, [
      { event: 'testing', specimen: { id: `DOT-${result}` } },
      { kind: 'mro', event: 'result', result },
    ])
    expect(await read(order.id)).toMatchObject({ status: result, isFinal: true, services: [{ status: result }] })
  })

  test('a fitness test passes with several good results', async () => {
    const order: Order = await placed({ package: { id: 'fitness' } })
    const life = await watch(order, [
      { ...panel(order, 'urine'), ...tested('negative'), dilute: true },
      { ...panel(order, 'Audiogram'), kind: 'clinic', event: 'result', result: 'fitForDuty' },
    ])
    expect(life).toEqual(['incomplete: negativeDilute, linkSent', 'pass: negativeDilute, fitForDuty'])
  })

  test('a background check runs to its result', async () => {
    const order: Order = await placed({ package: { id: 'records' } })
    expect(
      await watch(order, [
        { kind: 'background', event: 'inProgress' },
        { kind: 'background', event: 'result', result: 'pass' },
      ]),
    ).toEqual(['pending: inProgress', 'pass: pass'])
  })

  test('an alcohol test is final before the urine test of the same order', async () => {
    const order: Order = await placed({ package: { id: 'dot-mixed' }, ...FRA })
    const life = await watch(order, [
      { ...panel(order, 'dot-breath'), kind: 'bat', event: 'result', result: 'negative' },
      { ...panel(order, 'dot-urine'), kind: 'collector', event: 'collected' },
      { ...panel(order, 'dot-urine'), kind: 'mro', event: 'result', result: 'negative' },
    ])
    expect(life).toEqual([
      'incomplete: linkSent, negative',
      'pending: collected, negative',
      'negative: negative, negative',
    ])
  })

  test('a refusal becomes testNotPerformed', async () => {
    const order: Order = await placed()
    await watch(order, [
      { kind: 'collector', event: 'checkedIn' },
      { kind: 'collector', event: 'result', result: 'testNotPerformed', reason: 'The donor left.' },
    ])
    expect(await read(order.id)).toMatchObject({ status: 'testNotPerformed', isFinal: true })
  })

  test('a lost specimen is found again and tested', async () => {
    const order: Order = await placed()
    const life = await watch(order, [
      { kind: 'collector', event: 'collected', specimen: { id: 'LOST-1' } },
      { kind: 'courier', event: 'lostInTransit' },
      { match: { specimenId: 'LOST-1' }, event: 'receivedAtLab' },
      { match: { specimenId: 'LOST-1' }, event: 'result', result: 'negative' },
    ])
    expect(life).toEqual([
      'pending: collected',
      'lostInTransit: lostInTransit',
      'pending: receivedAtLab',
      'negative: negative',
    ])
    const found = await service.call(SECRET, '/api/v2/orders?specimenId=LOST-1')
    expect(found.body.data.map(({ id }: Order) => id)).toEqual([order.id])
  })

  test('a lost specimen is collected again', async () => {
    const order: Order = await placed()
    await watch(order, [
      { kind: 'collector', event: 'collected', specimen: { id: 'FIRST-1' } },
      { kind: 'courier', event: 'lostInTransit' },
    ])
    const { id } = order.services[0]!
    await operate(service, 'POST', `/orders/${order.id}/services/${id}/moves`, { status: 'scheduled' })
    expect((await read(order.id)).services[0]).toMatchObject({ status: 'scheduled', specimenId: null })
    const life = await watch(order, [
      { kind: 'collector', event: 'checkedIn' },
      { kind: 'collector', event: 'collected', specimen: { id: 'SECOND-1' } },
      { event: 'result', result: 'negative' },
    ])
    expect(life).toEqual(['pending: checkedIn', 'pending: collected', 'negative: negative'])
    expect((await read(order.id)).services[0]!.specimenId).toBe('SECOND-1')
  })

  test('a service with an integration error continues with the next report', async () => {
    const order: Order = await placed()
    await watch(order, [{ kind: 'collector', event: 'collected' }])
    const { id } = order.services[0]!
    await operate(service, 'POST', `/orders/${order.id}/services/${id}/moves`, { status: 'integrationError' })
    expect((await read(order.id)).status).toBe('integrationError')
    expect(await watch(order, [{ event: 'receivedAtLab' }])).toEqual(['pending: receivedAtLab'])
  })

  test('the reviewer cancels a positive result that the second laboratory did not confirm', async () => {
    const order: Order = await placed({ package: { id: 'dot' }, ...FRA })
    await watch(order, [
      { event: 'screened', screen: 'initial', specimen: { id: 'SPLIT-A' } },
      { event: 'screened', screen: 'confirmation' },
      { kind: 'mro', event: 'screened', screen: 'mroInterview' },
    ])
    expect((await read(order.id)).services[0]!.screenHistory).toEqual([])
    // Testing and review were visible; the screens were not.
    expect(await eventsOf(order.id)).toHaveLength(2)
    await watch(order, [{ kind: 'mro', event: 'result', result: 'positive' }])
    await watch(order, [
      { event: 'screened', screen: 'split', specimen: { id: 'SPLIT-B' } },
      { kind: 'mro', event: 'result', result: 'testCancelled', corrected: true, reason: 'Split did not reconfirm.' },
    ])
    const last = await read(order.id)
    expect(last).toMatchObject({ status: 'testCancelled', services: [{ specimenId: 'SPLIT-A' }] })
    expect(last.services[0]!.screenHistory.map(({ type }) => type)).toEqual([
      'initial',
      'confirmation',
      'mroInterview',
      'split',
    ])
    expect(await eventsOf(order.id)).toHaveLength(5)
  })
})

describe('late results', () => {
  test('a result after a cancellation is queued for the operator and does not change the order', async () => {
    const order: Order = await placed()
    await service.call(SECRET, { method: 'PUT', path: `/api/v2/orders/${order.id}/cancellation` })
    const before = await read(order.id)
    const late = await report(service, messageAbout(order, { event: 'result', result: 'positive' }))
    expect(late).toMatchObject({ status: 202, body: { why: 'orderClosed' } })
    expect(await read(order.id)).toEqual(before)
    const { body } = await operate(service, 'GET', `/results?orderId=${order.id}`)
    expect(body.data).toMatchObject([{ state: 'queued', why: 'orderClosed' }])
    expect(
      (await operate(service, 'POST', `/results/${late.body.id}/dismissal`, { reason: 'Seen.' })).body,
    ).toMatchObject({
      state: 'dismissed',
    })
  })

  test('a second result is queued for an operator, unless the reviewer marks it as a correction', async () => {
    const order: Order = await placed()
    await watch(order, [tested('negative')])
    const again = await report(service, messageAbout(order, { event: 'result', result: 'positive', corrected: true }))
    expect(again).toMatchObject({ status: 202, body: { why: 'correctionNeeded' } })
    expect(await read(order.id)).toMatchObject({ status: 'negative' })
    expect(await watch(order, [{ kind: 'mro', event: 'result', result: 'positive', corrected: true }])).toEqual([
      'positive: positive',
    ])
    const entries = (await read(order.id)).services[0]!.statusHistory.map(({ status }) => status)
    expect(entries.slice(-2)).toEqual(['negative', 'positive'])
  })

  test('a result that repeats what is known changes nothing and makes no event', async () => {
    const order: Order = await placed()
    await watch(order, [{ event: 'testing' }])
    const before = await read(order.id)
    await applied(service, messageAbout(order, { kind: 'collector', event: 'collected' }))
    expect(await read(order.id)).toEqual(before)
    expect(await eventsOf(order.id)).toHaveLength(1)
  })
})

test('a non-DOT screen before its review is visible in no status, time or event', async () => {
  await service.apply(
    staffed({
      packages: [{ id: 'instant', name: 'Instant', services: ['instant'] }],
      services: [
        { id: 'instant', name: 'Instant', category: 'drug', type: 'instantUrine', isDot: false, requiresMro: true },
      ],
      offered: ['instant'],
    }),
  )
  const order: Order = await placed({ package: { id: 'instant' } })
  await watch(order, [{ kind: 'collector', event: 'checkedIn' }])
  const before = await read(order.id)
  await applied(service, messageAbout(order, { kind: 'collector', event: 'result', result: 'nonNegative' }))
  expect(await read(order.id)).toEqual(before)
  expect(await eventsOf(order.id)).toHaveLength(1)
  const { body } = await operate(service, 'GET', `/orders/${order.id}`)
  expect(body.services[0].status).toBe('nonNegative')
  const positive = await report(
    service,
    messageAbout(order, { kind: 'collector', event: 'result', result: 'positive' }),
  )
  expect(positive).toMatchObject({ status: 202, body: { why: 'reviewNeeded' } })
  expect(await watch(order, [{ kind: 'mro', event: 'result', result: 'negative' }])).toEqual(['negative: negative'])
})
