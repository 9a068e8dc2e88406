import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { cancelled, created, DISCREET, SECRET, world } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
})
afterAll(() => service.stop())

const read = async (secret: string, id: string) => (await service.call(secret, `/api/v2/orders/${id}`)).body

test('an order that was read before is read with its latest change', async () => {
  const { id } = await created(service)
  expect((await read(SECRET, id)).status).toBe('ordered')
  await cancelled(service, id)
  expect((await read(SECRET, id)).status).toBe('cancelled')
  const { body } = await service.call(SECRET, '/api/v2/orders?limit=1')
  expect(body.data).toEqual([await read(SECRET, id)])
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
