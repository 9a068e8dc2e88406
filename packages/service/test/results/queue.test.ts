import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { cancelled, created, LAB, SECRET } from '../orders/given.ts'
import { untilWaiting } from '../support/locks.ts'
import { startService, type TestService } from '../support/service.ts'
import {
  applied,
  DISCREET_OPERATOR,
  messageAbout,
  operate,
  report,
  seenByOperator,
  staffed,
  tested,
} from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const read = async (id: string): Promise<Order> => (await service.call(SECRET, `/api/v2/orders/${id}`)).body

const FRA = { agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }

describe('a queued report', () => {
  const waiting = async (members: Parameters<typeof messageAbout>[1] = {}) =>
    (await report(service, messageAbout({ code: 'ZZZZ-ZZZZ' }, members))).body.id as string

  test('an operator assigns a queued report to a service', async () => {
    const order = await created(service)
    const id = await waiting()
    const assignment = { serviceId: order.services[0].id, reason: 'Misread code.' }
    const assigned = await operate(service, 'POST', `/results/${id}/assignment`, assignment)
    expect(assigned).toMatchObject({
      status: 200,
      body: { state: 'applied', orderId: order.id, settledBy: 'operator' },
    })
    expect(await read(order.id)).toMatchObject({ status: 'pending' })
    const { timeline } = await seenByOperator(service, order.code)
    expect(timeline.map(({ type }) => type)).toContain('result')
    expect(refusalOf(await operate(service, 'POST', `/results/${id}/assignment`, assignment))).toBe('422 invalidState')
    expect(refusalOf(await operate(service, 'POST', `/results/${id}/dismissal`, { reason: 'x' }))).toBe(
      '422 invalidState',
    )
  })

  test('assigning locks the order before the report, as taking a report does', async () => {
    const order = await created(service)
    const id = await waiting()
    const { assigned } = await service.pool.transaction(async (db) => {
      await db`select from orders where id = ${order.id} for update`
      const answer = operate(service, 'POST', `/results/${id}/assignment`, { serviceId: order.services[0].id })
      await untilWaiting(service.pool)
      // The other order would be a deadlock with the report of a reviewer, which settles that of the laboratory.
      expect(await db`select from result_reports where id = ${id} for update nowait`).toHaveLength(1)
      return { assigned: answer }
    })
    expect((await assigned).status).toBe(200)
  })

  test('assigning a queued report corrects an existing result', async () => {
    const order = await created(service)
    await applied(service, messageAbout(order, tested('negative')))
    const id = await waiting({ event: 'result', result: 'positive' })
    const assignment = { serviceId: order.services[0].id }
    expect(refusalOf(await operate(service, 'POST', `/results/${id}/assignment`, assignment))).toBe(
      '400 required /reason',
    )
    await operate(service, 'POST', `/results/${id}/assignment`, { ...assignment, reason: 'Retested.' })
    expect(await read(order.id)).toMatchObject({ status: 'positive' })
  })

  test('assigning a queued report keeps the rules', async () => {
    const dot = await created(service, { package: { id: 'dot' }, ...FRA })
    const open = await created(service)
    await cancelled(service, open.id)
    const result = await waiting({ event: 'result', result: 'negative' })
    const assign = (serviceId: string) => operate(service, 'POST', `/results/${result}/assignment`, { serviceId })
    expect(refusalOf(await assign(dot.services[0].id))).toBe('422 invalidState')
    expect(refusalOf(await assign(open.services[0].id))).toBe('422 invalidState')
    expect(refusalOf(await assign('osv_nothing'))).toBe('400 invalidValue /serviceId')
    expect(refusalOf(await operate(service, 'POST', '/results/rsl_none/assignment', { serviceId: 'x' }))).toBe(
      '404 notFound',
    )
    expect((await operate(service, 'GET', `/results/${result}`)).body.state).toBe('queued')
  })

  test('two operators at the same time settle a queued report once', async () => {
    const [a, b] = [await created(service), await created(service)]
    const id = await waiting()
    const answers = await Promise.all(
      [a, b].map((order) => operate(service, 'POST', `/results/${id}/assignment`, { serviceId: order.services[0].id })),
    )
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '422'])
    const states = await Promise.all([a, b].map(async ({ id: order }) => (await read(order)).status))
    expect(states.toSorted()).toEqual(['ordered', 'pending'])
  })

  test('a queued report hides the participant from operators who may not read participants', async () => {
    const message = messageAbout({ code: 'ZZZZ-ZZZZ' }, { participant: { firstName: 'Wilma', lastName: 'Privat' } })
    const { body } = await report(service, message)
    const redactError = await operate(service, 'GET', `/results/${body.id}`, undefined, DISCREET_OPERATOR)
    expect([redactError.status, redactError.text.includes('Privat')]).toEqual([200, false])
    expect((await operate(service, 'GET', `/results/${body.id}`)).text).not.toContain('Privat')
    expect((await operate(service, 'GET', `/results/${body.id}?participants=full`)).text).toContain('Privat')
  })

  test('a report from a laboratory of the catalog carries its name in lists, alone, and on the time line of its order', async () => {
    const order = await created(service)
    const sender = { kind: 'lab', id: LAB.id }
    const id = await waiting({ sender })
    const named = { sender: { ...sender, name: LAB.name } }
    expect((await operate(service, 'GET', '/results?state=queued&limit=1')).body.data).toMatchObject([{ id, ...named }])
    expect((await operate(service, 'GET', `/results/${id}`)).body).toMatchObject({ ...named, message: { sender } })
    const assignment = { serviceId: order.services[0].id }
    expect((await operate(service, 'POST', `/results/${id}/assignment`, assignment)).body).toMatchObject(named)
    const { timeline } = await seenByOperator(service, order.code)
    const entry = timeline.find(({ type }) => type === 'result')
    expect(entry).toMatchObject({ summary: expect.stringContaining(LAB.name), details: named })
  })

  test('queued reports are listed newest first, and read with their content', async () => {
    const message = messageAbout({ code: 'ZZZZ-ZZZZ' }, { courier: 'By foot' })
    const { body } = await report(service, message)
    const list = (await operate(service, 'GET', '/results?state=queued&limit=1')).body
    expect(list).toMatchObject({ limit: 1, page: 1, data: [{ id: body.id, state: 'queued', why: 'noMatch' }] })
    expect((await operate(service, 'GET', `/results/${body.id}`)).body).toMatchObject({ message, documents: [] })
  })
})
