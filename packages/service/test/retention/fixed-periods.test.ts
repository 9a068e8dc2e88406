import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../src/domain/access/caller.ts'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import { staffed } from '../support/operator.ts'
import { TENANT } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { applied, closedOrder, NOW } from './given.ts'

let service: TestService
beforeEach(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterEach(() => service.stop())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const CALLER: Caller = {
  tenantId: TENANT,
  tokenId: 'hr',
  scopes: new Set(),
  companyIds: [],
  rateLimit: null,
  catalogVersion: '1',
  senders: null,
}

test('a link is deleted 30 days after it expired', async () => {
  const expiredFor = async (age: number) => {
    const hash = randomBytes(32)
    const expiresAt = new Date(Date.now() - age)
    const link = { tenantId: TENANT, orderId: 'ord_1', recipient: 'participant' as const, expiresAt }
    await service.store.links.add(hash, link, new Date(Date.now() - 400 * DAY))
    return hash
  }
  const [valid, young, old] = [
    await expiredFor(-DAY),
    await expiredFor(30 * DAY - MINUTE),
    await expiredFor(30 * DAY + MINUTE),
  ]
  await runHousekeeping(service.store, new Date())
  expect(await service.store.links.find(valid)).toBeDefined()
  expect(await service.store.links.find(young)).toBeDefined()
  expect(await service.store.links.find(old)).toBeUndefined()
})

test('a notification in the mailbox of a sandbox is deleted after 30 days', async () => {
  const content = { channel: 'email' as const, to: 'maria@example.com', text: 'a letter' }
  const put = (id: string, age: number) =>
    service.store.mailbox.put({ id, notificationId: 'msg_1', at: new Date(Date.now() - age), content })
  await put('mbx_new', 0)
  await put('mbx_young', 30 * DAY - MINUTE)
  await put('mbx_old', 30 * DAY + MINUTE)
  await runHousekeeping(service.store, new Date())
  const { rows } = await service.store.mailbox.page({ limit: 10 })
  expect(rows.map(({ id }) => id)).toEqual(['mbx_young', 'mbx_new'])
})

test('ruling 9: the response for an Idempotency-Key is deleted after 24 hours', async () => {
  const now = new Date()
  const keep = (key: string, age: number) =>
    service.store.idempotency.save({
      caller: CALLER,
      key,
      requestHash: 'aa',
      status: 201,
      text: '{}',
      at: new Date(now.getTime() - age),
    })
  await keep('new', 0)
  await keep('young', 24 * HOUR - 1)
  await keep('old', 24 * HOUR)
  await keep('older', 40 * DAY)
  await runHousekeeping(service.store, now)
  const kept = await service.pool<{ key: string }[]>`select key from idempotency_keys order by created_at desc`
  expect(kept.map(({ key }) => key)).toEqual(['new', 'young'])
  // An old response is not replayed even before it is deleted.
  const later = new Date(now.getTime() + 1)
  expect(await service.store.idempotency.find(CALLER, 'young', now)).toMatchObject({ status: 201 })
  expect(await service.store.idempotency.find(CALLER, 'young', later)).toBeUndefined()
})

test('a notification is deleted after the period of the policy, with its attempts and its text in the mailbox', async () => {
  const [young, old, waiting] = [
    await closedOrder(service, 89),
    await closedOrder(service, 91),
    await closedOrder(service, 500),
  ]
  // A notification that has not ended stays.
  await service.pool`update notifications set state = 'waiting', ended_at = null where order_id = ${waiting.id}`
  expect(await applied(service, { notifications: '90 days' }, { isDryRun: true })).toEqual({ notifications: '1 due' })
  expect(await applied(service, { notifications: '90 days' }, { now: NOW })).toEqual({ notifications: '1 due' })
  const left = await service.pool<{ orderId: string }[]>`select order_id from notifications order by order_id`
  expect(left.map(({ orderId }) => orderId)).toEqual([young.id, waiting.id].toSorted())
  const belongings = await service.pool`
    select from notifications m join notification_attempts a on a.notification_id = m.id join mailbox b on b.notification_id = m.id`
  expect(belongings).toHaveLength(2)
  expect(await service.pool`select from notification_attempts`).toHaveLength(2)
  expect(await service.pool`select from mailbox`).toHaveLength(2)
  expect(await service.store.orders.find(TENANT, old.id)).toBeDefined()
})
