import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { body, cancelled, created, DISCREET, GLOBEX, PERSON, post, SECRET, world } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
})
afterAll(() => service.stop())

const read = async (path: string, secret = SECRET) => (await service.call(secret, path)).body
const find = async (externalId: string, more = '', secret = SECRET) =>
  read(`/api/v2/orders?externalId=${encodeURIComponent(externalId)}${more}`, secret)

describe('ruling 45: externalId', () => {
  test('an external id is echoed by create, read and list, and is null when absent', async () => {
    const order = await created(service, { externalId: 'case 1/ä"' })
    expect(order.externalId).toBe('case 1/ä"')
    expect((await read(`/api/v2/orders/${order.id}`)).externalId).toBe('case 1/ä"')
    expect((await read(`/api/v2/orders/${order.id}`, DISCREET)).externalId).toBe('case 1/ä"')
    const other = await created(service)
    expect((await read(`/api/v2/orders/${other.id}`)).externalId).toBeNull()
  })

  test('the list is filtered by the exact id, which need not be unique', async () => {
    const first = await created(service, { externalId: 'Twice' })
    const second = await created(service, { externalId: 'Twice' })
    await created(service, { externalId: 'twice' })
    const found = await find('Twice')
    expect(found).toMatchObject({ total: 2, data: [{ id: second.id }, { id: first.id }] })
    expect(await find('Twice', '&status=cancelled')).toMatchObject({ total: 0, data: [] })
    expect(await find('Twice', '', GLOBEX)).toMatchObject({ total: 0, data: [] })
    expect(await find('Twic')).toMatchObject({ total: 0 })
  })

  test.each(['', 'x'.repeat(256), 7, null])('%j is no external id', async (externalId) => {
    const answer = await post(service, body({ externalId }))
    expect([answer.status, answer.body.errors[0].source.pointer]).toEqual([400, '/externalId'])
  })

  test('events carry it if the order has one', async () => {
    const [named, unnamed] = [await created(service, { externalId: 'E-1' }), await created(service)]
    for (const { id } of [named, unnamed]) await cancelled(service, id)
    const dataOf = async (id: string) => (await read(`/api/v2/orders/${id}/events`)).data[0].data
    expect((await dataOf(named.id)).externalId).toBe('E-1')
    expect(await dataOf(unnamed.id)).not.toHaveProperty('externalId')
  })

  test('ruling 41: a match keeps the id of the order on file', async () => {
    const members = { participant: { ...PERSON, lastName: 'Kept' }, orderMatching: { enabled: true } }
    const order = await created(service, { ...members, externalId: 'first' })
    const matched = await post(service, body({ ...members, externalId: 'second' }))
    expect([matched.status, matched.body.id, matched.body.externalId]).toEqual([200, order.id, 'first'])
    expect(await find('second')).toMatchObject({ total: 0 })
  })

  test('the id is nowhere in plain text in the database', async () => {
    const { id } = await created(service, { externalId: 'employee-secret-4711' })
    await cancelled(service, id)
    const rows = await service.pool<{ text: string }[]>`
      select o::text as text from orders o where id = ${id}
      union all select c::text from order_changes c union all select e::text from events e union all select d::text from deliveries d`
    expect(rows.filter(({ text }) => text.includes('employee-secret-4711'))).toEqual([])
  })
})
