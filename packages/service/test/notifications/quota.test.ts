import { randomBytes } from 'node:crypto'
import type { Message } from '@order-testing/contract/operator'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NotificationMetrics } from '../../src/notify/metrics.ts'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import type { Handover, Transport } from '../../src/notify/transports.ts'
import { connect } from '../../src/store/db/pool.ts'
import { createStore } from '../../src/store/store.ts'
import { refusalOf } from '../http/answers.ts'
import { operate, OPERATOR, staffed } from '../support/operator.ts'
import { cancelled, created, DISCREET, only, SECRET } from '../orders/given.ts'
import { ots } from '../support/processes.ts'
import { startService, testKeyring, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterEach(() => service.pool`truncate notifications, notification_counts`)
afterAll(() => service.stop())

interface Sending {
  quota: number
  channel?: 'email' | 'mobile'
  /** The outcomes in turn; after these, all are accepted. */
  outcomes?: Handover['outcome'][]
  store?: TestService['store']
  warnings?: object[]
}

/** Sends what is due, and returns the ids. */
async function sendAll({ quota, channel = 'email', outcomes = [], store = service.store, warnings = [] }: Sending) {
  const sent: string[] = []
  const transport: Transport = {
    async send({ id }, beforeSend) {
      await beforeSend()
      sent.push(id)
      return { outcome: outcomes.shift() ?? 'accepted', detail: 'Taken.' }
    },
    close: () => {},
  }
  const log = { warn: (facts: object) => void warnings.push(facts) }
  const options = { channel, transport, publicUrl: 'https://o.example', random: randomBytes, quota, log }
  const dispatcher = new NotificationDispatcher({ store, ...options })
  while (await dispatcher.round());
  return sent
}

const messageOf = async (orderId: string) =>
  only((await operate(service, 'GET', `/messages?orderId=${orderId}`)).body.data as Message[])
/** The states of these orders' notifications, sorted because they are sent concurrently. */
async function statesOf(...orders: { id: string }[]): Promise<string[]> {
  const messages = await Promise.all(orders.map(({ id }) => messageOf(id)))
  return messages.map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`)).toSorted()
}

/** The notification that waits for the quota. */
const postponed = async () => only((await operate(service, 'GET', '/messages?reason=quota')).body.data as Message[])

/** Moves everything a day into the past. */
async function letDayPass(): Promise<void> {
  await service.pool`update notification_counts set day = day - 1`
  await service.pool`update notifications set due_at = due_at - interval '1 day' where state = 'waiting'`
}

describe('the mail quota of a token', () => {
  test('beyond the quota orders are created, but their notifications wait until tomorrow', async () => {
    const orders = [await created(service), await created(service), await created(service)]
    const warnings: object[] = []
    expect(await sendAll({ quota: 2, warnings })).toHaveLength(2)
    expect(await statesOf(...orders)).toEqual(['sent', 'sent', 'waiting quota'])
    const tomorrow = new Date(Math.floor(Date.now() / 86_400_000 + 1) * 86_400_000).toISOString()
    const waiting = await postponed()
    expect(waiting).toMatchObject({ tokenId: SECRET, attempts: 0, dueAt: tomorrow, endedAt: null })
    const found = (await operate(service, 'GET', `/messages?state=waiting&reason=quota&tokenId=${SECRET}`)).body
    expect(found).toMatchObject({ total: 1, data: [waiting] })
    expect(warnings).toEqual([{ tenantId: 'north', tokenId: SECRET, quota: 2 }])
  })

  test('postponed notifications use the quota of the next day', async () => {
    const orders = [await created(service), await created(service), await created(service)]
    for (const expected of [
      ['sent', 'waiting quota', 'waiting quota'],
      ['sent', 'sent', 'waiting quota'],
      ['sent', 'sent', 'sent'],
    ]) {
      expect(await sendAll({ quota: 1 })).toHaveLength(1)
      expect(await statesOf(...orders)).toEqual(expected)
      await letDayPass()
    }
  })

  test('the quota of a token does not affect other tokens', async () => {
    const mine = [await created(service), await created(service)]
    const theirs = await created(service, {}, { secret: DISCREET })
    await sendAll({ quota: 1 })
    expect(await statesOf(...mine)).toEqual(['sent', 'waiting quota'])
    expect(await statesOf(theirs)).toEqual(['sent'])
  })

  test('the quota counts e-mails and text messages together', async () => {
    const texted = await created(service, { deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0142' }] })
    const mailed = await created(service)
    await sendAll({ quota: 1, channel: 'mobile' })
    await sendAll({ quota: 1 })
    expect([await statesOf(texted), await statesOf(mailed)]).toEqual([['sent'], ['waiting quota']])
  })

  test('the quota counts a notification once, however often it is retried', async () => {
    const [first, second] = [await created(service), await created(service)]
    await sendAll({ quota: 2, outcomes: ['tryAgain', 'tryAgain'] })
    expect(await statesOf(first, second)).toEqual(['waiting', 'waiting'])
    await service.pool`update notifications set due_at = now()`
    expect(await sendAll({ quota: 2 })).toHaveLength(2)
    expect(await statesOf(first, second)).toEqual(['sent', 'sent'])
  })

  test('the quota counts every address of a notification', async () => {
    const cc = ['one@example.com', 'two@example.com']
    const [first, second] = [
      await created(service, { deliveryMethods: [{ type: 'email', to: 'a@example.com', cc }] }),
      await created(service, { deliveryMethods: [{ type: 'email', to: 'b@example.com', cc }] }),
    ]
    expect(await sendAll({ quota: 3 })).toHaveLength(1)
    expect(await statesOf(first, second)).toEqual(['sent', 'waiting quota'])
  })

  test('the quota counts neither dropped notifications nor those of later changes', async () => {
    const order = await created(service)
    await cancelled(service, order.id)
    const second = await created(service)
    expect(await sendAll({ quota: 1 })).toHaveLength(2)
    expect(await statesOf(second)).toEqual(['sent'])
    const { data } = (await operate(service, 'GET', `/messages?orderId=${order.id}`)).body
    expect(data.map(({ kind, state, tokenId }: Record<string, unknown>) => [kind, state, tokenId])).toEqual([
      ['cancellation', 'sent', null],
      ['link', 'dropped', SECRET],
    ])
  })

  test('several nodes together keep the quota', async () => {
    for (let i = 0; i < 12; i++) await created(service)
    const pools = Array.from({ length: 3 }, () => connect(service.target, { max: 2 }))
    const sent = await Promise.all(pools.map((pool) => sendAll({ quota: 5, store: createStore(pool, testKeyring) })))
    await Promise.all(pools.map((pool) => pool.end()))
    expect(sent.flat()).toHaveLength(5)
    const { total } = (await operate(service, 'GET', '/messages?reason=quota')).body
    expect(total).toBe(7)
  })

  test('a quota of 0 is off', async () => {
    for (let i = 0; i < 3; i++) await created(service)
    expect(await sendAll({ quota: 0 })).toHaveLength(3)
    expect(await service.pool`select from notification_counts`).toHaveLength(0)
  })

  test('metrics show how many notifications wait for the quota', async () => {
    for (let i = 0; i < 3; i++) await created(service)
    await sendAll({ quota: 1 })
    const registry = new Registry()
    new NotificationMetrics(registry).watch(service.store)
    const figures = await registry.metrics()
    expect(figures).toContain('ots_messages_over_quota{channel="email"} 2')
    expect(figures).toContain('ots_messages_due{channel="email"} 0')
  })

  test('counts of the quota are deleted after a week', async () => {
    await created(service)
    await sendAll({ quota: 1 })
    await service.pool`update notification_counts set day = day - 8`
    await service.store.notificationQuota.forgetOld()
    expect(await service.pool`select from notification_counts`).toHaveLength(0)
  })
})

describe('releasing notifications that wait for the quota', () => {
  test('an operator releases one notification', async () => {
    const [first, second] = [await created(service), await created(service)]
    await sendAll({ quota: 1 })
    const { id } = await postponed()
    const resent = await operate(service, 'POST', `/messages/${id}/resend`)
    expect(resent).toMatchObject({ status: 200, body: { state: 'waiting', reason: null } })
    expect(await sendAll({ quota: 1 })).toEqual([id])
    expect(await statesOf(first, second)).toEqual(['sent', 'sent'])
  })

  test('an operator releases all postponed notifications of a token, but none that wait for their time', async () => {
    const settings = { schedulingOption: 'link', expiresIn: 5 }
    for (let i = 0; i < 3; i++) await created(service, { settings })
    await created(service, {}, { secret: DISCREET })
    await sendAll({ quota: 1 })
    const resend = (body: object) => operate(service, 'POST', '/messages/resends', body)
    expect((await resend({ state: 'waiting', tokenId: DISCREET })).body).toMatchObject({ resent: 0 })
    expect((await resend({ state: 'waiting', tokenId: SECRET })).body).toMatchObject({ resent: 2 })
    expect(await sendAll({ quota: 1 })).toHaveLength(2)
    const reminders = (await operate(service, 'GET', '/messages?state=waiting')).body
    expect(reminders.data.map(({ kind }: { kind: string }) => kind)).toEqual(Array(reminders.total).fill('reminder'))
    expect(refusalOf(await operate(service, 'POST', `/messages/${reminders.data[0].id}/resend`))).toBe(
      '422 invalidState',
    )
  })

  test('ots messages lists and releases postponed notifications', async () => {
    for (let i = 0; i < 2; i++) await created(service)
    await sendAll({ quota: 1 })
    const env = { OTS_URL: service.origin, OTS_TOKEN: OPERATOR }
    const listed = await ots(['messages', 'list', '--reason', 'quota', '--by', SECRET], env)
    expect(listed.stdout).toMatch(/waiting \(quota\), due \S+T00:00:00\.000Z\n\n1 to 1 of 1 message/)
    const asked = await ots(['messages', 'resend', '--state', 'waiting'], env)
    expect(asked.stderr).toMatch(/^1 message waits for the mail quota\. Send it now\?/)
    const resent = await ots(['messages', 'resend', '--state', 'waiting', '--yes'], env)
    expect(resent.stdout).toBe('1 message will be sent again.\n')
    expect(await sendAll({ quota: 1 })).toHaveLength(1)
  }, 120_000)
})
