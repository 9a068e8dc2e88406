import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  expressWebhook,
  fastifyWebhook,
  fetchWebhook,
  signTestWebhook,
  verifyWebhook,
  type Delivery,
  type WebhookError,
} from '../src/webhooks/index.ts'

const secret = 'signing-secret'
const event = { object: 'event', id: 'evt_1', type: 'order.updated', data: { object: 'order', id: 'ord_1' } }

const deliveries: Delivery[] = []
const refusals: WebhookError[] = []
const errors: unknown[] = []
let thrown: unknown
const options = {
  secret,
  maxBytes: 10_000,
  onDelivery: (delivery: Delivery) => {
    if (delivery.eventId === 'evt_bad') throw thrown
    deliveries.push(delivery)
  },
  onRefused: (error: WebhookError) => void refusals.push(error),
  onError: (error: unknown) => void errors.push(error),
}

const closing: (() => unknown)[] = []
beforeEach(() => {
  deliveries.length = 0
  refusals.length = 0
  errors.length = 0
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Send = (init: { body: string; headers: Record<string, string> }) => Promise<Response>

async function listening(listener: RequestListener): Promise<Send> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return sender(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
}

const sender =
  (url: string): Send =>
  (init) =>
    fetch(url, { method: 'POST', ...init })

const onExpress = (prepare: (app: express.Express) => void) => () => {
  const app = express()
  prepare(app)
  return listening(app as RequestListener)
}

async function onFastify(): Promise<Send> {
  const app = Fastify()
  app.post('/other', (request) => request.body)
  await app.register(fastifyWebhook, { ...options, path: '/hook' })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  closing.push(() => app.close())
  return sender(`${origin}/hook`)
}

const onFetch = async (): Promise<Send> => {
  const handle = fetchWebhook(options)
  return (init) => handle(new Request('https://example.com/hook', { method: 'POST', ...init }))
}

const PLACES: [string, () => Promise<Send>][] = [
  [
    'Express, before the body parser',
    onExpress((app) => app.post('/hook', expressWebhook(options)).use(express.json())),
  ],
  [
    'Express, behind express.raw',
    onExpress((app) => app.use(express.raw({ type: '*/*' })).post('/hook', expressWebhook(options))),
  ],
  ['node:http', () => listening((request, response) => void expressWebhook(options)(request, response))],
  ['Fastify', onFastify],
  ['a fetch handler', onFetch],
]

describe.each(PLACES)('%s', (_, start) => {
  test('hands on a genuine delivery and answers 204', async () => {
    const send = await start()
    expect((await send(await signTestWebhook({ payload: event, secret }))).status).toBe(204)
    expect(deliveries).toMatchObject([{ version: 'v2', event, eventId: 'evt_1' }])
  })

  test('refuses what is not signed with the secret, and says why only to its own log', async () => {
    const send = await start()
    expect((await send(await signTestWebhook({ payload: event, secret: 'another' }))).status).toBe(400)
    expect((await send({ body: '', headers: { 'content-type': 'application/json' } })).status).toBe(400)
    expect(refusals.map(({ reason }) => reason)).toEqual(['wrongSecret', 'missingSignature'])
    expect(deliveries).toEqual([])
  })

  test.each<[string, unknown]>([
    ['an error', new Error('not now')],
    ['nothing', undefined],
    ...[401, 404, 410].map((status): [string, unknown] => [
      `an error with the status ${status}`,
      failed({ status, statusCode: status }),
    ]),
    ['an error with headers', failed({ status: 410, expose: true, headers: { 'x-secret': 'yes' } })],
  ])('answers 500 and nothing else if onDelivery throws %s, so that it comes again', async (_name, error) => {
    const send = await start()
    thrown = error
    const answer = await send(await signTestWebhook({ payload: { ...event, id: 'evt_bad' }, secret }))
    expect([answer.status, await answer.text(), answer.headers.get('x-secret')]).toEqual([500, '', null])
    expect(errors).toEqual([error])
  })
})

function failed(members: object): Error {
  return Object.assign(new Error('not found'), members)
}

describe('an error of onDelivery', () => {
  const failing = async (onError?: () => never) => {
    thrown = new Error('not now')
    const handle = fetchWebhook({ ...options, onError })
    const init = await signTestWebhook({ payload: { ...event, id: 'evt_bad' }, secret })
    const print = vi.spyOn(console, 'error').mockReturnValue()
    const { status } = await handle(new Request('https://example.com/hook', { method: 'POST', ...init }))
    const printed = print.mock.calls.map(([, error]) => error as unknown)
    print.mockRestore()
    return { status, printed }
  }

  test('is printed unless there is an onError', async () => {
    expect(await failing()).toEqual({ status: 500, printed: [thrown] })
  })

  test('is answered with 500 also if onError throws, and what that throws is printed', async () => {
    const failure = new Error('the log is full')
    const onError = () => {
      throw failure
    }
    expect(await failing(onError)).toEqual({ status: 500, printed: [failure] })
  })
})

test('a request whose body was read before answers 500 from a fetch handler', async () => {
  const init = await signTestWebhook({ payload: event, secret })
  const request = new Request('https://example.com/hook', { method: 'POST', ...init })
  await request.text()
  expect((await fetchWebhook(options)(request)).status).toBe(500)
  expect(errors).toHaveLength(1)
})

describe.each([undefined, null, '', [], ['good', ''], [undefined]])('the secret %j', (missing) => {
  const given = { ...options, secret: missing as string, path: '/hook' }

  test('is refused when a handler is made', async () => {
    expect(() => expressWebhook(given)).toThrow(TypeError)
    expect(() => fetchWebhook(given)).toThrow('The secret is missing.')
    await expect(Fastify().register(fastifyWebhook, given).ready()).rejects.toThrow(TypeError)
  })

  test('is refused when a delivery is verified or signed', async () => {
    const signed = await signTestWebhook({ payload: event, secret })
    await expect(verifyWebhook({ ...signed, secret: missing as string })).rejects.toThrow(TypeError)
    await expect(signTestWebhook({ payload: event, secret: missing as string })).rejects.toThrow(TypeError)
  })
})

test.each(PLACES.filter(([name]) => !name.includes('raw')))('%s takes no more than the limit', async (_, start) => {
  const send = await start()
  const large = await signTestWebhook({ payload: { ...event, note: 'x'.repeat(200_000) } as typeof event, secret })
  // The connection may be closed before the answer is read.
  const status = await send(large).then(
    (answer) => answer.status,
    () => 'closed',
  )
  expect([413, 'closed']).toContain(status)
  expect(deliveries).toEqual([])
})

test('behind express.json the handler answers 500 and tells onError how to fix it', async () => {
  const send = await onExpress((app) => app.use(express.json()).post('/hook', expressWebhook(options)))()
  expect((await send(await signTestWebhook({ payload: event, secret }))).status).toBe(500)
  expect(String(errors[0])).toContain('Pass the bytes as they arrived')
})

test('other routes of a Fastify application keep their parsers', async () => {
  const app = Fastify()
  app.post('/other', (request) => request.body)
  await app.register(fastifyWebhook, { ...options, path: '/hook' })
  const answer = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } })
  expect(answer.json()).toEqual({ a: 1 })
  await app.close()
})
