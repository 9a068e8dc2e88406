import { randomBytes } from 'node:crypto'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NotificationMetrics } from '../../src/notify/metrics.ts'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { smtpTransport } from '../../src/notify/transports.ts'
import { connect } from '../../src/store/db/pool.ts'
import { createStore } from '../../src/store/store.ts'
import { staffed } from '../support/operator.ts'
import { created } from '../orders/given.ts'
import { startService, testKeyring, type TestService } from '../support/service.ts'
import { mailServer } from './mail-server.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
beforeEach(() => service.pool`delete from notifications`)
afterAll(() => service.stop())

/** The metrics of notifications. */
async function figures(registry: Registry): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('ots_message'))
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1])]))
}

function watched(store = service.store): Registry {
  const registry = new Registry()
  new NotificationMetrics(registry).watch(store)
  return registry
}

const text = { deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0142' }] }
const expiring = { settings: { schedulingOption: 'link', expiresIn: 5 } }

describe('metrics of notifications', () => {
  test('metrics show what waits and for how long it has been due, by channel', async () => {
    const registry = watched()
    expect(await figures(registry)).toMatchObject({
      'ots_messages_waiting{channel="email"}': 0,
      'ots_messages_due{channel="email"}': 0,
      'ots_message_queue_age_seconds{channel="email"}': 0,
      'ots_messages_waiting{channel="mobile"}': 0,
    })
    const late = await created(service, text)
    await created(service, text)
    await created(service, expiring)
    await service.pool`update notifications set due_at = now() - interval '10 minutes' where order_id = ${late.id}`
    const current = await figures(registry)
    expect(current).toMatchObject({
      'ots_messages_waiting{channel="email"}': 3,
      'ots_messages_due{channel="email"}': 1,
      'ots_messages_waiting{channel="mobile"}': 2,
      'ots_messages_due{channel="mobile"}': 2,
    })
    expect(current['ots_message_queue_age_seconds{channel="mobile"}']).toBeGreaterThanOrEqual(600)
    expect(current['ots_message_queue_age_seconds{channel="mobile"}']).toBeLessThan(660)
    expect(current['ots_message_queue_age_seconds{channel="email"}']).toBeLessThan(60)
    // Notifications that wait for their time are not due.
    await service.pool`delete from notifications where due_at <= now()`
    expect(await figures(registry)).toMatchObject({
      'ots_messages_waiting{channel="email"}': 2,
      'ots_messages_due{channel="email"}': 0,
      'ots_message_queue_age_seconds{channel="email"}': 0,
    })
  })

  test('metrics show how many notifications failed or may not have arrived', async () => {
    const registry = watched()
    const orders = [
      await created(service),
      await created(service),
      await created(service, text),
      await created(service),
    ]
    const states = ['failed', 'failed', 'uncertain', 'sent']
    for (const [i, { id }] of orders.entries())
      await service.pool`update notifications set state = ${states[i]!}, ended_at = now() where order_id = ${id}`
    const unsent = { 'ots_messages_unsent{state="failed"}': 2, 'ots_messages_unsent{state="uncertain"}': 1 }
    expect(await figures(registry)).toMatchObject(unsent)
  })

  test('metrics count attempts by channel and outcome', async () => {
    const registry = new Registry()
    const metrics = new NotificationMetrics(registry)
    const send = async (behavior: Parameters<typeof mailServer>[0]) => {
      const server = await mailServer(behavior)
      const transport = metrics.countAttempts('email', smtpTransport(server.url, 'orders.example'))
      const options = { channel: 'email', transport, publicUrl: 'https://orders.example', random: randomBytes } as const
      const dispatcher = new NotificationDispatcher({ store: service.store, ...options })
      while (await dispatcher.round());
      transport.close()
      await server.close()
    }
    const attempts = 'ots_message_attempts_total'
    expect(await figures(registry)).toMatchObject({ [`${attempts}{channel="mobile",outcome="unknown"}`]: 0 })
    for (const behavior of [{}, {}, { refusing: 550 }, { refusing: 451 }, { hangsUp: true }]) {
      await created(service)
      await send(behavior)
      await service.pool`delete from notifications`
    }
    expect(await figures(registry)).toMatchObject({
      [`${attempts}{channel="email",outcome="accepted"}`]: 2,
      [`${attempts}{channel="email",outcome="refused"}`]: 1,
      [`${attempts}{channel="email",outcome="tryAgain"}`]: 1,
      [`${attempts}{channel="email",outcome="unknown"}`]: 1,
      [`${attempts}{channel="mobile",outcome="accepted"}`]: 0,
    })
  })

  test('metrics are NaN while the query fails, and recover', async () => {
    const pool = connect(service.target)
    const registry = watched(createStore(pool, testKeyring))
    await service.pool`alter table notifications rename to hidden_notifications`
    const unknown = await figures(registry)
    await service.pool`alter table hidden_notifications rename to notifications`
    expect(unknown['ots_messages_due{channel="mobile"}']).toBeNaN()
    expect(unknown['ots_messages_unsent{state="failed"}']).toBeNaN()
    expect(await figures(registry)).toMatchObject({ 'ots_messages_due{channel="mobile"}': 0 })
    await pool.end()
  })

  test('metrics are read by index, however many notifications were sent', async () => {
    await service.pool.session(async (db) => {
      await db.script('set statement_timeout = 0')
      await db`
        insert into notifications (tenant_id, id, order_id, kind, channel, state, due_at, created_at)
        select 'north', 'msg_many' || i, 'ord_none', 'link', 'email',
          case i % 100 when 0 then 'waiting' when 1 then 'failed' else 'sent' end, now(), now()
        from generate_series(1, 20000) i`
      await db`vacuum analyze notifications`
    })
    const pool = connect(service.target, { max: 1 })
    const scans = async () => {
      await pool`select pg_stat_force_next_flush()`
      const [row] = await pool<{ whole: number }[]>`
        select seq_scan::int as whole from pg_stat_user_tables where relname = 'notifications'`
      return row!.whole
    }
    const before = await scans()
    const current = await figures(watched(createStore(pool, testKeyring)))
    expect(current).toMatchObject({
      'ots_messages_due{channel="email"}': 200,
      'ots_messages_unsent{state="failed"}': 200,
    })
    expect(await scans()).toBe(before)
    await pool`select count(*) from notifications`
    expect(await scans()).toBe(before + 1)
    await pool.end()
  })
})
