import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { startService, type TestService } from '../support/service.ts'
import { created, SECRET } from '../orders/given.ts'
import { applied, LAB, messageAbout, operate, report, seenByOperator, staffed } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const read = async (id: string) => (await service.call(SECRET, `/api/v2/orders/${id}`)).body

const FRA = { agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }

describe('a message', () => {
  test('moves the service of its order, and with it the order', async () => {
    const order = await created(service)
    const receipt = await applied(service, messageAbout(order, { event: 'testing', specimen: { id: 'S-1' } }))
    expect(receipt).toMatchObject({ state: 'applied', why: null, orderId: order.id, serviceId: order.services[0].id })
    const changed = await read(order.id)
    expect(changed).toMatchObject({ status: 'pending', services: [{ status: 'testing', specimenId: 'S-1' }] })
    expect(changed.services[0].statusHistory.map(({ status }: { status: string }) => status)).toEqual([
      'linkSent',
      'checkedIn',
      'collected',
      'receivedAtLab',
      'testing',
    ])
  })

  test('that is sent again gets the first answer, and changes nothing', async () => {
    const order = await created(service)
    const message = messageAbout(order)
    const first = await report(service, message)
    const before = await read(order.id)
    const second = await report(service, message)
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect(await read(order.id)).toEqual(before)
  })

  test('with a DOT drug result is refused from anyone but a medical reviewer (49 CFR 40.97)', async () => {
    const order = await created(service, { package: { id: 'dot' }, ...FRA })
    const result = { event: 'result', result: 'negative' }
    expect(refusalOf(await report(service, messageAbout(order, result)))).toBe('400 invalidValue /sender/kind')
    await applied(service, messageAbout(order, { event: 'testing' }))
    await applied(service, messageAbout(order, { ...result, kind: 'mro' }))
    expect(await read(order.id)).toMatchObject({ status: 'negative', isFinal: true })
  })

  test('speaks only as what its token may', async () => {
    const order = await created(service)
    expect((await report(service, messageAbout(order), LAB)).status).toBe(200)
    const asReviewer = messageAbout(order, { kind: 'mro', event: 'mroReview' })
    expect(refusalOf(await report(service, asReviewer, LAB))).toBe('400 invalidValue /sender/kind')
  })

  test('that fits no order waits for an operator, who assigns it', async () => {
    const order = await created(service)
    const answer = await report(service, messageAbout({ code: 'ZZZZ-ZZZZ' }))
    expect(answer).toMatchObject({ status: 202, body: { state: 'queued', why: 'noMatch', orderId: null } })
    const assignment = { serviceId: order.services[0].id, reason: 'Misread code.' }
    const assigned = await operate(service, 'POST', `/results/${answer.body.id}/assignment`, assignment)
    expect(assigned).toMatchObject({
      status: 200,
      body: { state: 'applied', orderId: order.id, settledBy: 'operator' },
    })
    expect(await read(order.id)).toMatchObject({ status: 'pending' })
    const { timeline } = await seenByOperator(service, order.code)
    expect(timeline.map(({ type }) => type)).toContain('result')
  })
})
