import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { startService, testKeyring, type TestService } from '../support/service.ts'
import { openCallback, type SealedCallback } from '../../src/store/webhooks/callback-sealing.ts'
import { body, cancelled, created, DISCREET, only, PERSON, post, SECRET, TENANT, world } from '../orders/given.ts'

const V1 = '/api/v1/orders'
const V2 = '/api/v2/orders'
const HOOK = 'https://hooks.example.com/a'
const FULL = {
  url: HOOK,
  headers: { 'X-Tenant': 'acme' },
  auth: { type: 'bearer', token: 'receiver-token', secretKey: 'signing-secret' },
}

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
})
afterAll(() => service.stop())

let people = 0
/** A create that finds what an earlier one with the same person has made. */
function sender() {
  people += 1
  const participant = { ...PERSON, birthDate: new Date(people * 86_400_000_0).toISOString().slice(0, 10) }
  return (callback: object | undefined, path = V2, secret = SECRET) =>
    post(service, body({ participant, callback, orderMatching: { enabled: true, matchScore: 100 } }), { path, secret })
}

/** The callbacks registered for an order, as deliveries will use them. */
async function registered(orderId: string) {
  const rows = await service.pool<(SealedCallback & { version: string; showsParticipant: boolean })[]>`
    select tenant_id, order_id, id, url, secrets, version, shows_participant from callbacks
    where tenant_id = ${TENANT} and order_id = ${orderId} and ended_at is null`
  return rows
    .map(({ version, showsParticipant, ...row }) => ({ version, showsParticipant, ...openCallback(testKeyring, row) }))
    .toSorted((a, b) => (a.url < b.url ? -1 : 1))
}

describe('a callback (Registration and versions)', () => {
  test.each([
    [V1, 'v1'],
    [V2, 'v2'],
  ])('a callback registered through %s gets %s deliveries', async (path, version) => {
    const { body: order } = await sender()(FULL, path)
    const { url, headers, auth } = FULL
    expect(await registered(order.id)).toEqual([{ url, version, headers, auth, showsParticipant: true }])
  })

  test('a v1 callback moves to v2 when a v2 create matches its order and names the same url', async () => {
    const send = sender()
    const { body: order } = await send(FULL, V1)
    expect((await send(FULL)).status).toBe(200)
    expect(await registered(order.id)).toMatchObject([{ url: HOOK, version: 'v2', headers: FULL.headers }])
  })

  test('a callback that moves to v2 loses the auth and headers that the request omits', async () => {
    const send = sender()
    const { body: order } = await send(FULL, V1)
    await send({ url: HOOK })
    expect(await registered(order.id)).toEqual([{ url: HOOK, version: 'v2', showsParticipant: true }])
  })

  test('a callback with another url is a second registration, and the first stays v1', async () => {
    const send = sender()
    const { body: order } = await send(FULL, V1)
    await send({ url: `${HOOK}?v=2` })
    expect(await registered(order.id)).toMatchObject([
      { url: HOOK, version: 'v1', auth: FULL.auth },
      { url: `${HOOK}?v=2`, version: 'v2' },
    ])
  })

  test('a callback whose url has another spelling is the same registration', async () => {
    const send = sender()
    const { body: order } = await send(FULL, V1)
    await send({ url: `${HOOK.replace('https://hooks', 'HTTPS://Hooks').replace('.com', '.com:443')}#top` })
    expect(await registered(order.id)).toEqual([{ url: HOOK, version: 'v2', showsParticipant: true }])
  })

  test('a v1 create renews a v1 callback and does not move a v2 callback back', async () => {
    const send = sender()
    const { body: order } = await send(FULL, V1)
    await send({ url: HOOK, headers: { 'X-New': '1' } }, V1)
    expect(await registered(order.id)).toEqual([
      { url: HOOK, version: 'v1', headers: { 'X-New': '1' }, showsParticipant: true },
    ])
    await send(FULL)
    await send({ url: HOOK }, V1)
    expect(await registered(order.id)).toMatchObject([{ url: HOOK, version: 'v2', auth: FULL.auth }])
  })

  test('a v1 create registers a v2 callback that has ended as v1', async () => {
    const send = sender()
    const { body: order } = await send(FULL)
    const { body: callbacks } = await service.call(SECRET, `/api/v2/orders/${order.id}/callbacks`)
    await service.call(SECRET, { method: 'DELETE', path: callbacks.data[0].url })
    expect(await registered(order.id)).toEqual([])
    expect((await send({ url: HOOK }, V1)).status).toBe(200)
    expect(await registered(order.id)).toEqual([{ url: HOOK, version: 'v1', showsParticipant: true }])
  })

  test('a matched create without a callback leaves the registered one unchanged', async () => {
    const send = sender()
    const { body: order } = await send(FULL, V1)
    expect((await send(undefined)).status).toBe(200)
    expect(await registered(order.id)).toMatchObject([{ version: 'v1', auth: FULL.auth }])
  })

  test('a callback url may have up to 2,048 characters of any kind', async () => {
    const url = (length: number) =>
      `${HOOK}?${Array.from({ length }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('')}`.slice(0, length)
    const send = sender()
    const { body: order } = await send({ url: url(2048) })
    expect((await send({ url: url(2048) })).status).toBe(200)
    expect(await registered(order.id)).toMatchObject([{ url: new URL(url(2048)).href }])
    expect(refusalOf(await send({ url: url(2049) }))).toBe('400 tooBig /callback/url')
  })

  test('a callback registered ten times concurrently is one registration', async () => {
    const send = sender()
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(FULL)))
    expect(await registered(answers.at(0)!.body.id)).toHaveLength(1)
  })
})

describe('the body sent for a cancellation', () => {
  const delivered = async (orderId: string) => {
    const rows = await service.pool<{ id: string; version: string; body: Buffer; eventId: string }[]>`
      select id, version, body, event_id from deliveries where tenant_id = ${TENANT} and order_id = ${orderId}`
    return rows.map(({ id, body: sealed, ...row }) => ({
      ...row,
      sent: JSON.parse(testKeyring.open(sealed, `delivery ${TENANT} ${id}`)) as Record<string, unknown>,
    }))
  }

  test('a v2 body is an event that names the order and not its status (Event body)', async () => {
    const order = await created(service, { callback: FULL })
    const { body: after } = await cancelled(service, order.id)
    const delivery = only(await delivered(order.id))
    expect(delivery.sent).toEqual({
      object: 'event',
      id: delivery.eventId,
      type: 'order.updated',
      createdAt: after.updatedAt,
      data: { object: 'order', id: order.id, code: order.code, url: order.url },
    })
  })

  test('a v1 body is the order, with the participant if the token may read it', async () => {
    const send = sender()
    const { body: order } = await send(FULL, V1)
    await send({ url: `${HOOK}/redactError` }, V1, DISCREET)
    const { participant, ...rest } = (await cancelled(service, order.id)).body
    const sent = (await delivered(order.id)).map((delivery) => delivery.sent)
    expect(sent).toHaveLength(2)
    expect(sent).toContainEqual({ ...rest, participant })
    expect(sent).toContainEqual(rest)
  })
})
