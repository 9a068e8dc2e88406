import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { body, created, SECRET, world } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { refusalOf } from './answers.ts'
import { exchange, exchangeOne } from './raw.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
})
afterAll(() => service.stop())

const sent = (line: string, { headers = [] as string[], content = '' } = {}) =>
  [
    `${line} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${SECRET}`,
    ...(content === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
    ...headers,
    '',
    content,
  ].join('\r\n')

const LAST = { headers: ['Connection: close'] }

describe('requests that are sent together on one connection', () => {
  test('a read sees the change that was sent before it', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await created(service)
      const path = `/api/v2/orders/${id}`
      const answers = await exchange(
        service.origin,
        sent(`GET ${path}`) + sent(`PUT ${path}/cancellation`) + sent(`GET ${path}`, LAST),
      )
      const seen = answers.map(({ status, text }) => [status, (JSON.parse(text || '{}') as { status?: string }).status])
      expect(seen.map(([status]) => status)).toEqual([200, expect.any(Number), 200])
      expect([seen[0]![1], seen[2]![1]]).toEqual(['ordered', 'cancelled'])
    }
  })

  test('two creates with the same key give one order', async () => {
    const create = (headers: string[]) =>
      sent('POST /api/v2/orders', {
        headers: ['Idempotency-Key: sent-together', ...headers],
        content: JSON.stringify(body()),
      })
    const answers = await exchange(service.origin, create([]) + create(LAST.headers))
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect(answers[1]!.text).toBe(answers[0]!.text)
  })

  test('nonsense after requests is refused after they were answered', async () => {
    const answers = await exchange(
      service.origin,
      `${sent('POST /api/v2/orders', { content: JSON.stringify(body()) })}${sent('GET /api/v2/orders')}nonsense\r\n\r\n`,
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 400])
    expect(refusalOf(answers[2]!)).toBe('400 badRequest')
  })
})

describe('a request with two Host headers is refused', () => {
  test.each(['GET /api/v2/orders', 'GET /api/v2/companies', 'GET /healthz', 'POST /api/v2/orders'])(
    '%s',
    async (line) => {
      const once = await exchangeOne(service.origin, sent(line, LAST))
      expect(once.text).not.toContain('Host')
      for (const second of ['Host: y', 'hOST: x']) {
        const twice = await exchangeOne(service.origin, sent(line, { headers: [second, ...LAST.headers] }))
        expect(refusalOf(twice)).toBe('400 badRequest')
        expect(twice.text).toContain('Host')
      }
    },
  )
})
