import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { smtpTransport } from '../../src/notify/transports.ts'
import { created, TENANT, world } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { mailServer } from './mail-server.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
})
afterAll(() => service.stop())

const open: { close(): unknown }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  await service.pool`delete from notifications`
})

/** Sends what is due through a mail server of this behavior, and returns what was logged. */
async function sendAll(behavior: Parameters<typeof mailServer>[0]): Promise<object[]> {
  const logged: object[] = []
  const server = await mailServer(behavior)
  const transport = smtpTransport(server.url, 'orders.example')
  open.push(transport, server)
  const dispatcher = new NotificationDispatcher({
    store: service.store,
    channel: 'email',
    transport,
    publicUrl: 'https://orders.example',
    random: randomBytes,
    log: { warn: (facts, message) => void logged.push({ ...facts, message }) },
  })
  while (await dispatcher.round());
  return logged
}

test('a refused notification is logged, without the address that it went to', async () => {
  await created(service)
  const logged = await sendAll({ refusing: 550 })
  expect(logged).toMatchObject([{ tenantId: TENANT, channel: 'email', message: 'Notification refused' }])
  expect(JSON.stringify(logged)).toMatch(/No mailbox/)
  expect(JSON.stringify(logged)).not.toMatch(/@example\.com/)
})

test('a mail server that takes nothing is logged once for many notifications', async () => {
  for (let i = 0; i < 3; i++) await created(service)
  const logged = await sendAll({ refusingSender: 550 })
  expect(logged).toMatchObject([{ channel: 'email', message: 'Notification not accepted; trying again later' }])
})
