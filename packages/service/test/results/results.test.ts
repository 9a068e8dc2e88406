import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { created, PERSON, SECRET } from '../orders/given.ts'
import { untilWaiting } from '../support/locks.ts'
import { startService, type TestService } from '../support/service.ts'
import { applied, LAB, messageAbout, MRO, operate, report, staffed } from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const read = async (id: string): Promise<Order> => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const queued = async (message: unknown) => {
  const { status, body } = await report(service, message)
  return `${status} ${body.state} ${body.why}`
}

const REVIEWED = staffed({
  services: [{ id: 'reviewed', name: 'Reviewed', category: 'drug', type: 'urine', isDot: false, requiresMro: true }],
  packages: [{ id: 'reviewed', name: 'Reviewed', services: ['reviewed'] }],
  offered: ['reviewed'],
})

const FRA = { agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }

describe('a result report', () => {
  test('a report moves the service and the order through all statuses that it implies', async () => {
    const order = await created(service)
    const times = { collectedAt: '2026-03-01T10:00:00Z', receivedAt: '2026-03-01T20:00:00Z' }
    const message = messageAbout(order, { event: 'testing', specimen: { id: 'S-1', ...times } })
    const receipt = await applied(service, message)
    expect(receipt).toMatchObject({ state: 'applied', why: null, orderId: order.id, serviceId: order.services[0].id })
    const changed = await read(order.id)
    expect(changed).toMatchObject({ status: 'pending', services: [{ status: 'testing', specimenId: 'S-1' }] })
    expect(changed.services[0]!.statusHistory.map(({ status }) => status)).toEqual([
      'linkSent',
      'checkedIn',
      'collected',
      'receivedAtLab',
      'testing',
    ])
  })

  test('a repeated report gets the first answer and changes nothing', async () => {
    const order = await created(service)
    const message = messageAbout(order)
    const first = await report(service, message)
    const before = await read(order.id)
    const second = await report(service, message)
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect(await read(order.id)).toEqual(before)
  })

  test('a repeated report gets the first answer even after an operator settled it', async () => {
    const message = messageAbout({ code: 'ZZZZ-ZZZZ' })
    const first = await report(service, message)
    await operate(service, 'POST', `/results/${first.body.id}/dismissal`, { reason: 'Not ours.' })
    const second = await report(service, message)
    expect([second.status, second.text]).toEqual([202, first.text])
  })

  test('a different report with the same id is a conflict', async () => {
    const order = await created(service)
    const message = messageAbout(order)
    await applied(service, message)
    expect(refusalOf(await report(service, { ...message, event: 'testing' }))).toBe('409 conflict /messageId')
    expect((await report(service, message)).status).toBe(200)
  })

  test('ruling 57: the same id is a conflict also from another sender of the token, but not with another token', async () => {
    const order = await created(service)
    const message = messageAbout(order)
    await applied(service, message)
    const other = { ...message, sender: { kind: 'lab', id: 'lab-2' }, event: 'testing' }
    expect(refusalOf(await report(service, other))).toBe('409 conflict /messageId')
    expect(await read(order.id)).toMatchObject({ services: [{ status: 'receivedAtLab' }] })
    expect((await report(service, other, LAB)).status).toBe(200)
    expect(await read(order.id)).toMatchObject({ services: [{ status: 'testing' }] })
  })

  test('a report that is sent fifty times concurrently is applied once', async () => {
    const order = await created(service)
    const message = messageAbout(order)
    const answers = await Promise.all(Array.from({ length: 50 }, () => report(service, message)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    const { total } = (await operate(service, 'GET', `/results?orderId=${order.id}`)).body
    expect(total).toBe(1)
  })

  test('a repeat waits for its original, and other reports are taken meanwhile', async () => {
    const [order, other] = [await created(service), await created(service)]
    const message = messageAbout(order)
    const { repeats } = await service.pool.transaction(async (db) => {
      await db`select from orders where id = ${order.id} for update`
      const sent = [report(service, message)]
      await untilWaiting(service.pool)
      sent.push(report(service, message))
      await sleep(50)
      // There are two batches at a time: the original has one, and its repeat must not have the other.
      await applied(service, messageAbout(other))
      return { repeats: sent }
    })
    const [first, second] = await Promise.all(repeats)
    expect([first!.status, second!.text]).toEqual([200, first!.text])
  })

  test('a report that another process stores at the same time is found by its second attempt', async () => {
    const order = await created(service)
    const stored = messageAbout(order)
    await applied(service, stored)
    const message = messageAbout(order, { event: 'testing' })
    const sent = await service.pool.transaction(async (db) => {
      await db`select from orders where id = ${order.id} for update`
      const answer = report(service, message)
      await untilWaiting(service.pool)
      // Stands for the other process: it stored a report with this id.
      await db`update result_reports set message_id = ${message.messageId} where message_id = ${stored.messageId}`
      return { answer }
    })
    expect(refusalOf(await sent.answer)).toBe('409 conflict /messageId')
    expect((await read(order.id)).services[0]!.status).toBe('receivedAtLab')
  })

  test.each([
    ['order', ['order']],
    ['service', ['service']],
    ['order or its service', ['order', 'service']],
  ])('reports that name the %s are sent to its callback once', async (_, names) => {
    const order = await created(service, { callback: { url: 'https://hooks.example.com/orders' } })
    const matches = names.map((name) =>
      name === 'order' ? { orderCode: order.code } : { serviceId: order.services[0].id },
    )
    const messages = ['receivedAtLab', 'testing', 'receivedAtLab'].map((event, i) =>
      messageAbout(order, { match: matches[i % matches.length], event }),
    )
    await Promise.all(messages.map((message) => report(service, message)))
    const [count] = await service.pool`
      select (select count(*)::int from events where order_id = ${order.id}) as events,
        (select count(*)::int from deliveries where order_id = ${order.id}) as deliveries,
        (select count(distinct event_id)::int from deliveries where order_id = ${order.id}) as of_events`
    expect(count).toEqual({ events: expect.any(Number), deliveries: count!['events'], ofEvents: count!['events'] })
    expect(count!['events']).toBeGreaterThan(0)
  })

  test('a DOT drug result is accepted only from a medical reviewer (49 CFR 40.97)', async () => {
    const order = await created(service, { package: { id: 'dot' }, ...FRA })
    const result = { event: 'result', result: 'negative' }
    for (const kind of ['lab', 'collector', 'clinic'] as const) {
      expect(refusalOf(await report(service, messageAbout(order, { ...result, kind })))).toBe(
        '400 invalidValue /sender/kind',
      )
    }
    await applied(service, messageAbout(order, { event: 'testing' }))
    await applied(service, messageAbout(order, { ...result, kind: 'mro' }))
    expect(await read(order.id)).toMatchObject({ status: 'negative', isFinal: true })
  })

  test('the result of a reviewed test is queued unless it comes from the reviewer', async () => {
    await service.apply(REVIEWED)
    const order = await created(service, { package: { id: 'reviewed' } })
    await applied(service, messageAbout(order, { event: 'testing' }))
    const result = { event: 'result', result: 'positive' }
    expect(await queued(messageAbout(order, result))).toBe('202 queued reviewNeeded')
    expect(await read(order.id)).toMatchObject({ services: [{ status: 'testing' }] })
    await applied(service, messageAbout(order, { event: 'result', result: 'negative', kind: 'mro' }))
    expect(await read(order.id)).toMatchObject({ status: 'negative' })
    const late = await report(service, messageAbout(order, result))
    expect(late.body.why).toBe('correctionNeeded')
    const assignment = { serviceId: order.services[0].id, reason: 'The laboratory says so.' }
    expect(refusalOf(await operate(service, 'POST', `/results/${late.body.id}/assignment`, assignment))).toBe(
      '422 invalidState',
    )
    expect(await read(order.id)).toMatchObject({ status: 'negative' })
  })

  test('the report of a reviewer settles that of the laboratory, even if both arrive together', async () => {
    await service.apply(REVIEWED)
    const make = () => created(service, { package: { id: 'reviewed' } })
    const [order, ...others] = [await make(), await make(), await make()]
    await applied(service, messageAbout(order, { event: 'testing' }))
    const result = { event: 'result', result: 'negative' }
    const { all } = await service.pool.transaction(async (db) => {
      await db`select from orders where id = any(${others.map(({ id }) => id)}) for update`
      // Each of the first two occupies a batch, and the others wait for the next one together.
      const sent = [report(service, messageAbout(others[0]))]
      await untilWaiting(service.pool)
      sent.push(report(service, messageAbout(others[1])))
      await untilWaiting(service.pool, 2)
      for (const kind of ['lab', 'mro'] as const) {
        sent.push(report(service, messageAbout(order, { ...result, kind })))
        await sleep(50)
      }
      return { all: sent }
    })
    const answers = await Promise.all(all)
    expect(answers.map(({ status, body }) => `${status} ${body.why}`)).toEqual([
      '200 null',
      '200 null',
      '202 reviewNeeded',
      '200 null',
    ])
    const { body } = await operate(service, 'GET', `/results/${answers[2]!.body.id}`)
    expect(body).toMatchObject({ state: 'dismissed', why: 'reviewNeeded' })
  })

  test('a report that cannot be written at the moment is refused with 503', async () => {
    const order = await created(service)
    const message = messageAbout(order)
    const { answer } = await service.pool.transaction(async (db) => {
      await db`lock table events in access exclusive mode`
      return { answer: await report(service, message) }
    })
    expect(answer.status).toBe(503)
    await applied(service, message)
  })

  test('a DOT drug result is refused even if the name differs', async () => {
    const order = await created(service, { package: { id: 'dot' }, ...FRA, participant: PERSON })
    const result = { event: 'result', result: 'positive', participant: { firstName: 'Other', lastName: 'Person' } }
    expect(refusalOf(await report(service, messageAbout(order, result)))).toBe('400 invalidValue /sender/kind')
  })

  test('a screen implies that the specimen was collected, so the order no longer expires', async () => {
    const order = await created(service)
    await applied(service, messageAbout(order, { event: 'screened', screen: 'confirmation' }))
    expect(await read(order.id)).toMatchObject({ status: 'pending', services: [{ status: 'testing' }] })
    const health = await created(service, { package: { id: 'several' } })
    const match = { orderCode: health.code, panel: 'audiogram' }
    expect(await queued(messageAbout(health, { match, event: 'screened', screen: 'initial' }))).toBe(
      '202 queued notNext',
    )
  })

  test('a report that a received specimen was lost is queued', async () => {
    const order = await created(service)
    await applied(service, messageAbout(order))
    expect(await queued(messageAbout(order, { kind: 'courier', event: 'lostInTransit' }))).toBe('202 queued notNext')
  })

  test('a report is accepted only from a kind of sender that the token may report as', async () => {
    const order = await created(service, { package: { id: 'dot' }, ...FRA })
    expect((await report(service, messageAbout(order), LAB)).status).toBe(200)
    const asReviewer = messageAbout(order, { kind: 'mro', event: 'mroReview' })
    expect(refusalOf(await report(service, asReviewer, LAB))).toBe('400 invalidValue /sender/kind')
    expect((await report(service, asReviewer, MRO)).status).toBe(200)
    expect(refusalOf(await report(service, asReviewer, SECRET))).toBe('401 insufficientScope')
  })

  test.each<[string, object, string]>([
    ['without references', { match: {} }, 'required /match'],
    ['with only a panel', { match: { panel: 'urine' } }, 'required /match'],
    ['of a result by a courier', { kind: 'courier', event: 'result', result: 'negative' }, 'invalidValue /event'],
    ['of a result without a result', { event: 'result' }, 'required /result'],
    ['of a milestone with a result', { result: 'negative' }, 'invalidValue /result'],
    ['of a screen without its type', { event: 'screened' }, 'required /screen'],
    ['of a dilute positive', { event: 'result', result: 'positive', dilute: true }, 'invalidValue /dilute'],
    ['that corrects a milestone', { corrected: true }, 'invalidValue /corrected'],
    [
      'with a time in the future',
      { occurredAt: new Date(Date.now() + 7 * 86_400_000).toISOString() },
      'tooBig /occurredAt',
    ],
    ['with a time before year 1', { occurredAt: '0001-01-01T00:00:00+14:00' }, 'invalidValue /occurredAt'],
    ['with an invalid time', { occurredAt: 'yesterday' }, 'invalidFormat /occurredAt'],
    ['with an unknown member', { flavour: 1 }, 'unrecognizedKeys /flavour'],
    [
      'with a document of another type',
      { documents: [{ name: 'a', contentType: 'text/html', content: '!' }] },
      'invalidValue /documents/0/contentType, invalidFormat /documents/0/content',
    ],
    [
      'with a document that is not a PDF',
      { documents: [{ name: 'a', contentType: 'application/pdf', content: 'SGVsbG8=' }] },
      'invalidFormat /documents/0/content',
    ],
  ])('a report %s is refused', async (_, members, expected) => {
    const order = await created(service)
    expect(refusalOf(await report(service, messageAbout(order, { ...members })))).toBe(`400 ${expected}`)
  })
})

describe('the references of a report', () => {
  test('a report finds a service by its id, an order by its code in any spelling, a specimen by its id', async () => {
    const order = await created(service)
    await applied(service, { ...messageAbout(order), match: { serviceId: order.services[0].id } })
    const sloppy = { orderCode: order.code.toLowerCase().replace('-', ' ') }
    await applied(service, { ...messageAbout(order, { specimen: { id: 'M-1' } }), match: sloppy, event: 'testing' })
    await applied(service, {
      ...messageAbout(order),
      match: { specimenId: 'M-1' },
      event: 'result',
      result: 'negative',
    })
    expect(await read(order.id)).toMatchObject({ services: [{ status: 'negative', specimenId: 'M-1' }] })
  })

  test('a report finds one of several services by the panel', async () => {
    const order = await created(service, { package: { id: 'several' } })
    expect(await queued(messageAbout(order))).toBe('202 queued severalMatches')
    await applied(service, { ...messageAbout(order), match: { orderCode: order.code, panel: 'hAIR' } })
    expect((await read(order.id)).services.map(({ status }) => status)).toEqual([
      'linkSent',
      'receivedAtLab',
      'linkSent',
    ])
  })

  test('a report whose references match nothing is queued', async () => {
    const order = await created(service)
    expect(await queued(messageAbout({ code: '2222-2222' }))).toBe('202 queued noMatch')
    expect(await queued({ ...messageAbout(order), match: { specimenId: 'never seen' } })).toBe('202 queued noMatch')
    expect(await queued({ ...messageAbout(order), match: { serviceId: 'osv_1' } })).toBe('202 queued noMatch')
    const elsewhere = { orderCode: order.code, panel: 'hair' }
    expect(await queued({ ...messageAbout(order), match: elsewhere })).toBe('202 queued matchesDisagree')
  })

  test('a report whose references disagree is queued', async () => {
    const [a, b] = [await created(service), await created(service)]
    const match = { orderCode: a.code, serviceId: b.services[0].id }
    expect(await queued({ ...messageAbout(a), match })).toBe('202 queued matchesDisagree')
    await applied(service, messageAbout(a, { specimen: { id: 'D-1' } }))
    expect(await queued(messageAbout(a, { event: 'testing', specimen: { id: 'D-2' } }))).toBe(
      '202 queued matchesDisagree',
    )
  })

  test('a name alone finds nothing, and a report with another name is queued', async () => {
    const order = await created(service, { participant: PERSON })
    const about = (participant: object) => queued(messageAbout(order, { participant }))
    expect(await about({ firstName: 'Peter', lastName: 'Smith' })).toBe('202 queued personDiffers')
    expect(await about({ firstName: 'Maria', lastName: 'Lopez', birthDate: '1960-01-01' })).toBe(
      '202 queued personDiffers',
    )
    expect(await about({ firstName: 'MARÍA', lastName: 'López', birthDate: PERSON.birthDate })).toBe('200 applied null')
    const { firstName, lastName, birthDate } = PERSON
    const byName = messageAbout(order, { participant: { firstName, lastName, birthDate }, match: {} })
    expect(refusalOf(await report(service, byName))).toBe('400 required /match')
  })
})
