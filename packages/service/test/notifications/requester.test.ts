import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { smtpTransport } from '../../src/notify/transports.ts'
import { cancelled, created, PERSON } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import { open, participantWorld, submit, wordsOf } from '../participants/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { mailServer, plainText, type MailServer } from './mail-server.ts'

let service: TestService
let server: MailServer
let dispatcher: NotificationDispatcher
let close: () => void
beforeAll(async () => {
  service = await startService()
  await service.apply(participantWorld())
})
afterAll(() => service.stop())
beforeEach(async () => {
  server = await mailServer()
  const email = smtpTransport(server.url, 'orders.example')
  close = () => email.close()
  const options = { channel: 'email', transport: email, publicUrl: service.origin } as const
  dispatcher = new NotificationDispatcher({ store: service.store, ...options, random: randomBytes })
})
afterEach(async () => {
  close()
  await server.close()
  await service.pool`delete from notifications`
})

const REQUESTER = { email: 'dana@acme.example', firstName: 'Dana', lastName: 'Reed' }

const requested = (settings: object = {}) =>
  created(service, {
    participant: PERSON,
    requester: REQUESTER,
    deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0142' }],
    settings: { schedulingOption: 'order', clinicSelectionMode: 'requesterSelects', ...settings },
  })

/** What was mailed since the last call. */
async function mailed(): Promise<{ to: string[]; subject: string; text: string; source: string }[]> {
  while (await dispatcher.round());
  return server.mails.splice(0).map(({ to, source }) => ({
    to,
    source,
    subject: /^Subject: (.*)$/m.exec(source)![1]!.trim(),
    text: plainText(source),
  }))
}

const secretIn = (text: string) => /\/o\/([\w-]+)/.exec(text)![1]!
const pick = (secret: string) => submit(service, secret, { step: 'book', clinic: 'naperville', way: 'walkIn' })
const messagesOf = async (id: string) =>
  (await operate(service, 'GET', `/messages?orderId=${id}`)).body.data as {
    id: string
    kind: string
    state: string
    recipient: string
  }[]

describe('the requester of an order', () => {
  test('the requester gets a link to choose the clinic in a mail that has only the first name of the participant', async () => {
    const order = await requested({ expiresIn: 10 })
    const [mail, ...others] = await mailed()
    expect(others).toEqual([])
    expect(mail!.to).toEqual([REQUESTER.email])
    expect(mail!.subject).toMatch(/^Choose a clinic for Maria by \w{3}, \w{3} \d+$/)
    expect(mail!.text).toMatch(/^Hi Dana, please choose a clinic\n\nPlease choose a clinic for Maria by /)
    expect(mail!.text).toContain(`Code: ${order.code}`)
    for (const detail of ['Lopez', 'Urine', 'random', 'drug', 'Ogden']) expect(mail!.source).not.toContain(detail)
    const secret = secretIn(mail!.text)
    expect(wordsOf(await open(service, secret))).toContain('For Maria Lopez')
    expect((await pick(secret)).status).toBe(303)
    const kept = await service.pool`select * from order_links where order_id = ${order.id}`
    expect(JSON.stringify(kept)).not.toContain(secret)
    expect(kept).toMatchObject([{ recipient: 'requester' }])
  })

  test('the requester gets a new link when the booking is withdrawn, by an operator or by themselves', async () => {
    const order = await requested()
    const [first] = await mailed()
    await pick(secretIn(first!.text))
    await operate(service, 'DELETE', `/orders/${order.id}/clinic`)
    const [again, ...others] = await mailed()
    expect(others).toEqual([])
    expect(again).toMatchObject({ to: [REQUESTER.email], subject: 'Choose another clinic for Maria' })
    expect(secretIn(again!.text)).not.toBe(secretIn(first!.text))
    await pick(secretIn(again!.text))
    await submit(service, secretIn(first!.text), { step: 'cancel' })
    expect((await mailed()).map(({ subject }) => subject)).toEqual(['Choose another clinic for Maria'])
  })

  test('the requester is reminded before the order expires, until a clinic is chosen', async () => {
    const [left, chosen] = [await requested({ expiresIn: 5 }), await requested({ expiresIn: 5 })]
    const links = await mailed()
    await pick(secretIn(links.find(({ text }) => text.includes(chosen.code))!.text))
    await service.pool`update notifications set due_at = now() where kind = 'clinicReminder'`
    const reminders = await mailed()
    const asking = reminders.filter(({ subject }) => subject.startsWith('Reminder: choose a clinic for Maria by '))
    expect(asking.map(({ text }) => text.includes(left.code))).toEqual([true, true])
    expect(reminders.map(({ subject }) => subject.split(':')[0]!).toSorted()).toEqual([
      'Booked for Maria',
      'Reminder',
      'Reminder',
    ])
    expect((await messagesOf(chosen.id)).filter(({ kind }) => kind === 'clinicReminder')).toMatchObject([
      { state: 'dropped' },
      { state: 'dropped' },
    ])
  })

  test('the requester learns that an order was cancelled before a clinic was chosen, in a mail without a link', async () => {
    const order = await requested()
    await mailed()
    await cancelled(service, order.id)
    const [mail, ...others] = await mailed()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: [REQUESTER.email], subject: `Order ${order.code} for Maria was canceled` })
    expect(mail!.source).not.toContain('/o/')
  })

  test('an operator can send the notification of the requester again, and sees its recipient', async () => {
    const order = await requested()
    const [first] = await mailed()
    const [message, ...others] = await messagesOf(order.id)
    expect(others).toEqual([])
    expect(message).toMatchObject({ kind: 'clinicRequest', recipient: 'requester', state: 'sent' })
    await operate(service, 'POST', `/messages/${message!.id}/resend`)
    const [again] = await mailed()
    expect(again!.to).toEqual([REQUESTER.email])
    await pick(secretIn(again!.text))
    expect(secretIn(again!.text)).not.toBe(secretIn(first!.text))
    expect((await messagesOf(order.id)).map(({ kind, recipient }) => `${recipient} ${kind}`).toSorted()).toEqual([
      'participant booking',
      'requester clinicChosen',
      'requester clinicRequest',
    ])
  })

  test('the requester gets the booked time with a calendar entry, and a cancelled order removes it', async () => {
    const order = await requested()
    await mailed()
    const appointmentAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'naperville', appointmentAt })
    const [booked, ...others] = await mailed()
    expect(others).toEqual([])
    expect(booked!.to).toEqual([REQUESTER.email])
    expect(booked!.subject).toMatch(/^Booked for Maria: \w{3}, \w{3} \d+, \d+(:\d\d)? [AP]M CT$/)
    expect(booked!.text).toMatch(/When: .*\sCT\nWhere: Naperville Occupational Health, 10 Main Street/)
    expect(booked!.text).toContain('Directions: https://www.google.com/maps/dir/?')
    expect(booked!.source).toContain('method=PUBLISH')
    expect(wordsOf(await open(service, secretIn(booked!.text)))).toContain('A clinic is booked')
    for (const detail of ['Lopez', 'Urine', 'drug']) expect(booked!.source).not.toContain(detail)
    await cancelled(service, order.id)
    const [gone] = await mailed()
    expect(gone!.subject).toBe(`Order ${order.code} for Maria was canceled`)
    expect(gone!.source).toContain('method=CANCEL')
  })
})
