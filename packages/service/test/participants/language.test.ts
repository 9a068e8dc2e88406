import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { smtpTransport, type Transport } from '../../src/notify/transports.ts'
import { headersOf, mailServer, plainText, type MailServer } from '../notifications/mail-server.ts'
import { operate } from '../support/operator.ts'
import { cancelled, contentOf, rewrite } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import {
  browserWith,
  completed,
  DETAILS,
  draftOf,
  eventsOf,
  invited,
  open,
  participantWorld,
  readOrder,
  submit,
  tomorrow,
} from './given.ts'

let service: TestService
let post: MailServer
let transport: Transport
let dispatcher: NotificationDispatcher
beforeAll(async () => {
  service = await startService()
  await service.apply(participantWorld())
  post = await mailServer()
  transport = smtpTransport(post.url, 'orders.example')
  const options = { channel: 'email', transport, publicUrl: service.origin, random: randomBytes } as const
  dispatcher = new NotificationDispatcher({ store: service.store, ...options })
})
afterAll(async () => {
  transport.close()
  await post.close()
  await service.stop()
})

/** The e-mails that are due now, with language and text. */
async function mails(): Promise<{ language: string | undefined; text: string }[]> {
  while (await dispatcher.round());
  return post.mails.splice(0).map(({ source }) => ({
    language: headersOf(source)['Content-Language'],
    text: plainText(source),
  }))
}

const APPOINTMENT = { step: 'book', clinic: 'naperville', way: 'appointment' }

test('notifications use the language in which the participant finished a form, and the clinic’s local time', async () => {
  const { order, secret } = await invited(service)
  expect(await mails()).toMatchObject([{ language: 'en' }])
  await completed(service, secret, { ...APPOINTMENT, ...tomorrow('15:30', 3) }, '?lang=es')
  const [booked] = await mails()
  expect(booked).toMatchObject({ language: 'es' })
  expect(booked!.text).toMatch(
    /^Ya tiene su cita, Maria\n\nCuándo: .* a las 3:30\sp\.\s?m\. \(hora central\)\nDónde: Naperville Occupational Health/,
  )
  // Also for changes by others.
  await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'aurora' })
  expect((await mails())[0]!.text).toMatch(/^Su cita ha cambiado\n\nCuándo: .*\nDónde: Aurora Clinic/)
  // The link opens in that language in any browser.
  const [, path] = /\/o\/(\S+\?lang=es)/.exec(booked!.text)!
  expect((await open(service, path!, '', { 'accept-language': 'en-US' })).text).toContain('<html lang="es">')
  // A later form in another language changes it.
  await submit(service, secret, { step: 'cancel' }, '?lang=en')
  expect(await mails()).toMatchObject([{ language: 'en' }])
  await cancelled(service, order.id)
  expect((await mails())[0]!.text).toContain('Acme canceled this order.')
})

test('the language of the browser counts as chosen', async () => {
  const { secret } = await invited(service)
  await mails()
  const draft = await draftOf(service, secret)
  await fetch(`${service.origin}/o/${secret}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'accept-language': 'es-MX,es;q=0.9,en;q=0.5', ...browserWith(draft) },
    body: new URLSearchParams({ ...APPOINTMENT, ...tomorrow() }),
  })
  expect(await mails()).toMatchObject([{ language: 'es' }])
})

test('reading a page, or submitting an invalid form, sets no language', async () => {
  const { order, secret } = await invited(service)
  await open(service, secret, '?lang=es')
  await submit(service, secret, { ...DETAILS, step: 'you', birthDate: '' }, '?lang=es')
  expect(await contentOf(service, order.id)).not.toHaveProperty('language')
})

test('the language is saved with the change of the order, and the API does not show it', async () => {
  const { order, secret } = await invited(service)
  await completed(service, secret, { ...APPOINTMENT, ...tomorrow() }, '?lang=es')
  expect(await contentOf(service, order.id)).toMatchObject({ language: 'es' })
  expect(await eventsOf(service, order.id)).toHaveLength(1)
  expect(await readOrder(service, order.id)).not.toHaveProperty('language')
  const { agreements, ...seen } = (await operate(service, 'GET', `/orders/${order.id}`)).body
  expect(JSON.stringify(seen)).not.toContain('"language"')
  // What was shown is kept with its language.
  expect(agreements).toMatchObject([{ language: 'es' }])
})

test('orders without a language get notifications in English', async () => {
  const { order, secret } = await invited(service)
  await completed(service, secret)
  // Left out in JSON.
  await rewrite(service, order.id, { language: undefined } as object)
  await mails()
  await cancelled(service, order.id)
  expect(await mails()).toMatchObject([{ language: 'en' }])
})

test('a participant who changes the e-mail address gets the copy, the pass and what follows at the new one', async () => {
  const { order, secret } = await invited(service, { package: { id: 'background' } })
  while (await dispatcher.round());
  post.mails.splice(0)
  const draft = await draftOf(service, secret, { email: 'new@example.com' })
  await submit(service, secret, { step: 'book', clinic: 'naperville', way: 'walkIn' }, '', draft)
  while (await dispatcher.round());
  expect(post.mails.splice(0).map(({ to }) => to)).toEqual([['new@example.com'], ['new@example.com']])
  expect((await open(service, secret)).text).toContain('We sent your pass to n•••@example.com')
  await cancelled(service, order.id)
  while (await dispatcher.round());
  expect(post.mails.splice(0).map(({ to }) => to)).toEqual([['new@example.com']])
})
