import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { startService, type TestService } from '../support/service.ts'
import { operate, seenByOperator, staffed } from '../support/operator.ts'
import { cancelled, created, PERSON, SECRET, TENANT } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(
    staffed({ clinics: [{ id: 'aurora', name: 'Aurora Clinic', services: ['urine'], phone: '630-555-0100' }] }),
  )
})
afterAll(() => service.stop())

const DAY = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()
const read = async (id: string) => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const events = async (id: string) => (await service.call(SECRET, `/api/v2/orders/${id}/events`)).body.total
const lastEntry = async (id: string, action: string) =>
  (await operate(service, 'GET', `/audit?subjectId=${id}&action=${action}`)).body.data[0]

describe('contact of a participant', () => {
  const change = (id: string, body: object) =>
    operate(service, 'PATCH', `/orders/${id}/participant`, { reason: 'She called.', ...body })

  test('an operator changes the e-mail address; notifications follow, and receivers get an event', async () => {
    const order = await created(service, { participant: { ...PERSON, email: 'old@example.com' } })
    const answer = await change(order.code, { email: 'new@example.com' })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        order: { participant: { email: 'new@example.com' } },
        delivery: { type: 'email', to: 'new@example.com' },
      },
    })
    const after = await read(order.id)
    expect(after.participant.email).toBe('new@example.com')
    expect(after.updatedAt > order.updatedAt).toBe(true)
    expect(await events(order.id)).toBe(1)
  })

  test('the audit log keeps the old and the new contact with the reason', async () => {
    const order = await created(service, { participant: { ...PERSON, email: 'old@example.com', phone: '6305550100' } })
    await change(order.id, { phone: '(630) 555-0199' })
    expect(await lastEntry(order.id, 'order.contact')).toMatchObject({
      reason: 'She called.',
      before: { contact: { email: 'old@example.com', phone: '+16305550100' } },
      after: { contact: { email: 'old@example.com', phone: '+16305550199' } },
    })
  })

  test('links that were sent to the old address stop working', async () => {
    const order = await created(service, { participant: PERSON })
    const link = {
      tenantId: TENANT,
      orderId: order.id,
      recipient: 'participant',
      expiresAt: new Date(inDays(1)),
    } as const
    await service.store.links.add(Buffer.from(order.id), link, new Date())
    await change(order.id, { email: 'new@example.com' })
    expect((await lastEntry(order.id, 'order.contact')).after.revokedLinks).toBe(1)
  })

  test('the same contact again changes nothing', async () => {
    const order = await created(service, { participant: PERSON })
    await change(order.id, { email: 'same@example.com' })
    await change(order.id, { email: 'same@example.com' })
    expect(await events(order.id)).toBe(1)
  })

  test('a contact must be given and valid, and a closed order keeps its own', async () => {
    const order = await created(service, { deliveryMethods: [{ type: 'mobile', phone: '6305550100' }] })
    expect(refusalOf(await change(order.id, {}))).toBe('400 required /email')
    expect(refusalOf(await change(order.id, { email: 'nowhere' }))).toBe('400 invalidFormat /email')
    expect(refusalOf(await change(order.id, { phone: 'call me' }))).toBe('400 invalidFormat /phone')
    await cancelled(service, order.id)
    expect(refusalOf(await change(order.id, { phone: '6305550101' }))).toBe('422 invalidState')
  })
})

describe('expiry of an order', () => {
  const extend = (id: string, expiresAt: string) =>
    operate(service, 'PATCH', `/orders/${id}/expiry`, { expiresAt, reason: 'On leave.' })
  const waiting = async (id: string) =>
    (await seenByOperator(service, id)).timeline.filter(
      ({ type, details }) => type === 'message' && details['kind'] === 'reminder' && details['state'] === 'waiting',
    )

  test('an operator extends an order, with new reminders and an entry in the audit log', async () => {
    const order = await created(service, { settings: { schedulingOption: 'link', expiresIn: 5 } })
    const to = inDays(30)
    expect((await extend(order.id, to)).body.order.expiresAt).toBe(to)
    expect(await waiting(order.id)).toHaveLength(4)
    expect(await lastEntry(order.id, 'order.extend')).toMatchObject({
      reason: 'On leave.',
      before: { expiresAt: order.expiresAt },
      after: { expiresAt: to },
    })
    expect(await events(order.id)).toBe(1)
  })

  test('an order is extended by at most 90 days from today, into the future, and not below its appointment', async () => {
    const order = await created(service)
    expect(refusalOf(await extend(order.id, inDays(92)))).toBe('400 tooBig /expiresAt')
    expect(refusalOf(await extend(order.id, inDays(-1)))).toBe('400 tooSmall /expiresAt')
    expect((await extend(order.id, inDays(90))).status).toBe(200)
    const booking = { clinicId: 'aurora', appointmentAt: inDays(10), override: true, reason: 'Agreed.' }
    expect((await operate(service, 'PUT', `/orders/${order.id}/clinic`, booking)).status).toBe(200)
    expect(refusalOf(await extend(order.id, inDays(9)))).toBe('400 invalidValue /expiresAt')
  })

  test('an order is extended by days instead of to a time, but not by both', async () => {
    const order = await created(service)
    const change = (body: object) =>
      operate(service, 'PATCH', `/orders/${order.id}/expiry`, { reason: 'Leave.', ...body })
    const { expiresAt } = (await change({ days: 14 })).body.order
    expect(Math.abs(Date.parse(expiresAt) - Date.parse(inDays(14)))).toBeLessThan(DAY)
    expect(refusalOf(await change({}))).toBe('400 required /expiresAt')
    expect(refusalOf(await change({ days: 14, expiresAt: inDays(14) }))).toBe('400 invalidValue /days')
    expect(refusalOf(await change({ days: 91 }))).toBe('400 tooBig /days')
  })

  test('an order that is closed or checked in cannot be extended', async () => {
    const order = await created(service)
    await cancelled(service, order.id)
    expect(refusalOf(await extend(order.id, inDays(9)))).toBe('422 invalidState')
    const visited = await created(service)
    const moves = `/orders/${visited.id}/services/${visited.services[0].id}/moves`
    expect((await operate(service, 'POST', moves, { status: 'checkedIn' })).status).toBe(200)
    expect(refusalOf(await extend(visited.id, inDays(9)))).toBe('422 invalidState')
  })
})
