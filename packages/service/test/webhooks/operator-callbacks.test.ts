import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { cancelled, SECRET } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { operate, OPERATOR, staffed } from '../support/operator.ts'
import { audited, callbackOf, deliveriesOf, HOOK, integrator, ordered, sender, V1 } from './registering.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const list = async (query: string) => (await operate(service, 'GET', `/callbacks?${query}`)).body

describe('ruling 42: callbacks belong to the order', () => {
  test('a registration records the token that created it', async () => {
    const hr = await integrator(service)
    const order = await ordered(service, hr)
    expect(await callbackOf(service, order.id)).toMatchObject({ registeredBy: hr.id, changedBy: null, changedAt: null })
  })

  test('a registration replaced by another token of the company records that token and is audited', async () => {
    const [first, second, send] = [await integrator(service), await integrator(service), sender(service)]
    const { body: order } = await send(first, HOOK, V1)
    expect((await send(second)).body.id).toBe(order.id)
    const { id, ...callback } = await callbackOf(service, order.id)
    expect(callback).toMatchObject({ version: 'v2', registeredBy: first.id, changedBy: second.id })
    expect(callback['changedAt']).toEqual(expect.any(String))
    expect(await audited(service, 'callback.replace', id)).toMatchObject([
      {
        tokenId: second.id,
        subject: { type: 'callback', id },
        before: { orderId: order.id, version: 'v1', tokenId: first.id, showsParticipant: true },
        after: { orderId: order.id, version: 'v2', tokenId: second.id, showsParticipant: true },
      },
    ])
  })

  test('a v1 create neither changes a callback that has moved to v2 nor writes an audit entry', async () => {
    const [first, second, send] = [await integrator(service), await integrator(service), sender(service)]
    const { body: order } = await send(first)
    expect((await send(second, HOOK, V1)).status).toBe(200)
    const { id, ...callback } = await callbackOf(service, order.id)
    expect(callback).toMatchObject({ version: 'v2', registeredBy: first.id, changedBy: null })
    expect(await audited(service, 'callback.replace', id)).toEqual([])
  })
})

describe('callbacks, for operators', () => {
  test('callbacks are listed by token, order, origin and state, newest first, without the query of their address', async () => {
    const [hr, other] = [await integrator(service), await integrator(service)]
    const origin = `https://${hr.id.replace('_', '-')}.example.com`
    const first = await ordered(service, hr, { url: `${origin}/a?key=hidden` })
    const second = await ordered(service, hr, { url: `${origin}/b`, path: '/api/v2/orders' })
    await ordered(service, other, { url: `${origin}:8443/c` })
    const ids = async (query: string) => (await list(query)).data.map(({ orderId }: { orderId: string }) => orderId)
    expect(await ids(`tokenId=${hr.id}`)).toEqual([second.id, first.id])
    expect(await ids(`origin=${origin.toUpperCase()}/any/path`)).toEqual([second.id, first.id])
    expect(await ids(`orderId=${first.id}&isActive=true`)).toEqual([first.id])
    expect(await ids(`orderId=${first.id}&isActive=false`)).toEqual([])
    const page = await operate(service, 'GET', `/callbacks?tokenId=${hr.id}&limit=1&page=2`)
    expect(page.body).toMatchObject({
      data: [{ object: 'callback', target: `${origin}/a`, origin, version: 'v1', showsParticipant: true }],
      total: 2,
    })
    expect(page.text).not.toContain('hidden')
    const [{ url }] = page.body.data
    expect((await service.call(OPERATOR, url)).body).toEqual(page.body.data[0])
  })

  test.each([
    ['origin=hooks.example.com', '400 invalidFormat /origin'],
    ['isActive=maybe', '400 invalidType /isActive'],
    ['token=hr', '400 unrecognizedKeys /token'],
  ])('callbacks cannot be listed by %s', async (query, refusal) => {
    expect(refusalOf(await operate(service, 'GET', `/callbacks?${query}`))).toBe(refusal)
  })

  test('a callback ends once, with an audit entry', async () => {
    const order = await ordered(service, { secret: SECRET })
    const { id } = await callbackOf(service, order.id)
    const ended = await operate(service, 'DELETE', `/callbacks/${id}`)
    expect(ended.body).toMatchObject({ id, isActive: false, endReason: 'operator', endedAt: expect.any(String) })
    expect((await operate(service, 'DELETE', `/callbacks/${id}`)).body).toEqual(ended.body)
    expect(await audited(service, 'callback.end', id)).toMatchObject([
      { tokenId: 'operator', before: { orderId: order.id, isActive: true }, after: { isActive: false } },
    ])
    await cancelled(service, order.id)
    expect(await deliveriesOf(service, order.id)).toEqual([])
  })

  test('an ended callback is registered again by the next create that names the same address', async () => {
    const [hr, send] = [await integrator(service), sender(service)]
    const { body: order } = await send(hr)
    await operate(service, 'DELETE', `/callbacks/${(await callbackOf(service, order.id)).id}`)
    await send(hr)
    expect(await callbackOf(service, order.id)).toMatchObject({ isActive: true, endReason: null, changedBy: hr.id })
  })

  test('callbacks end in bulk by token, order or origin, one of which is required', async () => {
    const hr = await integrator(service)
    const origin = `https://${hr.id.replace('_', '-')}.example.com`
    for (const path of ['a', 'b', 'c']) await ordered(service, hr, { url: `${origin}/${path}` })
    const kept = await ordered(service, hr, { url: HOOK })
    const end = (asked: object) => operate(service, 'POST', '/callbacks/ends', asked)
    expect(refusalOf(await end({}))).toBe('400 required')
    expect(await end({ tokenId: hr.id, origin })).toMatchObject({ body: { object: 'callbackEnd', ended: 3 } })
    expect(await end({ origin })).toMatchObject({ body: { ended: 0 } })
    expect(await callbackOf(service, kept.id)).toMatchObject({ isActive: true })
    expect((await audited(service, 'callbacks.end', hr.id))[0]).toMatchObject({
      before: { tokenId: hr.id, origin },
      after: { ended: 3 },
    })
  })
})
