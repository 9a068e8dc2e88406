import * as fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { endpoints, signStandard, signV1, signV2 } from '@order-testing/contract'
import {
  parseEvent,
  signTestWebhook,
  verifyWebhook,
  type WebhookError,
  type WebhookRequest,
} from '../src/webhooks/index.ts'
import type { Order } from '../src/index.ts'
import { failure } from './servers.ts'

const secret = 'a secret of forty characters, or so, ñ'
const now = new Date('2026-03-02T15:04:05.678Z')
const event = { ...endpoints.listEvents.example.reply.data[0]!, note: 'Núñez 😀' }
const order = endpoints.readOrder.example.reply as Order
const v2Body = JSON.stringify(event)
const v1Body = JSON.stringify(order)
const v2 = { 'x-signature': signV2({ body: v2Body, secret, now }) }
const v1 = { 'x-signature': signV1({ body: v1Body, secret }) }

const standardOf = (body: string, id = 'evt_9') => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': signStandard({ id, body, secret, now }),
})

const refused = (request: Partial<WebhookRequest>) =>
  failure<WebhookError>(verifyWebhook({ body: v2Body, headers: v2, secret, now, ...request }))

const reasonOf = async (request: Partial<WebhookRequest>) => (await refused(request)).reason

const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('verifyWebhook accepts', () => {
  test('a v2 event', async () => {
    const delivery = await verifyWebhook({ body: v2Body, headers: v2, secret, now })
    expect(delivery).toEqual({
      version: 'v2',
      event,
      eventId: event.id,
      signedAt: new Date('2026-03-02T15:04:05.000Z'),
    })
  })

  test('a v1 delivery, which has no time and no event id that is signed', async () => {
    const delivery = await verifyWebhook({ body: v1Body, headers: { ...v1, 'x-event-id': 'evt_9' }, secret, now })
    expect(delivery).toEqual({ version: 'v1', order, eventId: null, signedAt: null })
  })

  test('a v1 delivery by its Standard Webhooks headers, which sign time and event id', async () => {
    const headers = { ...v1, ...standardOf(v1Body) }
    const delivery = await verifyWebhook({ body: v1Body, headers, secret, now, requireTimestamp: true })
    expect(delivery).toMatchObject({ version: 'v1', eventId: 'evt_9', signedAt: later(-0.678) })
    expect(await reasonOf({ body: v1Body, headers, now: later(301) })).toBe('clockSkew')
  })

  test('Standard Webhooks alone, and the right one of several signatures', async () => {
    const headers = standardOf(v2Body, event.id)
    expect(await verifyWebhook({ body: v2Body, headers, secret, now })).toMatchObject({ version: 'v2' })
    const several = `v1,${'A'.repeat(43)}= v1a,xyz ${headers['webhook-signature']}`
    const delivery = verifyWebhook({ body: v2Body, headers: { ...headers, 'webhook-signature': several }, secret, now })
    expect(await delivery).toMatchObject({ version: 'v2', eventId: event.id })
  })

  test.each([
    ['text', v2Body],
    ['a Buffer', Buffer.from(v2Body)],
    ['bytes', new TextEncoder().encode(v2Body)],
    ['an ArrayBuffer', new TextEncoder().encode(v2Body).buffer],
  ])('a body as %s', async (_, body) => {
    expect(await verifyWebhook({ body, headers: v2, secret, now })).toMatchObject({ version: 'v2' })
  })

  test.each([
    ['Headers', new Headers(v2)],
    ['an object with names in any case', { 'X-Signature': v2['x-signature'] }],
  ])('headers as %s', async (_, headers) => {
    expect(await verifyWebhook({ body: v2Body, headers, secret, now })).toMatchObject({ version: 'v2' })
  })

  test('one of several secrets, and the spelling of Standard Webhooks', async () => {
    const spelled = `whsec_${Buffer.from(secret).toString('base64')}`
    for (const each of [['old', secret], spelled, ['old', spelled]])
      expect(await verifyWebhook({ body: v2Body, headers: v2, secret: each, now })).toMatchObject({ version: 'v2' })
  })

  test.each([300, -300])('a time that is %d seconds off', async (seconds) => {
    const at = new Date(Math.floor(now.getTime() / 1000) * 1000 + seconds * 1000)
    expect(await verifyWebhook({ body: v2Body, headers: v2, secret, now: at })).toMatchObject({ version: 'v2' })
  })

  test('event types and statuses that are not known yet', async () => {
    for (const payload of [
      { ...event, type: 'order.teleported' },
      { ...order, status: 'aStatusOfTomorrow' },
    ]) {
      const { body, headers } = await signTestWebhook({ payload, secret, now })
      expect(await verifyWebhook({ body, headers, secret, now })).toBeDefined()
    }
  })
})

describe('verifyWebhook names the cause', () => {
  test('a parsed body', async () => {
    const error = await refused({ body: event as unknown as string })
    expect(error.reason).toBe('bodyNotRaw')
    expect(error.message).toContain('Pass the bytes as they arrived')
  })

  test.each([
    ['with blanks', JSON.stringify(event, null, 2)],
    ['by Python', v2Body.replaceAll('":', '": ').replaceAll(',"', ', "').replaceAll('ñ', '\\u00f1')],
    ['with a line break at the end', `${v2Body}\n`],
  ])('a body serialised again %s', async (_, body) => {
    const error = await refused({ body })
    expect(error.reason).toBe('bodyChanged')
    expect(error.message).toContain('was parsed and serialised again')
  })

  test('a body that was cut off, or whose length is not the one sent', async () => {
    expect(await reasonOf({ body: v2Body.slice(0, -9) })).toBe('bodyChanged')
    const error = await refused({ body: v1Body, headers: { ...v2, 'content-length': '7' } })
    expect([error.reason, error.message]).toEqual(['bodyChanged', expect.stringContaining('but 7 were sent')])
  })

  test('a wrong secret, and one with a line break', async () => {
    expect(await reasonOf({ secret: 'another' })).toBe('wrongSecret')
    const error = await refused({ secret: `${secret}\n` })
    expect([error.reason, error.message]).toEqual(['wrongSecret', expect.stringContaining('line break')])
    expect(await reasonOf({ body: v1Body, headers: v1, secret: 'another' })).toBe('wrongSecret')
    expect(await reasonOf({ headers: standardOf(v2Body), secret: 'another' })).toBe('wrongSecret')
  })

  test.each([
    [302, 'seconds ago'],
    [-302, 'in the future'],
  ])('a clock that is %d seconds off', async (seconds, words) => {
    const error = await refused({ now: later(seconds) })
    expect([error.reason, error.message]).toEqual(['clockSkew', expect.stringContaining(words)])
  })

  test('a mix-up of versions in header, signature or body', async () => {
    const hex = signV1({ body: v2Body, secret })
    const t = Math.floor(now.getTime() / 1000)
    expect(await reasonOf({ headers: { 'x-signature': `t=${t},${hex}` } })).toBe('versionMismatch')
    expect(await reasonOf({ headers: { 'x-signature': hex } })).toBe('versionMismatch')
    const signed = { 'x-signature': signV2({ body: v1Body, secret, now }) }
    expect(await reasonOf({ body: v1Body, headers: signed })).toBe('versionMismatch')
  })

  test.each([
    ['missingSignature', {}],
    ['malformedSignature', { 'x-signature': '' }],
    ['malformedSignature', { 'x-signature': 'sha1=00' }],
    ['malformedSignature', { 'x-signature': `${v2['x-signature']}, ${v2['x-signature']}` }],
    ['malformedSignature', { 'x-signature': ['sha256=00', 'sha256=00'] }],
    ['malformedSignature', { 'x-signature': 't=now,sha256=00' }],
    ['malformedSignature', { ...standardOf(v2Body), 'webhook-id': '' }],
    ['malformedSignature', { ...standardOf(v2Body), 'webhook-timestamp': 'NaN' }],
    ['malformedSignature', { ...standardOf(v2Body), 'webhook-signature': 'v2,AAAA' }],
  ])('%s: %j', async (reason, headers) => {
    expect(await reasonOf({ headers })).toBe(reason)
  })

  test('a v1 signature where a time is required', async () => {
    expect(await reasonOf({ body: v1Body, headers: v1, requireTimestamp: true })).toBe('malformedSignature')
  })

  test.each(['[]', 'null', '{"object":"invoice"}', 'text'])(
    'the signed body %s, which is no delivery',
    async (body) => {
      expect(await reasonOf({ body, headers: { 'x-signature': signV2({ body, secret, now }) } })).toBe('malformedBody')
    },
  )

  test('never with the secret', async () => {
    for (const headers of [v1, v2, {}, { 'x-signature': 'x' }])
      expect((await refused({ headers, body: 'other', secret: 'the-secret-itself' })).message).not.toContain('itself')
  })
})

describe('a signature', () => {
  test('of one scheme is of no use in another', async () => {
    const [t, hex] = /t=(\d+),sha256=(.*)/.exec(v2['x-signature'])!.slice(1)
    const replayed = { 'x-signature': `sha256=${hex}` }
    expect(await reasonOf({ body: `${t}.${v2Body}`, headers: replayed })).toBe('malformedBody')
    const standard = standardOf(v2Body, event.id)
    const mac = Buffer.from(standard['webhook-signature'].slice(3), 'base64').toString('hex')
    const body = `${event.id}.${t}.${v2Body}`
    expect(await reasonOf({ body, headers: { 'x-signature': `sha256=${mac}` } })).toBe('malformedBody')
  })

  test('does not survive the change of a single bit, anywhere', async () => {
    const bytes = Buffer.from(v2Body)
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const body = Buffer.from(bytes)
        body[at]! ^= 1 << bit
        expect(['bodyChanged', 'wrongSecret']).toContain(await reasonOf({ body }))
      }),
      { numRuns: 200 },
    )
  })

  test('of any header text and body is refused with a WebhookError', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), fc.string(), async (own, standard, body) => {
        const headers = {
          'x-signature': own,
          'webhook-signature': standard,
          'webhook-id': own,
          'webhook-timestamp': '1',
        }
        expect((await refused({ headers, body })).name).toBe('WebhookError')
      }),
      { numRuns: 200 },
    )
  })
})

describe('signTestWebhook', () => {
  test('signs as the service does', async () => {
    const { body, headers } = await signTestWebhook({ payload: event, secret, now, attempt: 2 })
    expect(body).toBe(v2Body)
    expect(headers).toMatchObject({ ...v2, ...standardOf(v2Body, event.id), 'x-delivery-attempt': '2' })
    const old = await signTestWebhook({ payload: order, secret, now })
    expect(old).toMatchObject({ body: v1Body, headers: v1 })
  })

  test('and the library of Standard Webhooks accept each other', async () => {
    const library = new Webhook(Buffer.from(secret).toString('base64'))
    const at = new Date()
    const { body, headers } = await signTestWebhook({ payload: event, secret, now: at })
    expect(library.verify(body, headers)).toEqual(event)
    const signature = library.sign('evt_1', at, body)
    const theirs = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signature,
    }
    expect(await verifyWebhook({ body, headers: theirs, secret })).toMatchObject({ version: 'v2' })
  })
})

test('parseEvent tells events from orders', () => {
  expect(parseEvent(v2Body)).toEqual({ version: 'v2', event })
  expect(parseEvent(Buffer.from(v1Body))).toEqual({ version: 'v1', order })
})
