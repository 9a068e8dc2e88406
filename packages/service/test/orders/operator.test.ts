import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '@order-testing/contract'
import { OperatorOrder } from '@order-testing/contract/operator'
import { refusalOf } from '../http/answers.ts'
import { created, GLOBEX, PERSON, post, SECRET, body } from './given.ts'
import { startService, type TestService } from '../support/service.ts'
import {
  applied,
  DISCREET_OPERATOR,
  messageAbout,
  operate,
  OPERATOR,
  seenByOperator,
  staffed,
  tested,
} from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(
    staffed({
      clinics: [
        { id: 'aurora', name: 'Aurora Clinic', services: ['urine'], phone: '630-555-0100' },
        { id: 'ears', name: 'Ear Clinic', services: ['audiogram'] },
        { id: 'closed', name: 'Closed Clinic', services: ['urine'], isActive: false },
      ],
    }),
  )
})
afterAll(() => service.stop())

const read = async (id: string): Promise<Order> => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const events = async (id: string): Promise<number> =>
  (await service.call(SECRET, `/api/v2/orders/${id}/events`)).body.total
const auditOf = async (id: string) => (await operate(service, 'GET', `/audit?subjectId=${id}`)).body.data
const moves = (order: Order) => `/orders/${order.id}/services/${order.services[0]!.id}/moves`
const corrections = (order: Order) => `/orders/${order.id}/services/${order.services[0]!.id}/corrections`

describe('an order as operators see it', () => {
  test('an operator reads every detail of an order, by id and by code in any spelling', async () => {
    const order = await created(service, { participant: PERSON })
    const seen = await seenByOperator(service, order.id)
    expect(OperatorOrder.parse(seen)).toEqual(seen)
    expect(seen).toMatchObject({ source: 'api', order, services: [{ id: order.services[0].id, serviceId: 'urine' }] })
    expect(await seenByOperator(service, order.code.toLowerCase())).toMatchObject({ order: { id: order.id } })
    expect(seen.services[0]!.nextStatuses).toEqual(
      expect.arrayContaining(['scheduled', 'checkedIn', 'cancelled', 'expired']),
    )
  })

  test('the timeline explains the score of a match', async () => {
    const sent = body({ participant: PERSON, orderMatching: { enabled: true }, testReason: 'sweep' })
    const first = await post(service, sent)
    expect((await post(service, sent)).status).toBe(200)
    const { timeline } = await seenByOperator(service, first.body.id)
    const match = timeline.find(({ type }) => type === 'match')
    expect(match?.details).toMatchObject({ score: 100, profile: 'standard' })
    expect(match?.details['parts']).toContainEqual(
      expect.objectContaining({ field: 'last', weight: 20, kind: 'equal' }),
    )
  })

  test('the timeline says who read the participant, and whether anybody receives an event', async () => {
    const order = await created(service, { participant: PERSON })
    await seenByOperator(service, order.id)
    const { timeline } = (await operate(service, 'GET', `/orders/${order.id}?participants=masked`)).body
    const found = (kind: string) => timeline.filter(({ type }: { type: string }) => type === kind)
    expect(found('action')).toMatchObject([{ details: { actor: 'Token "operator"', action: 'order.read' } }])
    for (const event of found('event')) expect(event.details).toMatchObject({ receivers: 0 })
  })

  test('clinics are looked for around the participant, for those who may see them, and never exactly there', async () => {
    const address = { line1: '1 Main St', city: 'Denver', state: 'CO', postalCode: '80202', country: 'US' }
    const order = await created(service, { participant: { ...PERSON, address } })
    const { near } = await seenByOperator(service, order.id)
    expect(near!.lat).toBeCloseTo(39.75, 5)
    expect(near!.long).toBeCloseTo(-105, 5)
    const discreet = await operate(service, 'GET', `/orders/${order.id}`, undefined, DISCREET_OPERATOR)
    expect(discreet.body.near).not.toEqual(near)
  })

  test('operators list orders of all companies of the tenant, with the filters of the public list', async () => {
    const order = await created(service, { location: { id: 'globex-hq' } }, { secret: GLOBEX })
    expect((await operate(service, 'GET', `/orders?companyId=globex`)).body).toMatchObject({
      total: 1,
      data: [{ id: order.id }],
    })
    expect(refusalOf(await operate(service, 'GET', '/orders?limit=21'))).toBe('400 tooBig /limit')
    expect((await operate(service, 'GET', '/orders?code=none')).body).toMatchObject({ total: 0, data: [] })
  })

  test('the participant is shown only with order.participant.read, and each such read is in the audit log', async () => {
    const order = await created(service, { participant: PERSON })
    const redactError = await operate(service, 'GET', `/orders/${order.id}`, undefined, DISCREET_OPERATOR)
    expect(redactError.body.order).not.toHaveProperty('participant')
    expect(redactError.text).not.toContain(PERSON.identifiers[0]!.value)
    expect(await auditOf(order.id)).toEqual([])
    await seenByOperator(service, order.id)
    expect(await auditOf(order.id)).toMatchObject([{ action: 'order.read', tokenId: 'operator', before: null }])
    const list = await operate(service, 'GET', '/orders', undefined, DISCREET_OPERATOR)
    expect(list.text).not.toContain('"participant"')
    await operate(service, 'GET', '/orders')
    expect(await auditOf(order.id)).toHaveLength(2)
  })

  test('an operator without order.participant.read sees no contact details of the participant', async () => {
    const deliveryMethods = [{ type: 'email', to: 'maria.private@example.com', cc: ['her.friend@example.com'] }]
    const order = await created(service, { participant: PERSON, deliveryMethods })
    const redactError = await operate(service, 'GET', `/orders/${order.id}`, undefined, DISCREET_OPERATOR)
    expect(redactError.body.delivery).toEqual({ type: 'email' })
    const known = ['maria.private@', 'her.friend@', PERSON.email, '6305550142', '555-0142', PERSON.birthDate, 'Ogden']
    expect(known.filter((detail) => redactError.text.includes(detail))).toEqual([])
    const { delivery } = await seenByOperator(service, order.id)
    expect(delivery).toEqual({ type: 'email', to: 'maria.private@example.com', cc: ['her.friend@example.com'] })
    const texted = await created(service, { deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0177' }] })
    const seen = await operate(service, 'GET', `/orders/${texted.id}`, undefined, DISCREET_OPERATOR)
    expect([seen.body.delivery, seen.text.includes('5550177')]).toEqual([{ type: 'mobile' }, false])
  })

  test('operators of other tenants do not find the order', async () => {
    expect(refusalOf(await operate(service, 'GET', '/orders/ord_none'))).toBe('404 notFound')
    expect(refusalOf(await operate(service, 'GET', '/orders/2222-2222'))).toBe('404 notFound')
    expect(refusalOf(await service.call(SECRET, '/api/operator/v1/orders'))).toBe('401 insufficientScope')
    expect(refusalOf(await service.call(OPERATOR, '/api/v2/orders'))).toBe('401 insufficientScope')
  })
})

describe('moving a service', () => {
  test('a move says which status the order will have', async () => {
    const order = await created(service, { participant: PERSON })
    const [before] = (await seenByOperator(service, order.id)).services
    expect(Object.keys(before!.orderStatusAfter)).toEqual(before!.nextStatuses)
    const { body: moved } = await operate(service, 'POST', moves(order), { status: 'checkedIn' })
    expect(moved.order.status).toBe(before!.orderStatusAfter['checkedIn'])
  })

  test('a move follows the table of transitions, and the audit log has the state before and after', async () => {
    const order = await created(service)
    const move = { status: 'checkedIn', specimenId: 'OP-1', reason: 'Told by telephone.' }
    const moved = await operate(service, 'POST', moves(order), move)
    expect(moved).toMatchObject({
      status: 200,
      body: { order: { status: 'pending' }, services: [{ status: 'checkedIn' }] },
    })
    expect(await read(order.id)).toMatchObject({ services: [{ status: 'checkedIn', specimenId: 'OP-1' }] })
    expect(await events(order.id)).toBe(1)
    expect(await auditOf(order.id)).toMatchObject([
      {
        action: 'service.move',
        reason: 'Told by telephone.',
        before: { status: 'ordered', services: [{ status: 'linkSent', specimenId: null }] },
        after: { status: 'pending', services: [{ status: 'checkedIn', specimenId: 'OP-1' }] },
      },
    ])
  })

  test('a move against the table is refused and changes nothing', async () => {
    const order = await created(service)
    const before = await read(order.id)
    expect(refusalOf(await operate(service, 'POST', moves(order), { status: 'negative' }))).toBe('422 invalidState')
    expect(refusalOf(await operate(service, 'POST', moves(order), { status: 'lunch' }))).toBe(
      '400 invalidValue /status',
    )
    const nowhere = `/orders/${order.id}/services/osv_none/moves`
    expect(refusalOf(await operate(service, 'POST', nowhere, { status: 'checkedIn' }))).toBe('404 notFound')
    expect(await read(order.id)).toEqual(before)
    expect(await events(order.id)).toBe(0)
    expect(await auditOf(order.id)).toEqual([])
  })
})

describe('correcting a service', () => {
  test('a correction replaces a result and requires a reason', async () => {
    const order = await created(service)
    await applied(service, messageAbout(order, tested('positive')))
    expect(refusalOf(await operate(service, 'POST', corrections(order), { status: 'negative' }))).toBe(
      '400 required /reason',
    )
    const correction = { status: 'negative', reason: 'Reported for another person.' }
    expect((await operate(service, 'POST', corrections(order), correction)).body.order.status).toBe('negative')
    const unfit = { status: 'fitForDuty', reason: 'x' }
    expect(refusalOf(await operate(service, 'POST', corrections(order), unfit))).toBe('422 invalidState')
  })

  test('an order is found by its corrected specimen', async () => {
    const order = await created(service)
    await applied(service, messageAbout(order, { specimen: { id: 'WRONG-1' } }))
    await operate(service, 'POST', corrections(order), { specimenId: 'RIGHT-1', reason: 'Misread label.' })
    const found = async (id: string) => (await service.call(SECRET, `/api/v2/orders?specimenId=${id}`)).body.total
    expect([await found('WRONG-1'), await found('RIGHT-1')]).toEqual([0, 1])
  })
})

describe('the clinic of an order', () => {
  test('an operator assigns, books, changes and removes the clinic', async () => {
    const order = await created(service)
    const put = (sent: object) => operate(service, 'PUT', `/orders/${order.id}/clinic`, sent)
    expect((await put({ clinicId: 'aurora' })).body).toMatchObject({
      order: { status: 'scheduled', clinic: { id: 'aurora' } },
      isBooked: true,
      appointmentAt: null,
    })
    const booked = await put({ clinicId: 'aurora', appointmentAt: '2030-01-02T15:00:00Z' })
    expect(booked.body).toMatchObject({ order: { status: 'scheduled' }, appointmentAt: '2030-01-02T15:00:00.000Z' })
    const cleared = await operate(service, 'DELETE', `/orders/${order.id}/clinic`)
    expect(cleared.body).toMatchObject({ order: { clinic: null }, isBooked: false, appointmentAt: null })
    expect(await read(order.id)).toMatchObject({ status: 'ordered', services: [{ status: 'linkSent' }] })
    expect(await events(order.id)).toBe(3)
    expect((await auditOf(order.id)).map(({ action }: { action: string }) => action)).toEqual(
      Array(3).fill('order.clinic'),
    )
  })

  test('a clinic is not booked for a past time', async () => {
    const order = await created(service)
    const past = { clinicId: 'aurora', appointmentAt: '2020-01-02T15:00:00Z' }
    expect(refusalOf(await operate(service, 'PUT', `/orders/${order.id}/clinic`, past))).toBe(
      '400 invalidValue /appointmentAt',
    )
  })

  test('a clinic that is inactive or unknown is refused', async () => {
    const order = await created(service)
    for (const clinicId of ['closed', 'nowhere', 'ears']) {
      expect(refusalOf(await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId }))).toBe(
        '400 invalidValue /clinicId',
      )
    }
  })
})

describe('cancelling an order', () => {
  test('repeated cancellations are in the audit log once', async () => {
    const order = await created(service)
    const cancel = () => operate(service, 'PUT', `/orders/${order.code}/cancellation`, { reason: 'Placed twice.' })
    expect((await cancel()).body).toMatchObject({ order: { status: 'cancelled' }, cancelReason: 'Placed twice.' })
    expect((await cancel()).status).toBe(200)
    expect(await auditOf(order.id)).toMatchObject([
      { action: 'order.read' },
      { action: 'order.cancel', reason: 'Placed twice.' },
    ])
    expect(await events(order.id)).toBe(1)
    await operate(service, 'DELETE', `/orders/${order.id}/clinic`)
    expect((await auditOf(order.id)).filter(({ action }: { action: string }) => action === 'order.read')).toHaveLength(
      2,
    )
  })
})

describe('the audit log', () => {
  test('the audit log cannot be changed, even in the database', async () => {
    await seenByOperator(service, (await created(service)).id)
    const parts = await service.pool.values`
      select inhrelid::regclass::text from pg_inherits where inhparent = 'audit_entries'::regclass`
    expect(parts.length).toBeGreaterThan(2)
    for (const table of ['audit_entries', ...parts]) {
      for (const statement of [
        `update ${table} set action = $$nothing$$`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        await expect(service.pool.script(statement)).rejects.toThrow(/never changed or removed/)
      }
    }
  })

  test('the audit log is paged and filtered', async () => {
    const order = await created(service)
    await seenByOperator(service, order.id)
    const page = (await operate(service, 'GET', `/audit?subjectId=${order.id}&tokenId=operator&limit=1`)).body
    expect(page).toMatchObject({ total: 1, limit: 1, page: 1, data: [{ action: 'order.read' }] })
    expect((await operate(service, 'GET', `/audit?subjectId=${order.id}&to=2020-01-01T00:00:00Z`)).body.total).toBe(0)
    expect(refusalOf(await operate(service, 'GET', '/audit?from=0000-01-01T00:00:00Z'))).toBe('400 invalidValue /from')
    expect(refusalOf(await operate(service, 'GET', '/audit?until=now'))).toBe('400 unrecognizedKeys /until')
  })
})
