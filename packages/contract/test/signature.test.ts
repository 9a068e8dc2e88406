import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signV1, signV2 } from '../src/signature.ts'

const secret = 'sécret key'
const body = '{"naïve":"Núñez – 検査 🧪"}'
const now = new Date('2026-03-02T15:05:37.120Z')

/** Computed with `openssl dgst -sha256 -hmac`, not with this code. */
const V2 = 't=1772463937,sha256=79ce619813256ca62d7935c1ffc78e636be5f73d25df216ca736efcce0499447'
const V1 = 'sha256=9a00f1a86cf98adcb99a544cae64784d8d44c0d73e22cf93aef6514f2d71ddf4'

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
    expect(signV2({ body: bytes, secret, now })).toBe(`t=1772463937,sha256=${byHand}`)
  })
})
