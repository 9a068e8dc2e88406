import { afterEach, describe, expect, test } from 'vitest'
import { Connections } from '../../src/webhooks/connections.ts'
import { Sender } from '../../src/webhooks/sender.ts'
import { closeAll, httpReceiver, openSender, rawReceiver, request } from './receivers.ts'

afterEach(closeAll)

const OK = { kind: 'answered', status: 200, retryAfter: null }
const EMPTY = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'

describe('connections to receivers', () => {
  test('a connection is kept for the next request to the same origin', async () => {
    const receiver = await httpReceiver((_, response) => response.end('ok'))
    const sender = openSender()
    for (let i = 0; i < 5; i += 1) await sender.send(request(receiver.url))
    expect(receiver.requests).toHaveLength(5)
    expect(receiver.arrivals).toHaveLength(1)
  })

  test('a connection is never used for another origin', async () => {
    const [a, b] = [await httpReceiver(), await httpReceiver()]
    const sender = openSender()
    for (const { url } of [a, b, a, b]) await sender.send(request(url))
    expect([a.requests.length, b.requests.length]).toEqual([2, 2])
    expect([a.arrivals.length, b.arrivals.length]).toEqual([1, 1])
  })

  test('a connection carries one request at a time', async () => {
    const receiver = await httpReceiver((_, response) => setTimeout(() => response.end(), 50))
    const sender = openSender()
    await Promise.all(Array.from({ length: 8 }, () => sender.send(request(receiver.url))))
    expect(receiver.arrivals).toHaveLength(8)
  })

  test('a connection that the receiver asks to close is not kept', async () => {
    const receiver = await httpReceiver((_, response) => response.setHeader('Connection', 'close').end())
    const sender = openSender()
    for (let i = 0; i < 3; i += 1) expect((await sender.send(request(receiver.url))).outcome).toEqual(OK)
    expect(receiver.arrivals).toHaveLength(3)
  })

  test('an idle connection that the receiver has closed costs no attempt', async () => {
    const receiver = await httpReceiver()
    const sender = openSender()
    await sender.send(request(receiver.url))
    receiver.cut()
    await expect.poll(() => receiver.open()).toBe(0)
    expect((await sender.send(request(receiver.url))).outcome).toEqual(OK)
  })

  test('a kept connection that the receiver closes as the request arrives costs no attempt', async () => {
    const served = new WeakSet<object>()
    const receiver = await rawReceiver((socket) =>
      socket.on('data', () => {
        if (served.has(socket)) socket.resetAndDestroy()
        else socket.write(EMPTY)
        served.add(socket)
      }),
    )
    const sender = openSender()
    for (let i = 0; i < 4; i += 1) expect((await sender.send(request(receiver.url))).outcome).toEqual(OK)
    expect(receiver.arrivals).toHaveLength(4)
  })

  test('a new connection that the receiver closes at once is not dialled again', async () => {
    const receiver = await rawReceiver((socket) => socket.destroy())
    expect((await openSender().send(request(receiver.url))).outcome).toMatchObject({ kind: 'failed' })
    expect(receiver.arrivals).toHaveLength(1)
  })

  test('an idle connection is closed after a few seconds', async () => {
    const receiver = await rawReceiver((socket) => socket.on('data', () => socket.write(EMPTY)))
    await openSender().send(request(receiver.url))
    expect(receiver.open()).toBe(1)
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test('connections to more than a thousand receivers stay open', async () => {
    const receiver = await httpReceiver(undefined, { host: '0.0.0.0' })
    const { connections, urls } = await openIdle(receiver, 1_100, 20_000)
    expect(urls.filter((url) => !connections.takeIdle(url.origin))).toEqual([])
    receiver.cut()
  })

  test('at most 2,048 connections stay idle, however many origins there are', async () => {
    const receiver = await httpReceiver(undefined, { host: '0.0.0.0' })
    const { connections } = await openIdle(receiver, 2_100, 20_000)
    await expect.poll(() => receiver.open()).toBe(2_048)
    connections.close()
  })

  test('at most a quarter of the files that the process may open are idle connections', async () => {
    const receiver = await httpReceiver(undefined, { host: '0.0.0.0' })
    const { connections } = await openIdle(receiver, 12, 40)
    await expect.poll(() => receiver.open()).toBe(10)
    connections.close()
  })

  test('closing the sender closes every connection after the attempts in flight', async () => {
    const receiver = await httpReceiver((_, response) => setTimeout(() => response.end(), 100))
    const sender = new Sender({ allow: ['127.0.0.0/8'] })
    await sender.send(request(receiver.url))
    const running = sender.send(request(receiver.url))
    await sender.close()
    expect((await running).outcome).toEqual(OK)
    await expect.poll(() => receiver.open()).toBe(0)
  })
})

/** One connection for each of as many origins, kept for a minute. */
async function openIdle({ port }: { port: number }, count: number, maxOpenFiles: number) {
  const connections = new Connections({ allow: ['127.0.0.0/8'], timeoutMs: 60_000 }, maxOpenFiles)
  const urls = Array.from({ length: count }, (_, i) => new URL(`http://127.0.${1 + (i >> 8)}.${i & 255}:${port}/`))
  for (const url of urls) connections.keep(await connections.open(url, new AbortController().signal), 60_000)
  return { connections, urls }
}
