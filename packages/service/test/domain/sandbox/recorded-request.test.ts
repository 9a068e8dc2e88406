import { describe, expect, test } from 'vitest'
import { findOrderIds, recordBody, recordHeaders } from '../../../src/domain/sandbox/recorded-request.ts'
import { tokenRemover } from '../../../src/domain/sandbox/secrets.ts'

const ORDER = 'ord_01jnbk6w9e7x3v5c8m2q4t6y8z'

describe('a recorded body', () => {
  test('credentials, header values, identifiers and the query of a callback are removed', () => {
    const sent = {
      participant: { lastName: 'Lopez', identifiers: [{ type: 'ssn', value: '536-22-8841' }] },
      callback: {
        url: 'https://hooks.example.com/orders?key=hidden-1',
        headers: { 'X-Tenant': 'hidden-2' },
        auth: { type: 'custom', custom: { 'X-Key': 'hidden-3', deep: ['hidden-4'] }, secretKey: 'hidden-5' },
      },
      apiKey: 'hidden-6',
      clientSecret: 'hidden-7',
      token: 'hidden-8',
    }
    const { body } = recordBody(sent)
    expect(body).not.toMatch(/hidden|536-22/)
    expect(JSON.parse(body!)).toMatchObject({
      participant: { lastName: 'Lopez', identifiers: [{ type: 'ssn', value: '[removed]' }] },
      callback: {
        url: 'https://hooks.example.com/orders?[removed]',
        headers: { 'X-Tenant': '[removed]' },
        auth: { type: 'custom', secretKey: '[removed]' },
      },
    })
  })

  test.each([
    ['https://user:hidden@hooks.example.com/a#hidden', 'https://[removed]@hooks.example.com/a#[removed]'],
    ['https://hidden@hooks.example.com/a?b=hidden#c', 'https://[removed]@hooks.example.com/a?[removed]'],
    [
      'https://user:hid/den?x#@hooks.example.com:99999/a?hidden',
      'https://[removed]@hooks.example.com:99999/a?[removed]',
    ],
    ['hooks.example.com/a?key=hidden', 'hooks.example.com/a?[removed]'],
    ['https://hooks.example.com/a@b', 'https://hooks.example.com/a@b'],
  ])('of the address %s, %s is kept', (url, kept) => {
    expect(JSON.parse(recordBody({ callback: { url } }).body!)).toEqual({ callback: { url: kept } })
  })

  test('addresses within other texts are cleaned too', () => {
    const detail = 'Cannot call https://user:hidden@a.example/x?key=hidden now.'
    expect(JSON.parse(recordBody({ detail }).body!)).toEqual({
      detail: 'Cannot call https://[removed]@a.example/x?[removed] now.',
    })
  })

  test('the token of the caller is removed from names and values, in any encoding', () => {
    const clean = tokenRemover('Bearer to+ken.1')
    const { body } = recordBody({ 'to+ken.1': ['a to+ken.1', 'to%2Bken.1', '%74o%2bken%2E1', 'to+kenX1'] }, clean)
    expect(JSON.parse(body!)).toEqual({ '[removed]': ['a [removed]', '[removed]', '[removed]', 'to+kenX1'] })
  })

  test('what is not secret stays as it was', () => {
    const sent = { url: '/api/v2/orders?page=2', name: 'Núñez', list: [1, true, null], nextCursor: 'e.5a' }
    expect(recordBody(sent)).toEqual({ body: JSON.stringify(sent), isTruncated: false, orderIds: [] })
    expect(recordBody(Buffer.from(JSON.stringify(sent))).body).toBe(JSON.stringify(sent))
  })

  test('a long body is cut after 16 KiB, at a whole character', () => {
    const { body, isTruncated } = recordBody({ text: '漢'.repeat(10_000) })
    expect(isTruncated).toBe(true)
    expect(Buffer.byteLength(body!)).toBeLessThanOrEqual(16 * 1024)
    expect(Buffer.byteLength(body!)).toBeGreaterThan(16 * 1024 - 4)
    expect(body).toMatch(/漢$/)
  })

  test.each([undefined, null, 'not JSON', Buffer.from('<xml/>')])('of %o nothing is kept', (sent) => {
    expect(recordBody(sent)).toEqual({ body: null, isTruncated: false, orderIds: [] })
  })

  test('the orders in a text are found by their own ids and those of their services', () => {
    const service = 'osv_01jnbk6w9e7x3v5c8m2q4t6y90_2'
    expect(findOrderIds(`/api/v2/orders/${ORDER}/events "${ORDER}" ${service}`)).toEqual([
      ORDER,
      'ord_01jnbk6w9e7x3v5c8m2q4t6y90',
    ])
    expect(findOrderIds('/api/v2/orders/ord_unknown')).toEqual([])
  })
})

test('recorded headers have no authorization, and only harmless values', () => {
  const headers = {
    authorization: 'Bearer x',
    cookie: 'session=x',
    'x-api-key': 'x',
    'content-type': 'application/json',
  }
  expect(recordHeaders(headers)).toEqual({
    cookie: '[removed]',
    'x-api-key': '[removed]',
    'content-type': 'application/json',
  })
})
