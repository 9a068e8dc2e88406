import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Callback } from '@order-testing/contract'
import { requestHeaders, withoutCredentials, withoutIdentifiers } from '../../src/webhooks/wire.ts'

const NOW = new Date('2026-03-01T12:00:00.987Z')
const BODY = Buffer.from('{"object":"event"}')

function headersFor(
  callback: Pick<Callback, 'headers' | 'auth'>,
  { version = 'v2', body = BODY, now = NOW }: { version?: 'v1' | 'v2'; body?: Buffer; now?: Date } = {},
) {
  return requestHeaders({ id: 'dlv_1', eventId: 'evt_1', attempt: 3, callback, version, body, now })
}

/** The numbers that every delivery carries (ruling 48). */
const NUMBERS = { 'X-Event-Id': 'evt_1', 'X-Delivery-Id': 'dlv_1', 'X-Delivery-Attempt': '3' }

/** As a receiver's own few lines would do it. */
function hmac(secret: string, ...parts: (string | Buffer)[]): string {
  return createHmac('sha256', secret)
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest('hex')
}

describe('the headers of every delivery', () => {
  test.each(['v1', 'v2'] as const)('a %s delivery is JSON and names the service', (version) => {
    const headers = headersFor({}, { version })
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': expect.stringMatching(/^order-testing-service\/\d+\.\d+\.\d+/),
      ...NUMBERS,
    })
  })

  test('a delivery carries the headers of its registration', () => {
    expect(headersFor({ headers: { 'X-Team': 'safety', Empty: '' } })).toMatchObject({ 'X-Team': 'safety', Empty: '' })
  })
})

describe('the four forms of auth', () => {
  test.each<[NonNullable<Callback['auth']>, Record<string, string>]>([
    [{ type: 'apiKey', apiKey: 'key' }, { 'X-API-Key': 'key' }],
    [{ type: 'bearer', token: 'token' }, { Authorization: 'Bearer token' }],
    [{ type: 'basic', username: 'maría ☃', password: 'a:b' }, { Authorization: 'Basic bWFyw61hIOKYgzphOmI=' }],
    [{ type: 'basic', username: 'u', password: '' }, { Authorization: 'Basic dTo=' }],
    [{ type: 'basic', username: '', password: 'p' }, { Authorization: 'Basic OnA=' }],
    [
      { type: 'custom', custom: { 'X-One': '1', 'x-two': '2' } },
      { 'X-One': '1', 'x-two': '2' },
    ],
  ])('auth %j is sent as its header', (auth, expected) => {
    const { 'Content-Type': _type, 'User-Agent': _agent, ...rest } = headersFor({ auth })
    expect(rest).toEqual({ ...NUMBERS, ...expected })
  })
})

describe('headers of the same name', () => {
  test('a header of the registration replaces the default of the same name', () => {
    const headers = headersFor({ headers: { 'content-type': 'application/vnd.a+json', 'USER-AGENT': 'them' } })
    expect(headers).toEqual({ 'content-type': 'application/vnd.a+json', 'USER-AGENT': 'them', ...NUMBERS })
  })

  test('ruling 48: a header of the registration replaces the number of the same name', () => {
    const headers = headersFor({ headers: { 'x-event-id': 'theirs' } })
    expect(headers).toMatchObject({ 'x-event-id': 'theirs', 'X-Delivery-Id': 'dlv_1' })
    expect(headers).not.toHaveProperty('X-Event-Id')
  })

  test('a header of auth replaces the registration’s of the same name', () => {
    const given = { authorization: 'Basic eA==', 'x-api-key': 'old' }
    expect(headersFor({ headers: given, auth: { type: 'bearer', token: 'new' } })).toMatchObject({
      Authorization: 'Bearer new',
      'x-api-key': 'old',
    })
    expect(headersFor({ headers: given, auth: { type: 'apiKey', apiKey: 'new' } })).toMatchObject({
      authorization: 'Basic eA==',
      'X-API-Key': 'new',
    })
    expect(headersFor({ headers: given, auth: { type: 'custom', custom: { AUTHORIZATION: 'c' } } })).toMatchObject({
      AUTHORIZATION: 'c',
    })
  })

  test('a registered header that belongs to the request itself is ignored', () => {
    const theirs = Object.fromEntries(
      [
        'Host',
        'content-LENGTH',
        'Transfer-Encoding',
        'connection',
        'Keep-Alive',
        'Upgrade',
        'Expect',
        'x-signature',
        'webhook-id',
        'Webhook-Signature',
        'webhook-anything',
      ].map((name) => [name, 'theirs']),
    )
    const auth = { type: 'custom' as const, custom: theirs, secretKey: 'secret' }
    const headers = headersFor({ headers: theirs, auth })
    expect(Object.values(headers)).not.toContain('theirs')
    const signed = ['X-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
    expect(Object.keys(headers)).toEqual(['Content-Type', 'User-Agent', ...Object.keys(NUMBERS), ...signed])
  })

  test('no header is sent twice, whatever was registered', () => {
    const name = fc.constantFrom('a', 'A', 'Authorization', 'AUTHORIZATION', 'content-type', 'X-Api-Key', '__proto__')
    const given = fc.array(fc.tuple(name, fc.string())).map((pairs) => Object.fromEntries(pairs))
    fc.assert(
      fc.property(given, given, (headers, custom) => {
        const names = Object.keys(headersFor({ headers, auth: { type: 'custom', custom, secretKey: 's' } }))
        const folded = names.map((each) => each.toLowerCase())
        expect(new Set(folded).size).toBe(folded.length)
        for (const each of [...Object.keys(headers), ...Object.keys(custom)])
          expect(folded).toContain(each.toLowerCase())
      }),
    )
  })
})

describe('Signature', () => {
  const bodies: [what: string, body: Buffer][] = [
    ['plain', BODY],
    ['UTF-8', Buffer.from('{"name":"Zoë Núñez 李 🙂"}')],
    ['large', Buffer.alloc(1_000_000, 'é')],
    ['no text at all', Buffer.from([0, 255, 254, 10, 13])],
    ['empty', Buffer.alloc(0)],
  ]
  const auth = { type: 'apiKey' as const, apiKey: 'key', secretKey: 'sécret ☃' }

  test.each(bodies)('a v2 signature covers the time and the exact bytes: %s', (_, body) => {
    const t = 1772366400
    expect(headersFor({ auth }, { body })['X-Signature']).toBe(`t=${t},sha256=${hmac('sécret ☃', `${t}.`, body)}`)
  })

  test.each(bodies)('a v1 signature covers the exact bytes alone: %s', (_, body) => {
    expect(headersFor({ auth }, { version: 'v1', body })['X-Signature']).toBe(`sha256=${hmac('sécret ☃', body)}`)
  })

  test('signatures match fixed vectors', () => {
    const body = Buffer.from('{"name":"Zoë"}')
    const signed = headersFor({ auth: { type: 'bearer', token: 't', secretKey: 'secret' } }, { version: 'v1', body })
    expect(signed['X-Signature']).toBe('sha256=e8909f909b68dc34777263fd3d52701545a5f10eb6bddc9a996cd580f8e4942a')
  })

  test.each(['v1', 'v2'] as const)('ruling 48: a %s delivery has the signature of Standard Webhooks', (version) => {
    const headers = headersFor({ auth }, { version })
    const signature = Buffer.from(hmac('sécret ☃', 'evt_1.1772366400.', BODY), 'hex').toString('base64')
    expect(headers).toMatchObject({
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1772366400',
      'webhook-signature': `v1,${signature}`,
    })
    expect(headersFor({}, { version })).not.toHaveProperty('webhook-signature')
  })

  test('each attempt has a new signature', () => {
    const later = new Date(NOW.getTime() + 5000)
    expect(headersFor({ auth }, { now: later })['X-Signature']).toMatch(/^t=1772366405,/)
  })

  test.each(['v1', 'v2'] as const)('a %s delivery without a secretKey has no signature', (version) => {
    expect(headersFor({ auth: { type: 'apiKey', apiKey: 'key' } }, { version })).not.toHaveProperty('X-Signature')
    expect(headersFor({}, { version })).not.toHaveProperty('X-Signature')
  })
})

describe('a response that echoes the request', () => {
  const cases: Pick<Callback, 'headers' | 'auth'>[] = [
    { auth: { type: 'apiKey', apiKey: 'hunter2"hunter2' } },
    { auth: { type: 'bearer', token: 'hunter2-hunter2' } },
    { auth: { type: 'basic', username: 'user', password: 'hunter2\\hunter2' } },
    { auth: { type: 'custom', custom: { 'X-Key': 'hunter2 hunter2' } } },
    { headers: { Authorization: 'Token hunter2hunter2' } },
  ]

  test.each(cases)('the credentials of %j are removed from a response that echoes them', (callback) => {
    const headers = headersFor(callback)
    const cleaned = withoutCredentials(`${JSON.stringify(headers)} ${Object.values(headers).join(' ')}`, headers)
    expect(cleaned).not.toContain('hunter2')
    expect(cleaned).not.toContain('aHVudGVyMg')
    expect(cleaned).toContain('order-testing-service/')
  })

  test('a password that the receiver has decoded is removed from its response', () => {
    const headers = headersFor({ auth: { type: 'basic', username: 'user', password: 'hun"ter2' } })
    expect(withoutCredentials('{"PHP_AUTH_PW":"hun\\"ter2"} hun"ter2', headers)).toBe(
      '{"PHP_AUTH_PW":"[removed]"} [removed]',
    )
  })

  test('the rest of the response is unchanged', () => {
    expect(withoutCredentials('accepted by a team', headersFor({ headers: { 'X-A': 'a', Team: '' } }))).toBe(
      'accepted by a team',
    )
  })
})

test('identifiers that a receiver echoes are removed, however it formats them', () => {
  const body = Buffer.from(
    JSON.stringify({ object: 'order', participant: { identifiers: [{ type: 'ssn', value: '536-22-8841' }] } }),
  )
  expect(withoutIdentifiers('{"ssn":"536-22-8841","plain":"536228841"}', body)).toBe(
    '{"ssn":"[removed]","plain":"[removed]"}',
  )
  expect(withoutIdentifiers('nothing of the kind', Buffer.from('{"object":"event"}'))).toBe('nothing of the kind')
})
