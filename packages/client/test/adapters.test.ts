import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  expressWebhook,
  fastifyWebhook,
  fetchWebhook,
  signTestWebhook,
  type Delivery,
  type WebhookError,
} from '../src/webhooks/index.ts'

const secret = 'signing-secret'
const event = { object: 'event', id: 'evt_1', type: 'order.updated', data: { object: 'order', id: 'ord_1' } }

const deliveries: Delivery[] = []
const refusals: WebhookError[] = []
const options = {
  secret,
  maxBytes: 10_000,
  onDelivery: (delivery: Delivery) => {
    if (delivery.eventId === 'evt_bad') throw new Error('not now')
    deliveries.push(delivery)
  },
  onRefused: (error: WebhookError) => void refusals.push(error),
}

const closing: (() => unknown)[] = []
beforeEach(() => {
  deliveries.length = 0
  refusals.length = 0
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Send = (init: { body: string; headers: Record<string, string> }) => Promise<number>

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
  async (init) =>
    (await fetch(url, { method: 'POST', ...init })).status

const onExpress = (prepare: (app: express.Express) => void) => () => {
  const app = express()
  prepare(app)
  // Express prints errors unless a handler takes them.
  app.use(((_error, _request, response, _next) => void response.status(500).end()) as express.ErrorRequestHandler)
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
  return async (init) => {
    const answer = handle(new Request('https://example.com/hook', { method: 'POST', ...init }))
    return answer.then(
      ({ status }) => status,
      () => 500,
    )
  }
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
    expect(await send(await signTestWebhook({ payload: event, secret }))).toBe(204)
    expect(deliveries).toMatchObject([{ version: 'v2', event, eventId: 'evt_1' }])
  })

  test('refuses what is not signed with the secret, and says why only to its own log', async () => {
    const send = await start()
    expect(await send(await signTestWebhook({ payload: event, secret: 'another' }))).toBe(400)
    expect(await send({ body: '', headers: { 'content-type': 'application/json' } })).toBe(400)
    expect(refusals.map(({ reason }) => reason)).toEqual(['wrongSecret', 'missingSignature'])
    expect(deliveries).toEqual([])
  })

  test('answers 500 if the delivery could not be processed, so that it comes again', async () => {
    const send = await start()
    expect(await send(await signTestWebhook({ payload: { ...event, id: 'evt_bad' }, secret }))).toBe(500)
  })
})

test.each(PLACES.filter(([name]) => !name.includes('raw')))('%s takes no more than the limit', async (_, start) => {
  const send = await start()
  const large = await signTestWebhook({ payload: { ...event, note: 'x'.repeat(200_000) } as typeof event, secret })
  // The connection may be closed before the answer is read.
  const status = await send(large).catch(() => 'closed')
  expect([413, 'closed']).toContain(status)
  expect(deliveries).toEqual([])
})

test('behind express.json the handler fails with the way to fix it', async () => {
  const errors: Error[] = []
  const send = await onExpress((app) => {
    app.use(express.json())
    app.post('/hook', (request, response, next) =>
      expressWebhook(options)(request, response, (error) => {
        errors.push(error as Error)
        next(error)
      }),
    )
  })()
  expect(await send(await signTestWebhook({ payload: event, secret }))).toBe(500)
  expect(errors[0]?.message).toContain('Pass the bytes as they arrived')
})

test('other routes of a Fastify application keep their parsers', async () => {
  const app = Fastify()
  app.post('/other', (request) => request.body)
  await app.register(fastifyWebhook, { ...options, path: '/hook' })
  const answer = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } })
  expect(answer.json()).toEqual({ a: 1 })
  await app.close()
})
