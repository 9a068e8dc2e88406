import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { MllpListener, type MllpOptions } from '../../src/intake/mllp.ts'
import { SELF_SIGNED } from '../webhooks/certificate.ts'
import { framed, Sender } from './lines.ts'

const listeners: MllpListener[] = []
const senders: Sender[] = []
afterEach(async () => {
  for (const { socket } of senders.splice(0)) socket.destroy()
  await Promise.all(listeners.splice(0).map((listener) => listener.stop()))
})

/** A listener that echoes every message, and the reasons for which it drops connections. */
async function listening(options: Partial<MllpOptions> = {}) {
  const dropped: string[] = []
  const listener = new MllpListener({
    host: '127.0.0.1',
    port: 0,
    answer: (message) => Promise.resolve(message),
    refuse: ({ reason }) => Buffer.from(reason),
    onDropped: (why) => dropped.push(why),
    log: { warn: () => undefined },
    ...options,
  })
  listeners.push(listener)
  const port = await listener.start()
  const connect = async (address?: string) => {
    const sender = await Sender.to(port, address)
    senders.push(sender)
    return sender
  }
  return { listener, port, connect, dropped }
}

/** Answers every message at once, except this one. */
function holding(held: string) {
  let [begin, finish] = [() => {}, () => {}]
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const answer = async (message: Buffer) => {
    if (message.toString() !== held) return message
    begin()
    await finished
    return message
  }
  return { answer, begun, finish: () => finish() }
}

/** Whether a sender gets its message echoed. */
async function isServed(sender: Sender): Promise<boolean> {
  sender.write(framed('MSH|'))
  return (await sender.answer()) === 'MSH|'
}

describe('an MLLP listener at its limit of connections', () => {
  test('the listener serves a sender after a hundred silent connections were opened', async () => {
    const { connect, listener } = await listening()
    for (let i = 0; i < 100; i++) await connect(`127.0.0.${(i % 10) + 1}`)
    expect(await isServed(await connect())).toBe(true)
    expect(listener.connections).toBeLessThanOrEqual(32)
  })

  test('the listener drops the connection that has been idle longest, not one that was served since', async () => {
    const { connect, dropped } = await listening({ limits: { connections: 2 } })
    const [first, second] = [await connect(), await connect('127.0.0.2')]
    expect(await isServed(first)).toBe(true)
    const third = await connect('127.0.0.3')
    await second.closed
    expect(await isServed(first)).toBe(true)
    expect(await isServed(third)).toBe(true)
    expect(dropped).toEqual(['displaced'])
  })

  test('the listener refuses a new connection while all others are in the middle of a message', async () => {
    const { answer, begun, finish } = holding('MSH|1')
    const { connect, dropped } = await listening({ limits: { connections: 2 }, answer })
    const [receiving, answering] = [await connect(), await connect()]
    // When the first is answered, the second has begun to arrive.
    receiving.write(`${framed('MSH|0')}\u000BMSH|`)
    expect(await receiving.answer()).toBe('MSH|0')
    answering.write(framed('MSH|1'))
    await begun
    await (
      await connect()
    ).closed
    expect(dropped).toEqual(['full'])
    finish()
    expect(await answering.answer()).toBe('MSH|1')
  })

  test('the listener never exceeds its limit, however many connect at once', async () => {
    const counts: number[] = []
    const onDropped = () => counts.push(listener.connections)
    const { connect, listener } = await listening({ limits: { connections: 3 }, onDropped })
    await Promise.all(Array.from({ length: 30 }, () => connect()))
    await expect.poll(() => counts).toHaveLength(27)
    // A reported connection has already left its place.
    expect(Math.max(...counts)).toBe(2)
  })

  test('one address can have only a part of the connections', async () => {
    const { connect, dropped, listener } = await listening({ limits: { connections: 6, connectionsPerAddress: 3 } })
    const other = await connect('127.0.0.2')
    const crowd = []
    for (let i = 0; i < 5; i++) crowd.push(await connect())
    await Promise.all([crowd[0]!.closed, crowd[1]!.closed])
    expect([dropped, listener.connections]).toEqual([['displaced', 'displaced'], 4])
    expect(await isServed(other)).toBe(true)
    for (const sender of crowd.slice(2)) expect(await isServed(sender)).toBe(true)
  })
})

describe('an MLLP connection', () => {
  test('a connection without a first byte ends after 30 seconds', async () => {
    const { connect, dropped } = await listening({ limits: { firstByteMs: 1_000, idleMs: 60_000 } })
    const [silent, prompt] = [await connect(), await connect()]
    expect(await isServed(prompt)).toBe(true)
    await silent.closed
    expect(dropped).toEqual(['silent'])
    expect(await isServed(prompt)).toBe(true)
  })

  test('bytes that are not a message are refused and recorded', async () => {
    const refused: { bytes: Buffer; reason: string; address: string }[] = []
    const refuse = (told: (typeof refused)[number]) => {
      refused.push(told)
      return Buffer.from('no')
    }
    const { connect, dropped } = await listening({ refuse, limits: { closeMs: 100, messageBytes: 1024 ** 2 } })
    const [browser, endless] = [await connect(), await connect()]
    browser.write('GET / HTTP/1.1\r\n\r\n')
    expect(await browser.answer()).toBe('no')
    endless.write(`\u000BMSH|first${'x'.repeat(2 * 1024 ** 2)}`)
    expect(await endless.answer()).toBe('no')
    expect(refused.map(({ bytes, address }) => [bytes.toString().slice(0, 9), address])).toEqual([
      ['GET / HTT', '127.0.0.1'],
      ['MSH|first', '127.0.0.1'],
    ])
    expect(refused[1]!.bytes).toHaveLength(64 * 1024)
    expect(dropped).toEqual(['framing', 'framing'])
  })
})

describe('an idle MLLP connection', () => {
  test('line breaks between messages do not keep a connection open', async () => {
    const { connect, dropped } = await listening({ limits: { idleMs: 600 } })
    const sender = await connect()
    expect(await isServed(sender)).toBe(true)
    const breaks = setInterval(() => sender.write('\r\n'), 100)
    const begun = performance.now()
    await sender.closed
    clearInterval(breaks)
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(dropped).toEqual(['idle'])
  })

  test('a connection whose sender left before the answer is not reported as slow', async () => {
    const { answer, begun, finish } = holding('MSH|1')
    const { connect, dropped } = await listening({ answer, limits: { messageMs: 300 } })
    const sender = await connect()
    sender.write(framed('MSH|1'))
    await begun
    sender.socket.resetAndDestroy()
    await sleep(100)
    finish()
    await sleep(600)
    expect(dropped).toEqual([])
  })
})

describe('MLLP over TLS', () => {
  const { key, cert } = SELF_SIGNED
  const tls = { key: Buffer.from(key), cert: Buffer.from(cert) }
  const trusting = { ca: cert, servername: 'receiver.example' }

  async function secure(port: number, options: object = {}): Promise<Sender> {
    const sender = await Sender.securelyTo(port, { ...trusting, ...options })
    senders.push(sender)
    return sender
  }

  test('MLLP over TLS answers messages and presents its certificate', async () => {
    const { port, listener } = await listening({ tls })
    const sender = await secure(port)
    expect(await isServed(sender)).toBe(true)
    expect(await isServed(sender)).toBe(true)
    expect(listener.connections).toBe(1)
    sender.socket.end(framed('MSH|last'))
    expect(await sender.answer()).toBe('MSH|last')
    await sender.closed
    await expect.poll(() => listener.connections).toBe(0)
  })

  test('MLLP over TLS does not serve unencrypted connections', async () => {
    const { connect, dropped } = await listening({ tls })
    const plain = await connect()
    plain.write(framed('MSH|'))
    await plain.closed
    expect(await plain.answer()).toBeUndefined()
    expect(dropped).toEqual(['tls'])
  })

  test('MLLP over TLS requires a client certificate if a CA is set', async () => {
    const { port, dropped } = await listening({ tls: { ...tls, ca: tls.cert } })
    expect(await isServed(await secure(port, { cert, key }))).toBe(true)
    // In TLS 1.3 a client learns only after its own handshake that it is rejected.
    const stranger = await Sender.securelyTo(port, trusting).catch(() => undefined)
    stranger?.write(framed('MSH|'))
    await stranger?.closed
    expect(await stranger?.answer()).toBeUndefined()
    await expect.poll(() => dropped).toEqual(['tls'])
  })

  test('MLLP over TLS counts connections before the handshake is done', async () => {
    const { connect, port, dropped } = await listening({ tls, limits: { connections: 2, firstByteMs: 60_000 } })
    const [first] = [await connect(), await connect()]
    expect(await isServed(await secure(port))).toBe(true)
    await first.closed
    expect(dropped).toEqual(['displaced'])
  })

  test('MLLP over TLS ends a connection whose handshake takes too long', async () => {
    const { connect, dropped, listener } = await listening({ tls, limits: { firstByteMs: 100 } })
    await (
      await connect()
    ).closed
    expect(dropped).toEqual(['silent'])
    await expect.poll(() => listener.connections).toBe(0)
  })

  test('MLLP over TLS answers the current message when it is stopped', async () => {
    const { answer, begun, finish } = holding('MSH|busy')
    const { port, listener } = await listening({ tls, answer })
    const [busy, idle] = [await secure(port), await secure(port)]
    busy.write(framed('MSH|busy'))
    await begun
    const stopped = listener.stop()
    listeners.splice(0)
    finish()
    expect(await busy.answer()).toBe('MSH|busy')
    await Promise.all([stopped, busy.closed, idle.closed])
  })

  test('MLLP over TLS refuses versions before TLS 1.2', async () => {
    const { port, dropped } = await listening({ tls })
    const old = Sender.securelyTo(port, { ...trusting, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' })
    await expect(old).rejects.toThrow(/protocol version|alert|handshake|ECONNRESET/i)
    await expect.poll(() => dropped).toEqual(['tls'])
  })
})

test('a stopped listener releases its port', async () => {
  const { listener, port } = await listening()
  await listener.stop()
  listeners.splice(0)
  const again = new MllpListener({
    host: '127.0.0.1',
    port,
    answer: (message) => Promise.resolve(message),
    refuse: () => Buffer.alloc(0),
    log: { warn: () => undefined },
  })
  listeners.push(again)
  expect(await again.start()).toBe(port)
  const sender = await Sender.to(port)
  senders.push(sender)
  sender.socket.end()
  await once(sender.socket, 'close')
})
