import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { body, cancelled, created, only, PERSON, post, SECRET, TENANT } from '../orders/given.ts'
import { startService, testKeyring, token, type TestService } from '../support/service.ts'
import { operate, OPERATOR, staffed } from './given.ts'

const V1 = '/api/v1/orders'
const HOOK = 'https://hooks.example.com/orders'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

/** A token of the company Acme with every scope, issued for a test. */
async function integrator(): Promise<{ id: string; secret: string }> {
  const request = { name: 'Integrator', scopes: [...SCOPES], companies: ['acme'] }
  return (await operate(service, 'POST', '/tokens', request)).body
}

interface Ordered {
  url?: string
  path?: string
}

/** An order with a callback that this token registers. */
const ordered = ({ secret }: { secret: string }, { url = HOOK, path = V1 }: Ordered = {}) =>
  created(service, { participant: PERSON, callback: { url } }, { secret, path })

let people = 0
/** Creates for the same person, so that the second finds the order of the first. */
function sender() {
  people += 1
  const participant = { ...PERSON, birthDate: new Date(people * 86_400_000).toISOString().slice(0, 10) }
  const orderMatching = { enabled: true, matchScore: 100 }
  return ({ secret }: { secret: string }, url = HOOK, path = '/api/v2/orders') =>
    post(service, body({ participant, callback: { url }, orderMatching }), { path, secret })
}

const revoke = (id: string, query = '') => operate(service, 'DELETE', `/tokens/${id}${query}`)
const list = async (query: string) => (await operate(service, 'GET', `/callbacks?${query}`)).body
const callbackOf = async (orderId: string) => only((await list(`orderId=${orderId}`)).data as Record<string, unknown>[])
const audited = async (action: string, subjectId: string) =>
  (await operate(service, 'GET', `/audit?action=${action}&subjectId=${subjectId}`)).body.data

/** What is, or was, to be delivered of an order, the last event first. */
async function deliveriesOf(orderId: string) {
  const rows = await service.pool<{ id: string; state: string; reason: string | null; sealed: Buffer }[]>`
    select id, state, reason, body as sealed from deliveries
    where tenant_id = ${TENANT} and order_id = ${orderId} order by id desc`
  return rows.map(({ id, sealed, ...row }) => ({
    ...row,
    sent: JSON.parse(testKeyring.open(sealed, `delivery ${TENANT} ${id}`)) as Record<string, unknown>,
  }))
}

describe('ruling 42: callbacks belong to the order', () => {
  test('a registration records the token that made it', async () => {
    const hr = await integrator()
    const order = await ordered(hr)
    expect(await callbackOf(order.id)).toMatchObject({ registeredBy: hr.id, changedBy: null, changedAt: null })
  })

  test('another token of the company replaces it, which is recorded and in the audit log', async () => {
    const [first, second, send] = [await integrator(), await integrator(), sender()]
    const { body: order } = await send(first, HOOK, V1)
    expect((await send(second)).body.id).toBe(order.id)
    const { id, ...callback } = await callbackOf(order.id)
    expect(callback).toMatchObject({ version: 'v2', registeredBy: first.id, changedBy: second.id })
    expect(callback['changedAt']).toEqual(expect.any(String))
    expect(await audited('callback.replace', id as string)).toMatchObject([
      {
        tokenId: second.id,
        subject: { type: 'callback', id },
        before: { orderId: order.id, version: 'v1', tokenId: first.id, showsParticipant: true },
        after: { orderId: order.id, version: 'v2', tokenId: second.id, showsParticipant: true },
      },
    ])
  })

  test('v1 changes nothing of a callback that has moved to v2, and the audit log stays silent', async () => {
    const [first, second, send] = [await integrator(), await integrator(), sender()]
    const { body: order } = await send(first)
    expect((await send(second, HOOK, V1)).status).toBe(200)
    const { id, ...callback } = await callbackOf(order.id)
    expect(callback).toMatchObject({ version: 'v2', registeredBy: first.id, changedBy: null })
    expect(await audited('callback.replace', id as string)).toEqual([])
  })
})

describe('ruling 42: revoking a token that has live callbacks', () => {
  test('needs an answer: without one it is 400 required at /callbacks, and nothing is revoked', async () => {
    const hr = await integrator()
    await ordered(hr)
    const answer = await revoke(hr.id)
    expect(refusalOf(answer)).toBe('400 required /callbacks')
    expect(answer.body.errors[0].detail).toContain('This token has 1 live callback.')
    expect((await operate(service, 'GET', `/tokens/${hr.id}`)).body).toMatchObject({ state: 'active', revokedAt: null })
    expect((await service.call(hr.secret, '/api/v2/companies')).status).toBe(200)
    expect(await audited('token.revoke', hr.id)).toEqual([])
  })

  test('takes keep and end for an answer, and nothing else', async () => {
    const { id } = await integrator()
    expect(refusalOf(await revoke(id, '?callbacks=drop'))).toBe('400 invalidValue /callbacks')
    expect(refusalOf(await revoke(id, '?callback=end'))).toBe('400 unrecognizedKeys /callback')
    expect(refusalOf(await revoke('nobody', '?callbacks=end'))).toBe('404 notFound')
  })

  test('keep lets v1 deliveries go on with the participant that the token could read', async () => {
    const hr = await integrator()
    const order = await ordered(hr)
    expect(await revoke(hr.id, '?callbacks=keep')).toMatchObject({ status: 200, body: { state: 'revoked' } })
    expect(await audited('token.revoke', hr.id)).toMatchObject([{ after: { callbacks: 'keep', endedCallbacks: 0 } }])
    await cancelled(service, order.id)
    expect(await deliveriesOf(order.id)).toMatchObject([
      { state: 'waiting', sent: { status: 'cancelled', participant: { identifiers: [{ value: '536-22-8841' }] } } },
    ])
  })

  test('end ends its callbacks: what waits fails with the reason, and later changes are not sent', async () => {
    const [hr, other] = [await integrator(), await integrator()]
    const [order, second] = [await ordered(hr), await ordered(hr, { url: `${HOOK}/paused` })]
    const others = await ordered(other)
    for (const { id } of [order, second, others]) await checkIn(id)
    await service.pool`update deliveries set state = 'held' where order_id = ${second.id}`
    expect((await revoke(hr.id, '?callbacks=end')).status).toBe(200)
    expect(await audited('token.revoke', hr.id)).toMatchObject([{ after: { callbacks: 'end', endedCallbacks: 2 } }])
    for (const { id } of [order, second]) {
      expect(await callbackOf(id)).toMatchObject({ isActive: false, endReason: 'tokenRevoked' })
      await cancelled(service, id)
      expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed', reason: 'registrationEnded' }])
    }
    const [failed] = (await operate(service, 'GET', `/deliveries?order=${order.id}`)).body.data
    expect(failed).toMatchObject({ lastError: 'registrationEnded', endedAt: expect.any(String), attempts: 0 })
    expect(refusalOf(await operate(service, 'POST', `/deliveries/${failed.id}/replay`))).toBe('422 invalidState')
    await cancelled(service, others.id)
    expect(await deliveriesOf(others.id)).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }])
  })

  test('end leaves an attempt that is under way to its worker', async () => {
    const hr = await integrator()
    const order = await ordered(hr)
    await cancelled(service, order.id)
    const [claim] = await service.store.deliveries.claim('00000000-0000-4000-8000-000000000000', 100)
    await service.pool`update deliveries set claimed_until = null, claim_id = null where order_id <> ${order.id}`
    expect(claim).toBeDefined()
    await revoke(hr.id, '?callbacks=end')
    expect(await deliveriesOf(order.id)).toMatchObject([{ state: 'waiting', reason: null }])
    await service.pool`update deliveries set claimed_until = now() where order_id = ${order.id}`
    const again = await service.store.deliveries.claim('00000000-0000-4000-8000-000000000001', 100)
    expect(again.find(({ orderId }) => orderId === order.id)).toMatchObject({ isEnded: true })
    await service.pool`update deliveries set claimed_until = null, claim_id = null`
  })

  test('end also ends what a create that was under way registers, and of a token that was revoked before', async () => {
    const hr = await integrator()
    const [order, late] = [await ordered(hr), await ordered({ secret: SECRET }, { url: `${HOOK}/own` })]
    await revoke(hr.id, '?callbacks=keep')
    expect(await callbackOf(order.id)).toMatchObject({ isActive: true })
    expect((await revoke(hr.id)).status).toBe(200)
    expect(await revoke(hr.id, '?callbacks=end')).toMatchObject({ status: 200, body: { state: 'revoked' } })
    expect(await callbackOf(order.id)).toMatchObject({ isActive: false })
    expect(await audited('token.endCallbacks', hr.id)).toMatchObject([{ after: { endedCallbacks: 1 } }])
    await service.store.outbox.register(TENANT, {
      id: `cbk_late_${hr.id}`,
      orderId: late.id,
      version: 'v1',
      callback: { url: HOOK },
      tokenId: hr.id,
      showsParticipant: true,
      at: new Date(),
    })
    expect(await list(`tokenId=${hr.id}&isActive=true`)).toMatchObject({ total: 0 })
    expect((await list(`orderId=${late.id}&isActive=false`)).data).toMatchObject([
      { isActive: false, endReason: 'tokenRevoked' },
    ])
    await cancelled(service, late.id)
    expect(await deliveriesOf(late.id)).toHaveLength(1)
  })

  test('a callback belongs to the token that changed it last: the first token is revoked without asking', async () => {
    const [first, second, send] = [await integrator(), await integrator(), sender()]
    const { body: order } = await send(first, HOOK, V1)
    await send(second, HOOK, V1)
    expect((await revoke(first.id)).status).toBe(200)
    expect(await callbackOf(order.id)).toMatchObject({ isActive: true })
    expect(refusalOf(await revoke(second.id))).toBe('400 required /callbacks')
  })

  test('a token is revoked without asking where its orders are closed and nothing waits to be delivered', async () => {
    const hr = await integrator()
    const order = await ordered(hr)
    await cancelled(service, order.id)
    expect(refusalOf(await revoke(hr.id))).toBe('400 required /callbacks')
    await service.pool`update deliveries set state = 'delivered', ended_at = now() where order_id = ${order.id}`
    expect((await revoke(hr.id)).status).toBe(200)
  })

  test('a token is revoked without asking where its callbacks have ended, or it has none', async () => {
    const [hr, other] = [await integrator(), await integrator()]
    const order = await ordered(hr)
    await operate(service, 'DELETE', `/callbacks/${String((await callbackOf(order.id))['id'])}`)
    expect((await revoke(hr.id)).status).toBe(200)
    await created(service, {}, other)
    expect((await revoke(other.id)).status).toBe(200)
  })

  test('an order with an outcome is still live: it can be corrected', async () => {
    const hr = await integrator()
    const order = await ordered(hr)
    await service.pool`update orders set status = 'negative' where id = ${order.id}`
    expect(await deliveriesOf(order.id)).toEqual([])
    expect(refusalOf(await revoke(hr.id))).toBe('400 required /callbacks')
  })
})

describe('ruling 42: the right to see the participant', () => {
  const HR = 'hr-secret-of-the-catalog'
  const named = (members: object = {}) => staffed({ tokens: [token(HR, { id: 'hr', ...members })] })
  const withoutScope = SCOPES.filter((scope) => scope !== 'order.participant.read')

  test('stands when the token expires, or leaves its catalog file', async () => {
    await service.apply(named())
    const order = await ordered({ secret: HR })
    await service.apply(named({ expiresAt: '2020-01-01T00:00:00Z' }))
    await checkIn(order.id)
    await service.apply(staffed())
    await cancelled(service, order.id)
    expect(await callbackOf(order.id)).toMatchObject({ isActive: true, showsParticipant: true })
    const deliveries = await deliveriesOf(order.id)
    expect(deliveries.map(({ sent }) => 'participant' in sent)).toEqual([true, true])
  })

  test('is withdrawn when the token loses the scope: later events carry no participant, earlier ones keep their bytes', async () => {
    await service.apply(named())
    const order = await ordered({ secret: HR })
    await checkIn(order.id)
    const file = (await operate(service, 'GET', '/catalog')).body
    for (const each of file.tokens) if (each.id === 'hr') each.scopes = withoutScope
    expect((await operate(service, 'PUT', '/catalog', file)).status).toBe(200)
    await cancelled(service, order.id)
    expect(await callbackOf(order.id)).toMatchObject({ isActive: true, showsParticipant: false })
    const deliveries = await deliveriesOf(order.id)
    expect(deliveries.map(({ sent }) => 'participant' in sent)).toEqual([false, true])
  })

  test('stays withdrawn when the token gets the scope back, until the callback is registered again', async () => {
    const send = sender()
    await service.apply(named())
    const { body: order } = await send({ secret: HR }, HOOK, V1)
    await service.apply(named({ scopes: withoutScope }))
    await service.apply(named())
    expect(await callbackOf(order.id)).toMatchObject({ showsParticipant: false })
    await eventually(async () => (await send({ secret: HR }, HOOK, V1)).body.participant?.identifiers !== undefined)
    expect(await callbackOf(order.id)).toMatchObject({ showsParticipant: true })
  })

  test('is not had by a callback that a create with the old scopes registers too late', async () => {
    await service.apply(named())
    const order = await ordered({ secret: SECRET }, { url: `${HOOK}/own` })
    await service.apply(named({ scopes: withoutScope }))
    await service.store.outbox.register(TENANT, {
      id: 'cbk_too_late',
      orderId: order.id,
      version: 'v1',
      callback: { url: HOOK },
      tokenId: 'hr',
      showsParticipant: true,
      at: new Date(),
    })
    await cancelled(service, order.id)
    const shown = (await deliveriesOf(order.id)).map(({ sent }) => 'participant' in sent)
    expect(shown.toSorted()).toEqual([false, true])
  })
})

describe('callbacks as operators see them', () => {
  test('are listed by token, order, origin and state, newest first, without the query of their address', async () => {
    const [hr, other] = [await integrator(), await integrator()]
    const origin = `https://${hr.id.replace('_', '-')}.example.com`
    const first = await ordered(hr, { url: `${origin}/a?key=hidden` })
    const second = await ordered(hr, { url: `${origin}/b`, path: '/api/v2/orders' })
    await ordered(other, { url: `${origin}:8443/c` })
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
  ])('are not listed by %s', async (query, refusal) => {
    expect(refusalOf(await operate(service, 'GET', `/callbacks?${query}`))).toBe(refusal)
  })

  test('are ended one by one, once, which is in the audit log', async () => {
    const order = await ordered({ secret: SECRET })
    const { id } = await callbackOf(order.id)
    const ended = await operate(service, 'DELETE', `/callbacks/${String(id)}`)
    expect(ended.body).toMatchObject({ id, isActive: false, endReason: 'operator', endedAt: expect.any(String) })
    expect((await operate(service, 'DELETE', `/callbacks/${String(id)}`)).body).toEqual(ended.body)
    expect(await audited('callback.end', id as string)).toMatchObject([
      { tokenId: 'operator', before: { orderId: order.id, isActive: true }, after: { isActive: false } },
    ])
    await cancelled(service, order.id)
    expect(await deliveriesOf(order.id)).toEqual([])
  })

  test('are registered anew by the next create that names the same address', async () => {
    const [hr, send] = [await integrator(), sender()]
    const { body: order } = await send(hr)
    await operate(service, 'DELETE', `/callbacks/${String((await callbackOf(order.id))['id'])}`)
    await send(hr)
    expect(await callbackOf(order.id)).toMatchObject({ isActive: true, endReason: null, changedBy: hr.id })
  })

  test('are ended all at once by token, order or origin, one of which has to be named', async () => {
    const hr = await integrator()
    const origin = `https://${hr.id.replace('_', '-')}.example.com`
    for (const path of ['a', 'b', 'c']) await ordered(hr, { url: `${origin}/${path}` })
    const kept = await ordered(hr, { url: HOOK })
    const end = (asked: object) => operate(service, 'POST', '/callbacks/ends', asked)
    expect(refusalOf(await end({}))).toBe('400 required')
    expect(await end({ tokenId: hr.id, origin })).toMatchObject({ body: { object: 'callbackEnd', ended: 3 } })
    expect(await end({ origin })).toMatchObject({ body: { ended: 0 } })
    expect(await callbackOf(kept.id)).toMatchObject({ isActive: true })
    expect((await audited('callbacks.end', hr.id))[0]).toMatchObject({
      before: { tokenId: hr.id, origin },
      after: { ended: 3 },
    })
  })
})

/** A change that is told to callbacks. */
async function checkIn(orderId: string): Promise<void> {
  const [{ id }] = (await operate(service, 'GET', `/orders/${orderId}`)).body.services
  const answer = await operate(service, 'POST', `/orders/${orderId}/services/${id}/moves`, { status: 'checkedIn' })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
}

async function eventually(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50)
}
