import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Order } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { controlId, oru, post } from '../intake/given.ts'
import { created, SECRET } from '../orders/given.ts'
import { messageAbout, operate, report, staffed } from '../support/operator.ts'
import { startService, token, type TestService } from '../support/service.ts'

const LINE = 'intake-secret-of-a-laboratory-line'
const SENDERS = [
  { id: 'HEARTLAND', role: 'lab', labs: ['heartland', 'annex'] },
  { id: 'NOBODY', role: 'lab', labs: [] },
]
const SECOND = { id: 'second', name: 'Second', category: 'drug', type: 'urine', isDot: false }
const world = (codes: object[] = []) => ({
  ...staffed({
    services: [{ ...SECOND, lab: { id: 'heartland', name: 'H' } }],
    packages: [{ id: 'two-panels', name: 'Two panels', services: ['urine', 'second'] }],
    offered: ['two-panels'],
    tokens: [{ ...token(LINE, { id: 'line', scopes: ['intake.lab'], companies: [] }), senders: SENDERS }],
  }),
  laboratoryCodes: codes,
})

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
})
afterAll(() => service.stop())

const place = () => created(service, { package: { id: 'two-panels' } }) as Promise<Order>
const statuses = async ({ id }: Order) =>
  ((await service.call(SECRET, `/api/v2/orders/${id}`)).body as Order).services.map(({ status }) => status)

interface Sent {
  order: Order
  code: string
  secret?: string
  sender?: string
}

/** Sends a report with a laboratory's code; answers how it was taken and its id. */
async function send({ order, code, secret = LINE, sender = 'HEARTLAND' }: Sent) {
  const id = controlId()
  const message = oru({ id, code: order.code, panel: code, status: 'P', lines: [] })
  const { msa } = await post(service, message.replace('|HEARTLAND|', `|${sender}|`), { secret })
  const { data } = (await operate(service, 'GET', '/results?limit=1')).body
  expect(data[0].messageId).toBe(id)
  return { told: msa[3], resultId: data[0].id as string }
}

const assign = (id: string, { services }: Order, members: object = { rememberCode: true }) =>
  operate(service, 'POST', `/results/${id}/assignment`, { serviceId: services[1]!.id, ...members })
const codes = async (query = '') => (await operate(service, 'GET', `/laboratoryCodes${query}`)).body.data as object[]
const unknownCode = async (id: string) => (await operate(service, 'GET', `/results/${id}`)).body.unknownCode as unknown

test('a code that is remembered with an assignment matches the next report by itself, until it is forgotten', async () => {
  const [first, second, third] = [await place(), await place(), await place()]
  const { told, resultId } = await send({ order: first, code: 'U9X^Ten panel^L' })
  expect(told).toBe('queued: matchesDisagree')
  expect(await unknownCode(resultId)).toBe('U9X')
  expect((await assign(resultId, first)).status).toBe(200)
  const learned = { lab: 'heartland', code: 'U9X', service: { id: 'second', name: 'Second' }, origin: 'learned' }
  expect(await codes('?lab=heartland&origin=learned')).toMatchObject([learned])

  expect((await send({ order: second, code: 'U9X' })).told).toBe('applied')
  expect(await statuses(second)).toEqual(['linkSent', 'testing'])

  expect((await operate(service, 'DELETE', '/laboratoryCodes/heartland/U9X')).body).toMatchObject(learned)
  expect((await send({ order: third, code: 'U9X' })).told).toBe('queued: matchesDisagree')
  expect(refusalOf(await operate(service, 'DELETE', '/laboratoryCodes/heartland/U9X'))).toBe('404 notFound')
  const { data } = (await operate(service, 'GET', '/audit?limit=20')).body
  expect(data).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ action: 'laboratoryCode.forget', before: { code: 'U9X', serviceId: 'second' } }),
      expect.objectContaining({
        action: 'laboratoryCode.learn',
        subject: { type: 'laboratoryCode', id: 'heartland', name: null },
        after: { code: 'U9X', serviceId: 'second', resultId },
      }),
    ]) as object,
  )
})

test('an operator sets and changes what a laboratory means by a code, except what a catalog file defines', async () => {
  const [first, second] = [await place(), await place()]
  const set = (code: string, serviceId: string) =>
    operate(service, 'PUT', `/laboratoryCodes/heartland/${code}`, { serviceId })
  const known = { lab: 'heartland', code: 'SET-1', service: { id: 'urine', name: 'Urine' }, origin: 'learned' }
  expect((await set('SET-1', 'urine')).body).toMatchObject(known)
  expect((await send({ order: first, code: 'SET-1' })).told).toBe('applied')
  expect(await statuses(first)).toEqual(['testing', 'linkSent'])
  expect((await set('SET-1', 'second')).body).toMatchObject({ service: { id: 'second' } })
  expect((await set('SET-1', 'second')).status).toBe(200)
  expect((await send({ order: second, code: 'SET-1' })).told).toBe('applied')
  expect(await statuses(second)).toEqual(['linkSent', 'testing'])
  const { data } = (await operate(service, 'GET', '/audit?action=laboratoryCode.learn&limit=20')).body
  const changes = data.filter(({ after }: { after: { code: string } }) => after.code === 'SET-1')
  expect(changes).toMatchObject([
    { before: { code: 'SET-1', serviceId: 'urine' }, after: { code: 'SET-1', serviceId: 'second' } },
    { before: null, after: { code: 'SET-1', serviceId: 'urine' } },
  ])
  expect(refusalOf(await set('SET-1', 'unheard-of'))).toBe('400 invalidValue /serviceId')
  await operate(service, 'DELETE', '/laboratoryCodes/heartland/SET-1')
  await service.apply(world([{ lab: 'heartland', code: 'SET-2', service: 'urine' }]))
  expect(refusalOf(await set('SET-2', 'second'))).toBe('422 invalidState')
  await service.apply(world())
})

test('an assignment without the wish to remember learns nothing', async () => {
  const order = await place()
  const { resultId } = await send({ order, code: 'ONCE' })
  expect((await assign(resultId, order, {})).status).toBe(200)
  expect(await codes('?origin=learned')).toEqual([])
  expect(await unknownCode(resultId)).toBeNull()
})

test('the code of a sender without listed laboratories is remembered for the sender alone', async () => {
  const [first, second, third] = [await place(), await place(), await place()]
  const ours = { code: 'OWN/1', secret: 'intake-secret-laboratory', sender: 'Prairie Lab' }
  const { resultId } = await send({ order: first, ...ours })
  await assign(resultId, first)
  expect(await codes('?lab=Prairie%20Lab')).toMatchObject([{ code: 'OWN/1' }])
  expect((await send({ order: second, ...ours, sender: 'PRAIRIE LAB' })).told).toBe('applied')
  expect((await send({ order: third, ...ours, sender: 'Other Lab' })).told).toBe('queued: matchesDisagree')
  const [{ url }] = (await codes('?lab=Prairie%20Lab')) as [{ url: string }]
  expect((await operate(service, 'DELETE', url.replace('/api/operator/v1', ''))).status).toBe(200)
})

test('a code that is known, missing, or not a laboratory’s cannot be remembered, and nothing is assigned', async () => {
  const order = await place()
  const inJson = (await report(service, messageAbout(order, { match: { orderCode: 'ZZZZ-ZZZZ', panel: 'U9X' } }))).body
    .id
  const known = (await send({ order: { ...order, code: 'ZZZZ-ZZZZ' }, code: 'second' })).resultId
  const missing = (await send({ order, code: '' })).resultId
  const ofNobody = (await send({ order, code: 'U9X', sender: 'NOBODY' })).resultId
  for (const id of [inJson, known, missing, ofNobody]) {
    expect(await unknownCode(id)).toBeNull()
    expect(refusalOf(await assign(id, order))).toBe('422 invalidState /rememberCode')
    expect((await operate(service, 'GET', `/results/${id}`)).body.state).toBe('queued')
  }
})

test('a catalog file neither lists nor removes learned codes, and takes over those that it defines', async () => {
  const order = await place()
  const { resultId } = await send({ order, code: 'D5U' })
  await assign(resultId, order)
  const exported = (await operate(service, 'GET', '/catalog')).body
  expect(exported.laboratoryCodes).toBeUndefined()
  await service.apply(world())
  expect(await codes('?origin=learned')).toMatchObject([{ code: 'D5U', service: { id: 'second' } }])
  await service.apply(world([{ lab: 'heartland', code: 'D5U', service: 'urine' }]))
  expect(await codes()).toMatchObject([{ code: 'D5U', service: { id: 'urine' }, origin: 'catalog' }])
  expect(refusalOf(await operate(service, 'DELETE', '/laboratoryCodes/heartland/D5U'))).toBe('422 invalidState')
})
