import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import type { Transport } from '../../src/notify/transports.ts'
import { mailboxTransport } from '../../src/notify/mailbox.ts'
import { refusalOf } from '../http/answers.ts'
import { created } from '../orders/given.ts'
import { operate, staffed } from '../support/operator.ts'
import { startService, token, type TestService } from '../support/service.ts'

const PROVIDER = 'secret-of-the-text-provider'
const PHONE = '+16305550142'
const BRANDING = { helpPhone: '+16305550101' }

let service: TestService
beforeAll(async () => {
  service = await startService()
  const provider = token(PROVIDER, { id: 'provider', scopes: ['operator.messages.receive'], companies: [] })
  const catalog = staffed({ tokens: [provider] }) as { companies: object[] }
  catalog.companies = catalog.companies.map((each, i) => (i === 0 ? { ...each, branding: BRANDING } : each))
  await service.apply(catalog)
})
afterAll(() => service.stop())
afterEach(async () => {
  await service.pool`delete from notifications`
  await service.pool`delete from suppressions`
})

async function send(
  channel: 'email' | 'mobile',
  transport: Transport = mailboxTransport(service.store, channel, randomBytes),
) {
  const options = { channel, transport, publicUrl: 'https://o.example', random: randomBytes }
  const dispatcher = new NotificationDispatcher({ store: service.store, ...options })
  while (await dispatcher.round());
}

const texted = () => created(service, { deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0142' }] })
const messagesOf = async (orderId: string) =>
  (await operate(service, 'GET', `/messages?orderId=${orderId}`)).body.data as { id: string; state: string }[]
const suppressions = async (query = '') =>
  (await operate(service, 'GET', `/suppressions${query}`)).body as {
    total: number
    data: { id: string; address: string; reason: string; channel: string; messageId: string }[]
  }

const incoming = async (text: string, from = PHONE) =>
  (await operate(service, 'POST', '/messages/texts', { from, text }, PROVIDER)).body as {
    action: string
    reply: string | null
  }

/** As Twilio sends it, with the token as password. */
const twilio = async (fields: Record<string, string>, password: string | null = PROVIDER) => {
  const response = await fetch(`${service.origin}/api/operator/v1/messages/texts`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers:
      password === null ? {} : { authorization: `Basic ${Buffer.from(`twilio:${password}`).toString('base64')}` },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('a reply to a text message', () => {
  test.each([
    'STOP',
    'stop.',
    'StopAll',
    'Unsubscribe',
    'CANCEL',
    'end',
    'quit',
    'Opt out',
    'ALTO',
    'baja',
    'Parar',
    'please stop',
    'STOP STOP',
    'unsubscribe me',
    'Cancelar',
  ])('%s puts the number on the suppression list, and is answered once', async (word) => {
    const order = await texted()
    await send('mobile')
    const first = await incoming(word)
    expect(first).toMatchObject({ action: 'stop', reply: expect.stringMatching(/\(630\) 555-0101/) })
    expect(/recibira/.test(first.reply!)).toBe(/ALTO|baja|Parar|Cancelar/.test(word))
    expect(await incoming(word)).toMatchObject({ action: 'stop', reply: null })
    const { data } = await suppressions()
    const [message] = await messagesOf(order.id)
    expect(data).toMatchObject([{ channel: 'mobile', reason: 'optOut', address: PHONE, messageId: message!.id }])
  })

  test('a number that opted out gets no further message until its owner replies START', async () => {
    const order = await texted()
    await incoming('STOP')
    await send('mobile')
    const [message] = await messagesOf(order.id)
    expect(message).toMatchObject({ state: 'suppressed' })
    expect(await incoming('Are you there?')).toMatchObject({ action: 'other', reply: null })
    expect(await incoming('UNSTOP')).toMatchObject({ action: 'start', reply: expect.stringContaining('again') })
    expect((await suppressions()).total).toBe(0)
    await operate(service, 'POST', `/messages/${message!.id}/resend`)
    await send('mobile')
    expect(await messagesOf(order.id)).toMatchObject([{ state: 'sent' }])
  })

  test('HELP is answered with whom to call, in the language of the word or of the participant', async () => {
    await texted()
    await send('mobile')
    expect(await incoming('help')).toMatchObject({
      action: 'help',
      reply: 'Acme with Tenant north. Questions? Acme (630) 555-0101. Reply STOP to opt out.',
    })
    expect((await incoming('AYUDA')).reply).toMatch(
      /^Acme con Tenant north\. ¿Preguntas\? Acme \(630\) 555-0101\. Responda ALTO/,
    )
    expect((await suppressions()).total).toBe(0)
  })

  test('anything else is answered with whom to call, also to a number that we never wrote to', async () => {
    await texted()
    await send('mobile')
    expect(await incoming('Please stop by the clinic')).toMatchObject({
      action: 'other',
      reply: 'Acme: nobody reads replies to this number. Questions? Acme (630) 555-0101. Reply STOP to opt out.',
    })
    expect((await incoming('hello', '+13125550199')).reply).toMatch(
      /^Tenant north: nobody reads replies to this number\. Please ask Tenant north\./,
    )
  })

  test('Twilio signs in with a password and gets TwiML', async () => {
    const first = await twilio({ From: PHONE, Body: 'Stop', MessageSid: 'SM1' })
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('text/xml; charset=utf-8')
    expect(first.text).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?><Response><Message>You won&#39;t get .*<\/Message><\/Response>$/,
    )
    expect((await twilio({ From: PHONE, Body: 'Stop' })).text).toMatch(/<Response><\/Response>$/)
    expect((await suppressions()).total).toBe(1)
  })

  test('a request without a token is asked for a password, and other tokens are refused', async () => {
    const asked = await twilio({ From: PHONE, Body: 'STOP' }, null)
    expect(asked.status).toBe(401)
    expect(asked.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
    expect((await twilio({ From: PHONE, Body: 'STOP' }, 'made-up')).status).toBe(401)
    expect((await twilio({ Body: 'STOP' })).status).toBe(400)
    const answer = await operate(service, 'GET', '/messages', undefined, PROVIDER)
    expect(refusalOf(answer)).toBe('401 insufficientScope')
    expect((await suppressions()).total).toBe(0)
  })
})

describe('a message that comes back', () => {
  const report = (body: object) => operate(service, 'POST', '/messages/bounces', body, PROVIDER)
  const mailed = async (members: object = {}) => {
    const order = await created(service, members)
    await send('email')
    const [message] = await messagesOf(order.id)
    return { order, message: message! }
  }

  test.each([
    ['hard', 'hardBounce'],
    ['complaint', 'complaint'],
  ] as const)('after a %s bounce the address gets no further message', async (type, reason) => {
    const { message } = await mailed()
    const answer = await report({
      messageId: `<${message.id}@orders.example>`,
      type,
      reason: '550 No maria@example.com',
    })
    expect(answer.body).toEqual({
      object: 'bounceReceipt',
      messageId: message.id,
      isRecorded: true,
      isSuppressed: true,
    })
    const { body } = await operate(service, 'GET', `/messages/${message.id}`)
    expect(body).toMatchObject({
      state: 'bounced',
      bounce: { type, reason: '550 No …' },
      log: [{ outcome: 'accepted' }],
    })
    expect((await suppressions()).data).toMatchObject([{ channel: 'email', reason, address: 'maria@example.com' }])
    const next = await created(service, { deliveryMethods: [{ type: 'email', to: 'MARIA@example.com' }] })
    await send('email')
    expect(await messagesOf(next.id)).toMatchObject([{ state: 'suppressed' }])
    const [entry] = (await operate(service, 'GET', `/audit?subjectId=${message.id}`)).body.data
    expect(entry).toMatchObject({ action: 'message.bounce', after: { state: 'bounced', type } })
  })

  test('a soft bounce is shown but suppresses nothing', async () => {
    const { message } = await mailed()
    expect((await report({ notificationId: message.id, type: 'soft' })).body).toMatchObject({
      isRecorded: true,
      isSuppressed: false,
    })
    expect((await suppressions()).total).toBe(0)
  })

  test('a bounce of a copy suppresses the copy only', async () => {
    const deliveryMethods = [{ type: 'email', to: 'maria@example.com', cc: ['hr@example.com'] }]
    const { order, message } = await mailed({ deliveryMethods })
    for (const messageId of [`<${message.id}.1@orders.example>`, message.id]) {
      const answer = await report({ messageId, address: 'hr@example.com', type: 'hard' })
      expect(answer.body).toMatchObject({ isRecorded: false, isSuppressed: true })
    }
    expect(await messagesOf(order.id)).toMatchObject([{ state: 'sent' }])
    expect((await suppressions()).data).toMatchObject([{ address: 'hr@example.com' }])
    const next = await mailed({ deliveryMethods })
    expect(await messagesOf(next.order.id)).toMatchObject([{ state: 'sent', copies: 0 }])
  })

  test('a bounce can be reported by address alone, and an unknown message is not found', async () => {
    const { message } = await mailed()
    expect((await report({ address: 'Maria@Example.com', type: 'hard' })).body).toMatchObject({ messageId: message.id })
    expect((await report({ address: 'eve@evil.example', type: 'hard' })).body).toMatchObject({
      messageId: null,
      isRecorded: false,
      isSuppressed: true,
    })
    expect(refusalOf(await report({ messageId: 'msg_none', type: 'hard' }))).toBe('404 notFound')
    expect(refusalOf(await report({ type: 'hard' }))).toBe('400 required /messageId')
  })

  test('a new contact gets the link, and the old address stays suppressed', async () => {
    const { order, message } = await mailed()
    await report({ messageId: message.id, type: 'hard' })
    const resend = (body: object) => operate(service, 'POST', `/orders/${order.id}/links`, body)
    expect(refusalOf(await resend({}))).toBe('422 invalidState')
    const answer = await resend({ contact: { type: 'email', to: 'maria@home.example' } })
    expect(answer.body).toMatchObject({ revoked: 1, message: { kind: 'linkAgain', state: 'waiting' } })
    await send('email')
    const states = (await messagesOf(order.id)).map(({ state }) => state)
    expect(states).toEqual(['sent', 'bounced'])
    const kept = (await service.call('', '/sandbox/mailbox.json')).body.data
    expect(kept[0]).toMatchObject({ to: 'maria@home.example', subject: 'Acme: your new link' })
    expect((await suppressions('?address=maria@example.com')).total).toBe(1)
  })
})

describe('the suppression list', () => {
  test('a list with masked addresses is not recorded as a read of people', async () => {
    await incoming('STOP')
    const { data } = (await operate(service, 'GET', '/suppressions?addresses=masked')).body
    expect(data).toMatchObject([{ address: '•••0142' }])
    const reads = async () =>
      (await operate(service, 'GET', `/audit?subjectId=${data[0].id}&action=suppression.read`)).body
    expect((await reads()).total).toBe(0)
    await suppressions()
    expect((await reads()).total).toBe(1)
  })

  test('operators see masked addresses without the scope for participants, and can remove one', async () => {
    await incoming('STOP')
    const restricted = 'secret-of-an-operator-without-participants'
    const scopes = ['operator.messages.read', 'operator.messages.write'] as const
    await service.apply(staffed({ tokens: [token(restricted, { id: 'restricted', scopes, companies: [] })] }))
    const { data } = (await operate(service, 'GET', '/suppressions', undefined, restricted)).body
    expect(data).toMatchObject([{ address: '•••0142', reason: 'optOut' }])
    const removed = await operate(service, 'DELETE', `/suppressions/${data[0].id}`, undefined, restricted)
    expect(removed.body).toMatchObject({ id: data[0].id, address: '•••0142' })
    expect((await suppressions()).total).toBe(0)
    expect(refusalOf(await operate(service, 'DELETE', `/suppressions/${data[0].id}`))).toBe('404 notFound')
    const [entry] = (await operate(service, 'GET', `/audit?subjectId=${data[0].id}&action=suppression.remove`)).body
      .data
    expect(entry).toMatchObject({ before: { channel: 'mobile', reason: 'optOut' } })
    expect(JSON.stringify(entry)).not.toContain('0142')
  })
})
