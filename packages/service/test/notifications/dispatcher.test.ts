import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hashSecret } from '../../src/domain/access/tokens.ts'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { smtpTransport, smsTransport, type Transport } from '../../src/notify/transports.ts'
import { CodeTaken } from '../../src/store/orders/orders.ts'
import { cancelled, created, orderOf, rewrite, TENANT } from '../orders/given.ts'
import { operate, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { mailServer, plainText, type MailServer } from './mail-server.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(
    staffed({ clinics: [{ id: 'aurora', name: 'Aurora Clinic', services: ['urine'], timezone: 'America/Chicago' }] }),
  )
})
afterAll(() => service.stop())

const open: { close(): unknown }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  await service.pool`delete from notifications`
})

const HOUR = 3_600_000
const TO = { channel: 'email', address: 'maria@example.com' } as const

function dispatcher(channel: 'email' | 'mobile', transport?: Transport): NotificationDispatcher {
  if (transport) open.push(transport)
  const options = { channel, transport, publicUrl: 'https://orders.example' }
  return new NotificationDispatcher({ store: service.store, ...options, random: randomBytes })
}

async function mailing(
  behavior: Parameters<typeof mailServer>[0] = {},
): Promise<MailServer & { dispatcher: NotificationDispatcher }> {
  const server = await mailServer(behavior)
  const sender = dispatcher('email', smtpTransport(server.url, 'orders.example'))
  open.push(server)
  return { ...server, dispatcher: sender }
}

const all = async (sender: NotificationDispatcher) => {
  while (await sender.round());
}
const rows = (orderId: string) => service.pool<{ kind: string; state: string; attempts: number }[]>`
  select kind, state, attempts from notifications where tenant_id = ${TENANT} and order_id = ${orderId} order by due_at, id`

describe('the link of an order', () => {
  test('the link goes to the delivery address, and the mail says no more than needed', async () => {
    const { mails, dispatcher: sender } = await mailing()
    const deliveryMethods = [{ type: 'email', to: 'maria@example.com', cc: ['hr@example.com'] }]
    const order = await created(service, { deliveryMethods })
    await all(sender)
    const [mail] = mails
    expect(mail!.to).toEqual(['maria@example.com'])
    const text = plainText(mail!.source)
    expect(text).toContain('Acme asks you to take a workplace test.')
    expect(text).toContain(order.code)
    for (const detail of ['Urine', 'random', 'Lopez', 'drug']) expect(mail!.source).not.toContain(detail)
    const [, secret] = /https:\/\/orders\.example\/o\/([\w-]+)/.exec(text) ?? []
    expect(await service.store.links.find(hashSecret(secret!))).toMatchObject({ orderId: order.id })
    expect(await rows(order.id)).toEqual([{ kind: 'link', state: 'sent', attempts: 1 }])
    await all(sender)
    expect(mails).toHaveLength(2)
  })

  test('the link is dropped if the order is cancelled first, and the cancellation is mailed', async () => {
    const { mails, dispatcher: sender } = await mailing()
    const order = await created(service)
    await cancelled(service, order.id)
    await all(sender)
    expect(mails.map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim())).toEqual([
      'Acme: your test was canceled',
    ])
    expect(await rows(order.id)).toMatchObject([
      { kind: 'link', state: 'dropped' },
      { kind: 'cancellation', state: 'sent' },
    ])
  })

  test('the link commits with the order: an order that cannot be stored leaves no notification', async () => {
    const { code } = await created(service)
    const before = await service.pool`select id from notifications`
    const order = orderOf({ code })
    const link = { kind: 'link', channel: 'email', dueAt: new Date(), refersTo: null, tokenId: null } as const
    const notifications = [{ ...link, tenantId: TENANT, id: 'msg_never', orderId: order.id, createdAt: new Date() }]
    const view = { order: '{}', participant: '{}' }
    const placed = service.store.placeOrder({ tenantId: TENANT, order, view, blockingKeys: [], notifications })
    await expect(placed).rejects.toBeInstanceOf(CodeTaken)
    expect(await service.pool`select id from notifications`).toHaveLength(before.length)
  })
})

describe('a booking', () => {
  test('a booking is mailed with time and place, again when it changes, and the day before', async () => {
    const { mails, dispatcher: sender } = await mailing()
    const order = await created(service)
    await service.pool`delete from notifications`
    const book = (appointmentAt: Date) =>
      operate(service, 'PUT', `/orders/${order.id}/clinic`, {
        clinicId: 'aurora',
        appointmentAt: appointmentAt.toISOString(),
      })
    const first = new Date(Date.now() + 48 * HOUR)
    await book(first)
    await all(sender)
    const local = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'America/Chicago' }).format(first)
    expect(plainText(mails[0]!.source).replaceAll('\u00a0', ' ')).toContain(local)
    expect(plainText(mails[0]!.source)).toContain('Aurora Clinic')
    await book(new Date(Date.now() + 72 * HOUR))
    await all(sender)
    expect(mails).toHaveLength(2)
    expect(mails[1]!.source).toMatch(/Subject: (=\?UTF-8\?Q\?)?New[ _]time/)
    // Moved back, it already has its reminder. The other reminder is about an abandoned appointment.
    await book(first)
    await service.pool`update notifications set due_at = now() where kind = 'bookingReminder'`
    await all(sender)
    expect(mails).toHaveLength(4)
    expect((await rows(order.id)).map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
      'booking sent',
      'bookingChanged sent',
      'bookingChanged sent',
      'bookingReminder dropped',
      'bookingReminder sent',
    ])
  })
})

describe('reminders', () => {
  test('reminders are due 72 and 24 hours before an order expires', async () => {
    const order = await created(service, { settings: { schedulingOption: 'link', expiresIn: 5 } })
    const due = await service.pool<{ hours: number }[]>`
      select round(extract(epoch from refers_to - due_at) / 3600)::int as hours from notifications
      where order_id = ${order.id} and kind = 'reminder' order by due_at`
    expect(due.map(({ hours }) => hours)).toEqual([72, 24])
  })

  test('a reminder of an appointment is dropped once its time has passed or its clinic is inactive', async () => {
    const clinics = ['aurora', 'lisle'].map((id) => ({ id, name: `Clinic of ${id}`, services: ['urine'] }))
    await service.apply(staffed({ clinics }))
    const { mails, dispatcher: sender } = await mailing()
    const bookedAt = async (clinicId: string) => {
      const order = await created(service)
      const appointmentAt = new Date(Date.now() + 48 * HOUR).toISOString()
      await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId, appointmentAt })
      return order
    }
    const [kept, passed, closed] = [await bookedAt('aurora'), await bookedAt('aurora'), await bookedAt('lisle')]
    await all(sender)
    const before = mails.length
    await service.apply(staffed({ clinics: clinics.map((each) => ({ ...each, isActive: each.id === 'aurora' })) }))
    // As if no worker had run until the appointment was over.
    const appointmentAt = new Date(Date.now() - HOUR)
    await rewrite(service, passed.id, { appointmentAt })
    await service.pool`
      update notifications set refers_to = ${appointmentAt} where order_id = ${passed.id} and kind = 'bookingReminder'`
    await service.pool`update notifications set due_at = now() where kind = 'bookingReminder'`
    await all(sender)
    const reminder = async ({ id }: { id: string }) =>
      (await rows(id)).find(({ kind }) => kind === 'bookingReminder')?.state
    const states = [await reminder(kept), await reminder(passed), await reminder(closed)]
    expect(states).toEqual(['sent', 'dropped', 'dropped'])
    expect(mails).toHaveLength(before + 1)
  })

  test('reminders are dropped once the participant has checked in', async () => {
    const { mails, dispatcher: sender } = await mailing()
    const order = await created(service, { settings: { schedulingOption: 'link', expiresIn: 5 } })
    await all(sender)
    await operate(service, 'POST', `/orders/${order.id}/services/${order.services[0].id}/moves`, {
      status: 'checkedIn',
    })
    await service.pool`update notifications set due_at = now() where state = 'waiting'`
    await all(sender)
    expect(mails).toHaveLength(1)
  })
})

describe('a server', () => {
  test('a mail is retried if the server is down or answers 4xx, but not if it answers 5xx', async () => {
    const order = await created(service)
    const away = dispatcher('email', smtpTransport('smtp://127.0.0.1:9', 'orders.example'))
    await all(away)
    expect(await rows(order.id)).toMatchObject([{ state: 'waiting', attempts: 1 }])
    const again = () => service.pool`update notifications set due_at = now() where order_id = ${order.id}`
    await again()
    await all((await mailing({ refusing: 451 })).dispatcher)
    expect(await rows(order.id)).toMatchObject([{ state: 'waiting', attempts: 2 }])
    await again()
    await all((await mailing({ refusing: 550 })).dispatcher)
    expect(await rows(order.id)).toMatchObject([{ state: 'failed', attempts: 3 }])
    const [message] = await service.pool<{ tenantId: string; id: string }[]>`
      select tenant_id, id from notifications where order_id = ${order.id}`
    const attempts = await service.store.notifications.attempts(message!.tenantId, message!.id)
    expect(attempts.slice(-3).map(({ outcome }) => outcome)).toEqual(['tryAgain', 'tryAgain', 'refused'])
    expect(JSON.stringify(attempts)).not.toContain('@')
  })

  test('a notification that had left when its worker died becomes uncertain and is not sent again', async () => {
    const { mails, dispatcher: sender } = await mailing()
    const order = await created(service)
    // As if a worker had died after the notification left.
    const [claimed] = await service.store.notifications.claim('email', 1, 0)
    await service.store.notifications.markLeft(claimed!, TO)
    await all(sender)
    expect(mails).toEqual([])
    expect(await rows(order.id)).toMatchObject([{ state: 'uncertain' }])
    const attempts = await service.store.notifications.attempts(TENANT, claimed!.id)
    expect(attempts).toMatchObject([
      { number: 1, outcome: 'unknown', detail: 'The worker ended before the attempt did.' },
    ])
  })

  test('a notification that had not left when its worker died is sent by another worker, once', async () => {
    const { mails, dispatcher: sender } = await mailing()
    const order = await created(service)
    const [claimed] = await service.store.notifications.claim('email', 1, 0)
    await all(sender)
    expect(mails).toHaveLength(1)
    expect(await rows(order.id)).toMatchObject([{ state: 'sent', attempts: 2 }])
    await expect(service.store.notifications.markLeft(claimed!, TO)).rejects.toThrow('no longer')
  })

  test('a worker that lost its claim cannot record an outcome', async () => {
    const { dispatcher: sender } = await mailing()
    const order = await created(service)
    const [lost] = await service.store.notifications.claim('email', 1, 0)
    const late = (outcome: string) => ({ at: new Date(), durationMs: 1, outcome, detail: null })
    await service.store.notifications.releaseExpiredClaims()
    const [current] = await service.store.notifications.claim('email', 1, 60)
    await service.store.notifications.record(lost!, { state: 'failed', attempt: late('refused') })
    expect(await rows(order.id)).toMatchObject([{ state: 'sending', attempts: 2 }])
    await service.store.notifications.record(current!, { state: 'waiting', retryInMs: 0, attempt: late('tryAgain') })
    await all(sender)
    await service.store.notifications.record(lost!, { state: 'waiting', retryInMs: 0, attempt: late('tryAgain') })
    expect(await rows(order.id)).toMatchObject([{ state: 'sent', attempts: 3 }])
    const attempts = await service.store.notifications.attempts(TENANT, lost!.id)
    expect(attempts.map(({ number, outcome }) => `${number} ${outcome}`)).toEqual([
      '1 notReady',
      '2 tryAgain',
      '3 accepted',
    ])
  })

  test('a mail is uncertain if the server hangs up after reading all of it', async () => {
    const order = await created(service)
    await all((await mailing({ hangsUp: true })).dispatcher)
    expect(await rows(order.id)).toMatchObject([{ state: 'uncertain', attempts: 1 }])
  })

  test('a notification that could not be prepared is retried, and an operator can restart its attempts', async () => {
    const { mails, dispatcher: sender } = await mailing()
    const order = await created(service)
    await service.pool`alter table order_links rename to hidden_links`
    await expect(all(sender)).rejects.toThrow(/order_links/)
    await service.pool`alter table hidden_links rename to order_links`
    expect(await rows(order.id)).toMatchObject([{ state: 'waiting', attempts: 1 }])
    await service.pool`
      update notifications set state = 'failed', attempts = 7, tries = 7, ended_at = now() where order_id = ${order.id}`
    const [message] = await service.pool<{ id: string }[]>`select id from notifications where order_id = ${order.id}`
    await service.store.notifications.resend(TENANT, message!.id)
    await all((await mailing({ refusing: 451 })).dispatcher)
    expect(await rows(order.id)).toMatchObject([{ state: 'waiting', attempts: 8 }])
    expect(mails).toEqual([])
  })

  test('several workers send each notification once', async () => {
    const { mails, url } = await mailing({ slowMs: 20 })
    const orders = await Promise.all(Array.from({ length: 30 }, () => created(service)))
    const dispatchers = [1, 2, 3].map(() => dispatcher('email', smtpTransport(url, 'orders.example')))
    await Promise.all(dispatchers.map((sender) => all(sender)))
    await all(dispatchers[0]!)
    expect(mails).toHaveLength(orders.length)
  })
})

describe('a text message', () => {
  const receiving = async (statuses: number[]) => {
    const forms: { form: URLSearchParams; authorization: string | undefined }[] = []
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () => {
        forms.push({ form: new URLSearchParams(text), authorization: request.headers.authorization })
        const form = new URLSearchParams(text)
        // Like Twilio, repeats the request.
        const echo = { sid: 'SM1', to: form.get('To'), body: form.get('Body') }
        response.writeHead(statuses.shift() ?? 201).end(JSON.stringify(echo))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    open.push({ close: () => new Promise((resolve) => server.close(() => resolve(undefined))) })
    const { port } = server.address() as AddressInfo
    const address = `http://AC1:s%40cret@127.0.0.1:${port}/2010-04-01/Accounts/AC1/Messages.json?From=%2B15550001111`
    return { forms, sender: dispatcher('mobile', smsTransport(address)) }
  }
  const ordered = () => created(service, { deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0142' }] })

  test('a text message is sent as a Twilio form, with the credentials of the URL', async () => {
    const { forms, sender } = await receiving([201])
    const order = await ordered()
    await all(sender)
    expect(forms).toHaveLength(1)
    expect(forms[0]!.authorization).toBe(`Basic ${Buffer.from('AC1:s@cret').toString('base64')}`)
    expect(Object.fromEntries(forms[0]!.form)).toMatchObject({ To: '+16305550142', From: '+15550001111' })
    expect(forms[0]!.form.get('Body')).toMatch(
      /^Acme: please book your test\. .* Book here .*: https:\/\/orders\.example\/o\/[\w-]+ Reply HELP for help, STOP to opt out\.$/,
    )
    expect(await rows(order.id)).toMatchObject([{ state: 'sent' }])
    const messages = await service.pool<{ tenantId: string; id: string }[]>`select tenant_id, id from notifications`
    const kept = await Promise.all(
      messages.map(({ tenantId, id }) => service.store.notifications.attempts(tenantId, id)),
    )
    expect(kept.flat().length).toBeGreaterThan(0)
    expect(JSON.stringify(kept)).not.toContain('/o/')
    expect(JSON.stringify(kept)).not.toContain('5550142')
  })

  test('a text message is retried after 5xx and 429, but not after other 4xx', async () => {
    const { sender } = await receiving([503, 429, 400])
    const order = await ordered()
    for (const state of ['waiting', 'waiting', 'failed']) {
      await all(sender)
      expect(await rows(order.id)).toMatchObject([{ state }])
      await service.pool`update notifications set due_at = now() where order_id = ${order.id} and state = 'waiting'`
    }
  })
})

test('without a server a notification waits, and is sent by the next worker that has one', async () => {
  const order = await created(service)
  await all(dispatcher('email'))
  expect(await rows(order.id)).toMatchObject([{ state: 'waiting' }])
  const { mails, dispatcher: sender } = await mailing()
  await all(sender)
  expect(mails).toHaveLength(1)
  expect(await rows(order.id)).toMatchObject([{ state: 'sent' }])
})
