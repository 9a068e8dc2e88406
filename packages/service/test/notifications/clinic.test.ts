import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '@order-testing/contract/operator'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { smtpTransport } from '../../src/notify/transports.ts'
import { cancelled, clinic, created, PERSON } from '../orders/given.ts'
import { CLINICS, participantWorld } from '../participants/given.ts'
import { operate } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { mailServer, plainText, type MailServer } from './mail-server.ts'

const DESK = clinic('desk', '80202', {
  name: 'Denver Desk',
  email: 'desk@denver.example',
  address: { line1: '1 Main Street', city: 'Denver', state: 'CO', postalCode: '80202' },
})
const DER = { name: 'Pat Boxelder', phone: '+16305550101' }
const catalog = (settings: object = {}) =>
  participantWorld({ clinics: [...CLINICS, DESK], settings: { clinicFeeCap: 100, der: DER, ...settings } })

let service: TestService
let server: MailServer
let dispatcher: NotificationDispatcher
let close: () => void
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  await service.apply(catalog())
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

/** What was mailed to the clinic since the last call. */
async function mailed(): Promise<{ subject: string; text: string; source: string }[]> {
  while (await dispatcher.round());
  return server.mails
    .splice(0)
    .filter(({ to }) => to.includes('desk@denver.example'))
    .map(({ source }) => ({ source, subject: subjectOf(source), text: plainText(source) }))
}

const subjectOf = (source: string) =>
  /^Subject: (.*(?:\r?\n[ \t].*)*)$/m.exec(source)![1]!.replaceAll(/\s+/g, ' ').trim()
const book = (id: string, sent: object) => operate(service, 'PUT', `/orders/${id}/clinic`, sent)
const messages = async (id: string): Promise<Message[]> =>
  (await operate(service, 'GET', `/messages?orderId=${id}`)).body.data

/** Six in the evening UTC is eleven or noon in Denver. */
const at = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T18:00:00.000Z`

const WALK_IN = clinic('walk', '80203', {
  name: 'Denver Walk-In',
  email: 'desk@denver.example',
  walkIns: true,
  address: { line1: '2 Main Street', city: 'Denver', state: 'CO', postalCode: '80203' },
})

describe('e-mail to clinics', () => {
  test('a clinic for walk-ins reads of planned arrivals, also when somebody goes to another clinic instead', async () => {
    await service.apply(participantWorld({ clinics: [...CLINICS, DESK, WALK_IN] }))
    const order = await created(service, { participant: PERSON })
    await book(order.id, { clinicId: 'walk', appointmentAt: at(3) })
    const [planned] = await mailed()
    expect(planned!.subject).toMatch(new RegExp(`^Planned arrival: .* 1[12]\\sAM\\sMT, order ${order.code}$`))
    expect(planned!.text).toMatch(/plans to walk in on \w+, \w+ \d+ at 1[12]\sAM\sMT\./)
    await book(order.id, { clinicId: 'walk', appointmentAt: at(4) })
    const [moved] = await mailed()
    expect(moved!.subject).toMatch(/^Planned arrival moved: /)
    await book(order.id, { clinicId: 'desk', appointmentAt: at(4) })
    const both = await mailed()
    expect(new Set(both.map(({ subject }) => subject.split(':')[0]))).toEqual(
      new Set(['Appointment booked', 'Planned arrival canceled']),
    )
    for (const { text } of [planned!, moved!, both.find(({ subject }) => subject.startsWith('Planned'))!])
      expect(text).not.toMatch(/appointment|booked|time is free/i)
  })

  test('a clinic gets booked, moved and cancelled times in its own zone, without identifiers and contacts', async () => {
    const order = await created(service, { participant: PERSON })
    await book(order.id, { clinicId: 'desk', appointmentAt: at(3) })
    const [booked] = await mailed()
    expect(booked!.subject).toMatch(new RegExp(`^Appointment booked: .* 1[12]\\sAM\\sMT, order ${order.code}$`))
    expect(booked!.text).toMatch(/Maria Lopez is booked for \w+, \w+ \d+ at 1[12]\sAM\sMT\./)
    for (const part of [order.code, 'Tests: Urine', 'Employer: Acme', 'Reason: Random', 'Pat Boxelder, (630) 555-0101'])
      expect(booked!.text).toContain(part)
    for (const secret of ['536', '8841', '1990', 'maria@', '555-0142', 'Ogden', '/o/'])
      expect(booked!.text).not.toContain(secret)
    await book(order.id, { clinicId: 'desk', appointmentAt: at(4) })
    expect((await mailed()).map(({ subject }) => subject.split(':')[0])).toEqual(['Appointment moved'])
    await cancelled(service, order.id)
    const [gone] = await mailed()
    expect(gone!.text).toContain('The time is free again.')
    expect(gone!.text).not.toContain('Tests:')
  })

  test('what a clinic got is recorded and can be resent', async () => {
    const order = await created(service, { participant: PERSON })
    await book(order.id, { clinicId: 'desk', appointmentAt: at(3) })
    await mailed()
    const sent = (await messages(order.id)).find(({ kind }) => kind === 'timeBooked')!
    expect(sent).toMatchObject({ recipient: 'clinic', channel: 'email', state: 'sent', tokenId: null })
    expect((await operate(service, 'POST', `/messages/${sent.id}/resend`)).status).toBe(200)
    expect(await mailed()).toHaveLength(1)
  })

  test('nothing is recorded for a clinic without an address, a booking without a time, or if the setting is off', async () => {
    const kinds = async (id: string) =>
      (await messages(id)).filter(({ recipient }) => recipient === 'clinic').map(({ kind }) => kind)
    const [first, second] = [await created(service), await created(service)]
    await book(first.id, { clinicId: 'naperville', appointmentAt: at(3) })
    await book(second.id, { clinicId: 'desk' })
    expect([await kinds(first.id), await kinds(second.id)]).toEqual([[], []])
    await service.apply(catalog({ clinicEmails: false }))
    await book(second.id, { clinicId: 'desk', appointmentAt: at(3) })
    expect(await kinds(second.id)).toEqual([])
  })

  test('a waiting message is dropped if the clinic no longer has an address', async () => {
    const order = await created(service)
    await book(order.id, { clinicId: 'desk', appointmentAt: at(3) })
    await service.apply(participantWorld({ clinics: [...CLINICS, { ...DESK, email: undefined }] }))
    expect(await mailed()).toEqual([])
    expect((await messages(order.id)).find(({ kind }) => kind === 'timeBooked')).toMatchObject({ state: 'dropped' })
  })
})

describe('times in notifications', () => {
  test('the participant reads times in the zone of the clinic, found by its position', async () => {
    const order = await created(service, { participant: PERSON })
    await book(order.id, { clinicId: 'desk', appointmentAt: at(3) })
    while (await dispatcher.round());
    const mail = server.mails.find(
      ({ to, source }) => to.includes('maria@example.com') && subjectOf(source).startsWith('Booked: '),
    )
    expect(plainText(mail!.source)).toMatch(/When: .* at 1[12]\sAM\sMT\nWhere: Denver Desk/)
    expect(plainText(mail!.source)).not.toContain('UTC')
  })

  test('reminders of a new order are not due at night where the participant lives', async () => {
    const order = await created(service, { participant: PERSON, settings: { schedulingOption: 'link', expiresIn: 9 } })
    const due = (await messages(order.id)).filter(({ kind }) => kind === 'reminder').map(({ dueAt }) => new Date(dueAt))
    expect(due).toHaveLength(2)
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Chicago', timeStyle: 'short' })
    for (const time of due) expect(clock.format(time) >= '08:00' && clock.format(time) <= '20:00').toBe(true)
  })
})
