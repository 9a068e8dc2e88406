import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signV1, signV2, verifySignature } from '../src/signature.ts'

const secret = 'sécret key'
const body = '{"naïve":"Núñez – 検査 🧪"}'
const now = new Date('2026-03-02T15:05:37.120Z')

/** Computed with `openssl dgst -sha256 -hmac`, not with this code. */
const V2 = 't=1772463937,sha256=79ce619813256ca62d7935c1ffc78e636be5f73d25df216ca736efcce0499447'
const V1 = 'sha256=9a00f1a86cf98adcb99a544cae64784d8d44c0d73e22cf93aef6514f2d71ddf4'

const verify = (delivery: Partial<Parameters<typeof verifySignature>[0]>) =>
  verifySignature({ body, header: V2, secret, now, ...delivery })

const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('signing (Events, Signature)', () => {
  test('v2 signs the time, a period and the bytes of the body', () => {
    expect(signV2({ body, secret, now })).toBe(V2)
  })

  test('v1 signs the bytes of the body alone', () => {
    expect(signV1({ body, secret })).toBe(V1)
  })

  test('text and its UTF-8 bytes have the same signature', () => {
    expect(signV2({ body: Buffer.from(body), secret, now })).toBe(V2)
    expect(signV1({ body: new TextEncoder().encode(body), secret })).toBe(V1)
  })

  test('the signed time has no fraction of a second', () => {
    expect(signV2({ body, secret, now: new Date('2026-03-02T15:05:37.999Z') })).toBe(V2)
  })

  test.each([0, 1, 5_000_000])('the signature equals a separately computed HMAC-SHA256 of %d bytes', (size) => {
    const bytes = Buffer.alloc(
      size,
      Uint8Array.from({ length: 251 }, (_, index) => index),
    )
    const byHand = createHmac('sha256', secret)
      .update(Buffer.concat([Buffer.from('1772463937.'), bytes]))
      .digest('hex')
    const header = signV2({ body: bytes, secret, now })
    expect(header).toBe(`t=1772463937,sha256=${byHand}`)
    expect(verify({ body: bytes, header })).toEqual({ valid: true, version: 'v2' })
  })
})

describe('verifying', () => {
  test('the version is derived from the format of the header', () => {
    expect(verify({})).toEqual({ valid: true, version: 'v2' })
    expect(verify({ header: V1 })).toEqual({ valid: true, version: 'v1' })
  })

  test.each([0, 299, 300, -300])('a v2 signature that is %d seconds old is accepted', (age) => {
    expect(verify({ now: later(age) })).toMatchObject({ valid: true })
  })

  test.each([301, 86_400, -301])('a v2 signature that is %d seconds old is refused', (age) => {
    expect(verify({ now: later(age) })).toEqual({
      valid: false,
      reason: `The signature is ${age} seconds old; at most 300 are accepted.`,
    })
  })

  test('a v1 signature, which has no time, is accepted at any age', () => {
    expect(verify({ header: V1, now: later(86_400) })).toMatchObject({ valid: true, version: 'v1' })
  })

  test.each([
    ['another secret', { secret: 'secret key' }],
    ['another body', { body: `${body} ` }],
    ['a body parsed and written again', { body: JSON.stringify(JSON.parse(body), null, 1) }],
    ['another time', { header: V2.replace('t=1772463937', 't=1772463938') }],
    ['the time left out', { header: V2.replace('t=1772463937,', '') }],
    ['a time put before a v1 signature', { header: `t=1772463937,${V1}` }],
    ['another last digit', { header: V2.replace(/.$/, '8') }],
  ])('a signature with %s is refused', (_, delivery) => {
    expect(verify(delivery)).toMatchObject({ valid: false, reason: expect.stringContaining('does not match') })
  })

  test.each([
    ['empty', ''],
    ['not a signature', 'hello'],
    ['too short', V2.slice(0, -1)],
    ['too long', `${V2}0`],
    ['in capitals', V1.toUpperCase()],
    ['not hexadecimal', V1.replace(/.$/, 'g')],
    ['without a time', V2.replace('t=1772463937', 't=')],
    ['of a negative time', V2.replace('t=', 't=-')],
    ['of a fractional time', V2.replace('937', '937.5')],
    ['with a line break', `${V2}\n`],
    ['a second one after it', `${V2},${V1}`],
    ['another algorithm', V1.replace('sha256', 'sha1')],
  ])('a header that is %s is refused', (_, header) => {
    expect(verify({ header })).toMatchObject({ valid: false, reason: expect.stringContaining('neither') })
  })

  test('a missing header is reported', () => {
    expect(verify({ header: undefined })).toMatchObject({ valid: false, reason: expect.stringContaining('missing') })
  })
})
