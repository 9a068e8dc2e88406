import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { cancelled, created, SECRET, TENANT } from '../orders/given.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { operate, staffed } from '../support/operator.ts'
import { audited, callbackOf, checkIn, deliveriesOf, HOOK, integrator, ordered, sender, V1 } from './registering.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const revoke = (id: string, query = '') => operate(service, 'DELETE', `/tokens/${id}${query}`)

/** A registration that a create with this token writes after everything else has happened. */
const registerLate = (tokenId: string, orderId: string) =>
  service.store.outbox.register(TENANT, {
    id: `cbk_late_${tokenId}`,
    orderId,
    version: 'v1',
    callback: { url: HOOK },
    tokenId,
    showsParticipant: true,
    at: new Date(),
  })

describe('ruling 42: revoking a token that has live callbacks', () => {
  test('revoking without choosing keep or end is 400 required at /callbacks, and revokes nothing', async () => {
    const hr = await integrator(service)
    await ordered(service, hr)
    const answer = await revoke(hr.id)
    expect(refusalOf(answer)).toBe('400 required /callbacks')
    expect(answer.body.errors[0].detail).toContain('This token has 1 live callback.')
    expect((await operate(service, 'GET', `/tokens/${hr.id}`)).body).toMatchObject({ state: 'active', revokedAt: null })
    expect((await service.call(hr.secret, '/api/v2/companies')).status).toBe(200)
    expect(await audited(service, 'token.revoke', hr.id)).toEqual([])
  })

  test('revoking accepts only keep and end', async () => {
    const { id } = await integrator(service)
    expect(refusalOf(await revoke(id, '?callbacks=drop'))).toBe('400 invalidValue /callbacks')
    expect(refusalOf(await revoke(id, '?callback=end'))).toBe('400 unrecognizedKeys /callback')
    expect(refusalOf(await revoke('nobody', '?callbacks=end'))).toBe('404 notFound')
  })

  test('with keep, v1 deliveries continue with the participant that the token could read', async () => {
    const hr = await integrator(service)
    const order = await ordered(service, hr)
    expect(await revoke(hr.id, '?callbacks=keep')).toMatchObject({ status: 200, body: { state: 'revoked' } })
    expect(await audited(service, 'token.revoke', hr.id)).toMatchObject([
      { after: { callbacks: 'keep', endedCallbacks: 0 } },
    ])
    await cancelled(service, order.id)
    expect(await deliveriesOf(service, order.id)).toMatchObject([
      { state: 'waiting', sent: { status: 'cancelled', participant: { identifiers: [{ value: '536-22-8841' }] } } },
    ])
  })

  test('with end, waiting deliveries fail with registrationEnded and later changes are not sent', async () => {
    const [hr, other] = [await integrator(service), await integrator(service)]
    const [order, second] = [await ordered(service, hr), await ordered(service, hr, { url: `${HOOK}/paused` })]
    const others = await ordered(service, other)
    for (const { id } of [order, second, others]) await checkIn(service, id)
    await service.pool`update deliveries set state = 'held' where order_id = ${second.id}`
    expect((await revoke(hr.id, '?callbacks=end')).status).toBe(200)
    expect(await audited(service, 'token.revoke', hr.id)).toMatchObject([
      { after: { callbacks: 'end', endedCallbacks: 2 } },
    ])
    for (const { id } of [order, second]) {
      expect(await callbackOf(service, id)).toMatchObject({ isActive: false, endReason: 'tokenRevoked' })
      await cancelled(service, id)
      expect(await deliveriesOf(service, id)).toMatchObject([{ state: 'failed', reason: 'registrationEnded' }])
    }
    const [failed] = (await operate(service, 'GET', `/deliveries?order=${order.id}`)).body.data
    expect(failed).toMatchObject({ lastError: 'registrationEnded', endedAt: expect.any(String), attempts: 0 })
    expect(refusalOf(await operate(service, 'POST', `/deliveries/${failed.id}/replay`))).toBe('422 invalidState')
    await cancelled(service, others.id)
    expect(await deliveriesOf(service, others.id)).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }])
  })

  test('with end, an attempt in flight is not interrupted', async () => {
    const hr = await integrator(service)
    const order = await ordered(service, hr)
    await cancelled(service, order.id)
    const [claim] = await service.store.deliveries.claim('00000000-0000-4000-8000-000000000000', 100)
    await service.pool`update deliveries set claimed_until = null, claim_id = null where order_id <> ${order.id}`
    expect(claim).toBeDefined()
    await revoke(hr.id, '?callbacks=end')
    expect(await deliveriesOf(service, order.id)).toMatchObject([{ state: 'waiting', reason: null }])
    await service.pool`update deliveries set claimed_until = now() where order_id = ${order.id}`
    const again = await service.store.deliveries.claim('00000000-0000-4000-8000-000000000001', 100)
    expect(again.find(({ orderId }) => orderId === order.id)).toMatchObject({ isEnded: true })
    await service.pool`update deliveries set claimed_until = null, claim_id = null`
  })

  test('with end, callbacks registered by a create in progress end too, also for a token revoked before', async () => {
    const hr = await integrator(service)
    const [order, late] = [
      await ordered(service, hr),
      await ordered(service, { secret: SECRET }, { url: `${HOOK}/own` }),
    ]
    await revoke(hr.id, '?callbacks=keep')
    expect(await callbackOf(service, order.id)).toMatchObject({ isActive: true })
    expect((await revoke(hr.id)).status).toBe(200)
    expect(await revoke(hr.id, '?callbacks=end')).toMatchObject({ status: 200, body: { state: 'revoked' } })
    expect(await callbackOf(service, order.id)).toMatchObject({ isActive: false })
    expect(await audited(service, 'token.endCallbacks', hr.id)).toMatchObject([{ after: { endedCallbacks: 1 } }])
    await registerLate(hr.id, late.id)
    expect((await operate(service, 'GET', `/callbacks?tokenId=${hr.id}&isActive=true`)).body.total).toBe(0)
    const { data } = (await operate(service, 'GET', `/callbacks?orderId=${late.id}&isActive=false`)).body
    expect(data).toMatchObject([{ isActive: false, endReason: 'tokenRevoked' }])
    await cancelled(service, late.id)
    expect(await deliveriesOf(service, late.id)).toHaveLength(1)
  })

  test('a callback belongs to the token that last changed it, so the first token is revoked without a choice', async () => {
    const [first, second, send] = [await integrator(service), await integrator(service), sender(service)]
    const { body: order } = await send(first, HOOK, V1)
    await send(second, HOOK, V1)
    expect((await revoke(first.id)).status).toBe(200)
    expect(await callbackOf(service, order.id)).toMatchObject({ isActive: true })
    expect(refusalOf(await revoke(second.id))).toBe('400 required /callbacks')
  })

  test('a token whose orders are closed and delivered is revoked without a choice', async () => {
    const hr = await integrator(service)
    const order = await ordered(service, hr)
    await cancelled(service, order.id)
    expect(refusalOf(await revoke(hr.id))).toBe('400 required /callbacks')
    await service.pool`update deliveries set state = 'delivered', ended_at = now() where order_id = ${order.id}`
    expect((await revoke(hr.id)).status).toBe(200)
  })

  test('a token without active callbacks is revoked without a choice', async () => {
    const [hr, other] = [await integrator(service), await integrator(service)]
    const order = await ordered(service, hr)
    await operate(service, 'DELETE', `/callbacks/${(await callbackOf(service, order.id)).id}`)
    expect((await revoke(hr.id)).status).toBe(200)
    await created(service, {}, other)
    expect((await revoke(other.id)).status).toBe(200)
  })

  test('an order with an outcome keeps its callback live, because it can be corrected', async () => {
    const hr = await integrator(service)
    const order = await ordered(service, hr)
    await service.pool`update orders set status = 'negative' where id = ${order.id}`
    expect(await deliveriesOf(service, order.id)).toEqual([])
    expect(refusalOf(await revoke(hr.id))).toBe('400 required /callbacks')
  })
})

describe('ruling 42: the participant in v1 deliveries', () => {
  const HR = 'hr-secret-of-the-catalog'
  const named = (members: object = {}) => staffed({ tokens: [token(HR, { id: 'hr', ...members })] })
  const withoutScope = SCOPES.filter((scope) => scope !== 'order.participant.read')

  test('the participant is still sent after the token expires or leaves its catalog file', async () => {
    await service.apply(named())
    const order = await ordered(service, { secret: HR })
    await service.apply(named({ expiresAt: '2020-01-01T00:00:00Z' }))
    await checkIn(service, order.id)
    await service.apply(staffed())
    await cancelled(service, order.id)
    expect(await callbackOf(service, order.id)).toMatchObject({ isActive: true, showsParticipant: true })
    const deliveries = await deliveriesOf(service, order.id)
    expect(deliveries.map(({ sent }) => 'participant' in sent)).toEqual([true, true])
  })

  test('later events omit the participant once the token loses the scope, and earlier ones keep their bytes', async () => {
    await service.apply(named())
    const order = await ordered(service, { secret: HR })
    await checkIn(service, order.id)
    const file = (await operate(service, 'GET', '/catalog')).body
    for (const each of file.tokens) if (each.id === 'hr') each.scopes = withoutScope
    expect((await operate(service, 'PUT', '/catalog', file)).status).toBe(200)
    await cancelled(service, order.id)
    expect(await callbackOf(service, order.id)).toMatchObject({ isActive: true, showsParticipant: false })
    const deliveries = await deliveriesOf(service, order.id)
    expect(deliveries.map(({ sent }) => 'participant' in sent)).toEqual([false, true])
  })

  test('the participant stays omitted when the token gets the scope back, until the callback is registered again', async () => {
    const send = sender(service)
    await service.apply(named())
    const { body: order } = await send({ secret: HR }, HOOK, V1)
    await service.apply(named({ scopes: withoutScope }))
    await service.apply(named())
    expect(await callbackOf(service, order.id)).toMatchObject({ showsParticipant: false })
    const isShown = async () => (await send({ secret: HR }, HOOK, V1)).body.participant.identifiers !== undefined
    while (!(await isShown())) await sleep(50)
    expect(await callbackOf(service, order.id)).toMatchObject({ showsParticipant: true })
  })

  test('a callback registered by a create in progress when the scope is removed omits the participant', async () => {
    await service.apply(named())
    const order = await ordered(service, { secret: SECRET }, { url: `${HOOK}/own` })
    await service.apply(named({ scopes: withoutScope }))
    await registerLate('hr', order.id)
    await cancelled(service, order.id)
    const shown = (await deliveriesOf(service, order.id)).map(({ sent }) => 'participant' in sent)
    expect(new Set(shown)).toEqual(new Set([false, true]))
  })
})
