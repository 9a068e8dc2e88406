import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailboxTransport } from '../../src/notify/mailbox.ts'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { refusalOf } from '../http/answers.ts'
import { cancelled, created } from '../orders/given.ts'
import { catalogFile, startService, token, type TestService } from '../support/service.ts'
import { operate, seenByOperator, staffed } from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const sendAll = async (outcome?: 'refused') => {
  const mailbox = mailboxTransport(service.store, 'email', randomBytes)
  const refusing = { send: async () => ({ outcome: 'refused', detail: '550 No.' }) as const, close() {} }
  const transport = outcome === 'refused' ? refusing : mailbox
  const options = { channel: 'email', transport, publicUrl: 'https://o.example' } as const
  const dispatcher = new NotificationDispatcher({ store: service.store, ...options, random: randomBytes })
  while (await dispatcher.round());
}

/** The first notification of a kind for an order. */
const onlyOf = async (orderId: string, kind: string) => {
  const { data } = (await operate(service, 'GET', `/messages?orderId=${orderId}`)).body
  return data.findLast((message: { kind: string }) => message.kind === kind)
}

/** Without a token, which the mailbox does not require. */
const get = (path: string, from = service) => from.call('', path)

describe('notifications as operators see them', () => {
  test('operators list notifications by order and state, and read them with every attempt', async () => {
    const order = await created(service)
    const list = async () => (await operate(service, 'GET', `/messages?orderId=${order.id}`)).body
    expect(await list()).toMatchObject({ total: 1, data: [{ kind: 'link', state: 'waiting', attempts: 0 }] })
    expect((await list()).data).toMatchObject([{ orderCode: order.code, to: 'm•••@example.com' }])
    await sendAll()
    const [{ id }] = (await list()).data
    const { body, text } = await operate(service, 'GET', `/messages/${id}`)
    expect(body).toMatchObject({ state: 'sent', log: [{ number: 1, outcome: 'accepted' }] })
    expect(text).not.toContain('maria@example.com')
    expect(refusalOf(await operate(service, 'GET', '/messages/msg_none'))).toBe('404 notFound')
  })

  test('an operator can send a notification again, which is audited', async () => {
    const order = await created(service)
    await sendAll()
    const [{ id }] = (await operate(service, 'GET', `/messages?orderId=${order.id}`)).body.data
    expect((await operate(service, 'POST', `/messages/${id}/resend`)).body).toMatchObject({ state: 'waiting' })
    expect(refusalOf(await operate(service, 'POST', `/messages/${id}/resend`))).toBe('422 invalidState')
    await sendAll()
    const kept = (await get('/sandbox/mailbox.json')).body.data
    expect(kept.filter(({ messageId }: { messageId: string }) => messageId === id)).toHaveLength(2)
    const [entry] = (await operate(service, 'GET', `/audit?subjectId=${id}`)).body.data
    expect(entry).toMatchObject({ action: 'message.resend', before: { state: 'sent' } })
  })

  test('a notification that has not ended is not sent again, and the refusal says what will become of it', async () => {
    const order = await created(service, { settings: { schedulingOption: 'link', expiresIn: 5 } })
    const of = (kind: string) => onlyOf(order.id, kind)
    const refused = async (kind: string) => {
      const answer = await operate(service, 'POST', `/messages/${(await of(kind)).id}/resend`)
      expect(refusalOf(answer)).toBe('422 invalidState')
      return answer.body.errors[0].detail as string
    }
    expect(await refused('link')).toMatch(/is due now and will be sent if it still applies then\.$/)
    const { dueAt } = await of('reminder')
    expect(await refused('reminder')).toContain(`is due at ${dueAt} and will be sent if`)
    await cancelled(service, order.id)
    expect(await refused('link')).toContain('will be dropped')
    expect(await refused('cancellation')).toContain('is due now')
    await service.pool`update notifications set state = 'sending' where order_id = ${order.id}`
    expect(await refused('link')).toBe('This message is being sent. Try again once it has ended.')
  })
})

describe('notifications that did not arrive', () => {
  const end = (orderId: string, state: string, at: string) =>
    service.pool`update notifications set state = ${state}, ended_at = ${at}, tries = 7 where order_id = ${orderId}`
  const states = async (...orders: { id: string }[]) =>
    Promise.all(orders.map(async ({ id }) => (await onlyOf(id, 'link')).state))
  const resend = async (body: object) => (await operate(service, 'POST', '/messages/resends', body)).body
  const text = { deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0142' }] }

  test('failed notifications can be listed by channel and time', async () => {
    const [mailed, texted] = [await created(service), await created(service, text)]
    await end(mailed.id, 'failed', '2026-01-02T10:00:00Z')
    await end(texted.id, 'failed', '2026-01-02T11:00:00Z')
    const orderIds = async (query: string) => {
      const { data } = (await operate(service, 'GET', `/messages?state=failed&${query}`)).body
      return data.map(({ orderId }: { orderId: string }) => orderId)
    }
    expect(await orderIds('channel=mobile')).toEqual([texted.id])
    expect(await orderIds('endedFrom=2026-01-02T10:00:00Z')).toEqual([texted.id, mailed.id])
    expect(await orderIds('endedFrom=2026-01-02T10:00:01Z')).toEqual([texted.id])
    expect(refusalOf(await operate(service, 'GET', '/messages?channel=fax'))).toBe('400 invalidValue /channel')
    expect(await resend({ state: 'failed' })).toEqual({ object: 'messageResend', resent: 2 })
  })

  test('one request sends all failed notifications again and no others, and is audited', async () => {
    const [old, late, texted, uncertain, sent] = [
      await created(service),
      await created(service),
      await created(service, text),
      await created(service),
      await created(service),
    ]
    const all = [old, late, texted, uncertain, sent]
    await end(old.id, 'failed', '2026-01-02T10:00:00Z')
    for (const { id } of [late, texted]) await end(id, 'failed', '2026-01-04T10:00:00Z')
    await end(uncertain.id, 'uncertain', '2026-01-04T10:00:00Z')
    await end(sent.id, 'sent', '2026-01-04T10:00:00Z')
    const asked = { state: 'failed', channel: 'email', endedFrom: '2026-01-03T00:00:00Z' }
    expect(await resend(asked)).toEqual({ object: 'messageResend', resent: 1 })
    expect(await states(...all)).toEqual(['failed', 'waiting', 'failed', 'uncertain', 'sent'])
    const [entry] = (await operate(service, 'GET', '/audit?action=messages.resend')).body.data
    expect(entry).toMatchObject({
      subject: { type: 'messages', id: 'failed' },
      before: { state: 'failed' },
      after: { ...asked, state: 'waiting', resent: 1 },
    })
    expect(await resend({ state: 'failed' })).toMatchObject({ resent: 2 })
    expect(await resend({ state: 'failed' })).toMatchObject({ resent: 0 })
    expect(await states(...all)).toEqual(['waiting', 'waiting', 'waiting', 'uncertain', 'sent'])
    expect(await resend({ state: 'uncertain' })).toMatchObject({ resent: 1 })
    // They are due at once, with all attempts of a new notification.
    const rows = await service.pool`
      select from notifications where order_id = ${old.id} and tries = 0 and due_at <= now() and ended_at is null`
    expect(rows).toHaveLength(1)
  })

  test.each([
    [{}, '400 required /state'],
    [{ state: 'sent' }, '400 invalidValue /state'],
    [{ state: 'failed', endedFrom: 'yesterday' }, '400 invalidFormat /endedFrom'],
  ])('a resend of %j is refused', async (body, refusal) => {
    expect(refusalOf(await operate(service, 'POST', '/messages/resends', body))).toBe(refusal)
  })

  test('thousands of failed notifications are sent again in batches, each with its audit entry', async () => {
    await service.pool`
      insert into notifications (tenant_id, id, order_id, kind, channel, state, due_at, created_at, ended_at)
      select 'north', 'msg_many' || i, 'ord_none', 'link', 'email', 'failed', now(), now(), now()
      from generate_series(1, 2500) i`
    expect(await resend({ state: 'failed' })).toMatchObject({ resent: 2500 })
    const { data } = (await operate(service, 'GET', '/audit?action=messages.resend&limit=3')).body
    expect(data.map(({ after }: { after: { resent: number } }) => after.resent)).toEqual([500, 1000, 1000])
    const [left] = await service.pool`select count(*)::int from notifications where state = 'failed'`
    expect(left).toEqual({ count: 0 })
    await service.pool`delete from notifications where order_id = 'ord_none'`
  })

  test('a resend does not affect other tenants', async () => {
    const secret = 'operator-secret-of-the-south'
    const theirs = token(secret, { id: 'south-operator', scopes: ['operator.messages.write'], companies: [] })
    await service.apply(catalogFile('south', { tokens: [theirs] }))
    const order = await created(service)
    await end(order.id, 'failed', '2026-01-02T10:00:00Z')
    const answer = await operate(service, 'POST', '/messages/resends', { state: 'failed' }, secret)
    expect(answer).toMatchObject({ status: 200, body: { resent: 0 } })
    expect(await states(order)).toEqual(['failed'])
    await resend({ state: 'failed' })
  })
})

describe('the timeline of an order', () => {
  test('the timeline of an order shows its notifications with recipient, channel and outcome', async () => {
    const order = await created(service, { settings: { schedulingOption: 'link', expiresIn: 5 } })
    const entries = async () =>
      (await seenByOperator(service, order.id)).timeline.filter(({ type }) => type === 'message')
    const { id, createdAt, dueAt } = await onlyOf(order.id, 'link')
    expect((await entries())[0]).toEqual({
      at: createdAt,
      type: 'message',
      summary: `Message "link" for the participant by e-mail: waiting, due ${dueAt}.`,
      details: {
        id,
        kind: 'link',
        recipient: 'participant',
        channel: 'email',
        state: 'waiting',
        attempts: 0,
        outcome: null,
        dueAt,
      },
    })
    await sendAll('refused')
    const { endedAt } = await onlyOf(order.id, 'link')
    const summaries = (await entries()).map(({ at, summary }) => ({ at, summary }))
    expect(summaries).toHaveLength(3)
    expect(summaries.at(-1)).toEqual({
      at: endedAt,
      summary: 'Message "link" for the participant by e-mail: failed, last attempt refused.',
    })
  })
})

describe('the mailbox of a sandbox', () => {
  test('the sandbox mailbox shows notifications with working links, under a strict content security policy', async () => {
    await service.apply(staffed({ companies: [] }))
    await created(service)
    await sendAll()
    const page = await get('/sandbox/mailbox?view=text')
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.text).toMatch(/<a href="https:\/\/o\.example\/o\/[\w-]{32}" rel="noreferrer">/)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('there is no sandbox mailbox in production', async () => {
    const production = await startService({ policy: { production: true, callbackAllow: [] } })
    expect(refusalOf(await get('/sandbox/mailbox', production))).toBe('404 notFound')
    await production.stop()
  })
})
