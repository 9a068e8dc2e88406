import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { created, SECRET, TENANT, world } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { httpReceiver } from './receivers.ts'
import { endWork, startWorker, until } from './working.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT_ID = '00f067aa0ba902b7'
const GIVEN = `00-${TRACE_ID}-${PARENT_ID}-01`

const lines: Record<string, unknown>[] = []
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>)
    done()
  },
})

let service: TestService
beforeAll(async () => {
  service = await startService({
    policy: { production: false, callbackAllow: ['127.0.0.0/8'] },
    logger: pino({ level: 'debug' }, sink),
  })
  await service.apply(world())
})
afterAll(() => service.stop())
afterEach(endWork)

/** Cancels an order with this header, and returns the order's id. */
async function cancelWith(
  traceparent: string | undefined,
  posting: { callback: object; path?: string },
): Promise<string> {
  const { callback, ...how } = posting
  const order = await created(service, { callback }, how)
  const headers = traceparent === undefined ? {} : { traceparent }
  const path = `/api/v2/orders/${order.id}/cancellation`
  expect((await service.call(SECRET, { method: 'PUT', path, headers })).status).toBe(200)
  return order.id
}

const tracesOf = (orderId: string) =>
  service.pool.values<string | null>`select trace from events where tenant_id = ${TENANT} and order_id = ${orderId}`

describe('W3C trace context', () => {
  test.each(['/api/v2/orders', '/api/v1/orders'])(
    'deliveries to a callback of %s carry the trace of the request, each attempt with its own parent id',
    async (path) => {
      let answers = 0
      const receiver = await httpReceiver((_, response) => {
        response.statusCode = answers++ === 0 ? 500 : 200
        response.end()
      })
      startWorker(service.store)
      const orderId = await cancelWith(GIVEN, { callback: { url: receiver.url }, path })
      await until(() => receiver.requests.length === 2)
      expect(await tracesOf(orderId)).toEqual([`${TRACE_ID}-01`])
      const parents = receiver.requests.map(
        ({ headers }) => new RegExp(`^00-${TRACE_ID}-([0-9a-f]{16})-01$`).exec(String(headers['traceparent']))?.[1],
      )
      expect(new Set([PARENT_ID, ...parents]).size).toBe(3)
    },
  )

  test.each([undefined, `ff-${TRACE_ID}-${PARENT_ID}-01`, GIVEN.toUpperCase(), 'x'.repeat(9_000)])(
    'a request with the header %s causes deliveries without one',
    async (header) => {
      const receiver = await httpReceiver()
      startWorker(service.store)
      const orderId = await cancelWith(header, { callback: { url: receiver.url } })
      await until(() => receiver.requests.length > 0)
      expect(await tracesOf(orderId)).toEqual([null])
      expect(receiver.requests[0]!.headers).not.toHaveProperty('traceparent')
    },
  )

  test('a header of the registration replaces the one of the trace', async () => {
    const receiver = await httpReceiver()
    startWorker(service.store)
    await cancelWith(GIVEN, { callback: { url: receiver.url, headers: { TraceParent: 'mine' } } })
    await until(() => receiver.requests.length > 0)
    expect(receiver.requests[0]!.headers['traceparent']).toBe('mine')
  })

  test('lines of the request log have the trace id of a valid header alone', async () => {
    lines.length = 0
    const headers = (traceparent: string) => ({ traceparent, 'x-request-id': 'mine' })
    await service.call(SECRET, { method: 'GET', path: '/api/v2/companies', headers: headers(GIVEN) })
    await service.call(SECRET, { method: 'GET', path: '/api/v2/companies', headers: headers('00-evil') })
    await until(() => lines.filter(({ msg }) => msg === 'Answered').length === 2)
    expect(lines.filter(({ msg }) => msg === 'Answered').map(({ reqId, traceId }) => [reqId, traceId])).toEqual([
      ['mine', TRACE_ID],
      ['mine', undefined],
    ])
  })
})
