import { describe, expect, test } from 'vitest'
import {
  ConflictError,
  NetworkError,
  NotFoundError,
  OrderTestingError,
  RateLimitError,
  OrderTesting,
  type CreateOrder,
} from '../src/index.ts'
import { freePort } from '../../service/test/support/processes.ts'
import { retryAfterOf, retryDelay } from '../src/retry.ts'
import { answering, closeServersAfterEach, cut, failure, json, problem, text } from './servers.ts'

closeServersAfterEach()

const order = {} as CreateOrder
const busy = json(503, problem(503, 'internalError'), { 'retry-after': '0' })
const limited = json(429, problem(429, 'tooManyRequests'), { 'retry-after': '0' })
const done = json(200, { id: 'ord_1' })

const SAFE: [string, (client: OrderTesting) => Promise<unknown>][] = [
  ['a read', ({ orders }) => orders.get('ord_1')],
  ['a cancellation', ({ orders }) => orders.cancel('ord_1')],
  ['a create, which has a key', ({ orders }) => orders.create(order)],
  ['a validation', ({ orders }) => orders.validate(order)],
  ['a callback', ({ orders }) => orders.callbacks.put('ord_1', { url: 'https://example.com/' })],
]

describe('retries', () => {
  test.each(SAFE)('%s is retried after 429, 503 and a lost connection', async (_, call) => {
    const { client, seen } = await answering([limited, busy, cut, done])
    expect(await call(client)).toEqual({ id: 'ord_1' })
    expect(seen).toHaveLength(4)
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1)
  })

  test('a create is repeated with the same key', async () => {
    const { client, seen } = await answering([cut, cut, done])
    await client.orders.create(order)
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test.each([
    ['429', limited, RateLimitError],
    ['503', busy, OrderTestingError],
    ['a lost connection', cut, NetworkError],
  ])('a resend is not repeated after %s', async (_, answer, kind) => {
    const { client, seen } = await answering([answer, done])
    expect(await failure(client.orders.resendEvent('ord_1', 'evt_1'))).toBeInstanceOf(kind)
    expect(seen).toHaveLength(1)
  })

  test.each([400, 401, 403, 404, 409, 413, 422, 501])('status %d is not retried', async (status) => {
    const { client, seen } = await answering([json(status, problem(status, 'badRequest')), done])
    expect((await failure<OrderTestingError>(client.orders.get('ord_1'))).status).toBe(status)
    expect(seen).toHaveLength(1)
  })

  test('retries end after the number that was asked for', async () => {
    const { client, seen } = await answering([busy], { maxRetries: 1 })
    expect((await failure<OrderTestingError>(client.token())).status).toBe(503)
    expect(seen).toHaveLength(2)
    await failure(client.token({ maxRetries: 0 }))
    expect(seen).toHaveLength(3)
  })

  test('a Retry-After of more than a minute is left to the caller', async () => {
    const answer = json(429, problem(429, 'tooManyRequests'), { 'retry-after': '61' })
    const { client, seen } = await answering([answer])
    const error = await failure<RateLimitError>(client.token())
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error.retryAfter).toBe(61)
    expect(seen).toHaveLength(1)
  })

  test('an abort ends the wait before a retry', async () => {
    const controller = new AbortController()
    const wait = json(503, problem(503, 'internalError'), { 'retry-after': '50' })
    const { client, seen } = await answering([
      (response, request) => {
        wait(response, request)
        response.on('close', () => controller.abort(new Error('enough')))
      },
    ])
    expect((await failure(client.token({ signal: controller.signal }))).message).toBe('enough')
    expect(seen).toHaveLength(1)
  })

  test('waits are random up to a bound that doubles, and at least Retry-After', () => {
    const error = new NetworkError('lost')
    const bounds = [0, 1, 2, 3, 4, 5, 6].map((retries) => retryDelay(error, retries, () => 1))
    expect(bounds).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
    expect(retryDelay(error, 3, () => 0)).toBe(0)
    expect(retryDelay(new RateLimitError('slow', { status: 429, retryAfter: 7 }), 0, () => 0.5)).toBe(7250)
    expect(retryDelay(new NotFoundError('none', { status: 404 }), 0)).toBeUndefined()
  })

  test.each([
    [null, undefined],
    ['3', 3],
    ['Mon, 02 Mar 2026 15:00:30 GMT', 30],
    ['Mon, 02 Mar 2026 14:00:00 GMT', 0],
    ['-1', undefined],
    ['1e9', undefined],
    ['soon', undefined],
    ['99999999999999999999', undefined],
  ])('the Retry-After header %j is %s seconds', (header, seconds) => {
    expect(retryAfterOf(header, Date.parse('2026-03-02T15:00:00Z'))).toBe(seconds)
  })
})

describe('errors', () => {
  test('of the network say what failed', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`
    const client = new OrderTesting({ token: 'secret', baseUrl, maxRetries: 0 })
    expect((await failure(client.token())).message).toMatch(
      /^GET \/api\/v2\/token failed: fetch failed: .*ECONNREFUSED/,
    )
  })

  test('have the status, the problems with their pointers, and the request id', async () => {
    const body = {
      error: 'Bad Request',
      statusCode: 400,
      errors: [
        { code: 'required', detail: 'Required.', source: { pointer: '/participant/birthDate' } },
        { code: 'aCodeOfTomorrow', detail: 'New.', meta: { docs: '/docs', omitted: 3 } },
      ],
    }
    const { client } = await answering([json(400, body, { 'x-request-id': 'req_7' })])
    const error = await failure<OrderTestingError>(client.orders.create(order, { idempotencyKey: 'k' }))
    expect(error).toMatchObject({ name: 'OrderTestingError', status: 400, requestId: 'req_7', idempotencyKey: 'k' })
    expect(error.problems).toEqual([
      { code: 'required', detail: 'Required.', pointer: '/participant/birthDate' },
      { code: 'aCodeOfTomorrow', detail: 'New.', meta: { docs: '/docs', omitted: 3 } },
    ])
    expect(error.message).toBe('POST /api/v2/orders answered 400: /participant/birthDate: Required. (and 1 more)')
  })

  test.each([
    [404, NotFoundError],
    [409, ConflictError],
    [429, RateLimitError],
  ])('of status %d have a class', async (status, kind) => {
    const { client } = await answering([json(status, problem(status, 'x'))], { maxRetries: 0 })
    const error = await failure(client.token())
    expect(error).toBeInstanceOf(kind)
    expect(error).toBeInstanceOf(OrderTestingError)
    expect(error.name).toBe(kind.name)
  })

  test('have no problems if a proxy answered in the place of the service', async () => {
    const { client } = await answering([text(502, '<html>Bad gateway</html>')], { maxRetries: 0 })
    const error = await failure<OrderTestingError>(client.token())
    expect(error).toMatchObject({ status: 502, problems: [], message: 'GET /api/v2/token answered 502' })
  })
})
