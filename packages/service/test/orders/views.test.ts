import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../src/domain/access/caller.ts'
import { composeView } from '../../src/domain/orders/view.ts'
import { startService, type TestService } from '../support/service.ts'
import { cancelled, created, DISCREET, SECRET, TENANT, world } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
})
afterAll(() => service.stop())

const CALLER = { tenantId: TENANT, companyIds: ['acme'] } as Caller

const read = async (secret: string, id: string) => (await service.call(secret, `/api/v2/orders/${id}`)).body

test('an order that was read before is read with its latest change', async () => {
  const { id } = await created(service)
  expect((await read(SECRET, id)).status).toBe('ordered')
  await cancelled(service, id)
  expect((await read(SECRET, id)).status).toBe('cancelled')
  const { body } = await service.call(SECRET, '/api/v2/orders?limit=1')
  expect(body.data).toEqual([await read(SECRET, id)])
})

test('orders that were just written are read and listed without fetching them', async () => {
  const { id } = await created(service)
  await service.call(SECRET, '/api/v2/orders?limit=1')
  await cancelled(service, id)
  const fetched: string[] = []
  service.hear(({ text }) => {
    if (/select[^;]*sealed_answer, head/.test(text)) fetched.push(text)
  })
  const { body } = await service.call(SECRET, '/api/v2/orders?limit=1')
  service.hear(undefined)
  expect(body.data).toMatchObject([{ id, status: 'cancelled' }])
  expect(fetched).toEqual([])
})

test('an order is read as it is stored, after a change that was not', async () => {
  const { id } = await created(service)
  const failing = service.store.transaction(async (tx) => {
    const order = (await tx.orders.lockVisible(CALLER, id))!
    const changed = { ...order, externalId: 'never stored' }
    await tx.orders.update([{ tenantId: TENANT, order: changed, view: composeView(changed), blockingKeys: [] }])
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await read(SECRET, id)).toMatchObject({ id, externalId: null })
})

test('readers see the participant only with its scope, no matter who has read the order before', async () => {
  const { id } = await created(service)
  const participant = expect.objectContaining({ firstName: expect.any(String) })
  for (let i = 0; i < 2; i++) {
    expect((await read(SECRET, id)).participant).toEqual(participant)
    expect((await read(DISCREET, id)).participant).toBeUndefined()
    const { body } = await service.call(DISCREET, '/api/v2/orders?limit=1')
    expect(body.data[0].participant).toBeUndefined()
  }
})

test('a list by status has no orders of another status, even while they change', async () => {
  let left = 6
  const write = async () => {
    for (let i = 0; i < 15; i++) await cancelled(service, (await created(service)).id)
    left -= 1
  }
  const writers = Promise.all(Array.from({ length: left }, write))
  const seen = new Set<string>()
  const list = async (): Promise<void> => {
    const { body } = await service.call(SECRET, '/api/v2/orders?status=ordered&limit=20')
    for (const { status } of body.data) seen.add(status)
    if (left > 0) await list()
  }
  await list()
  await writers
  expect([...seen]).toEqual(['ordered'])
})
