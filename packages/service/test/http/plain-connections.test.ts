import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { body, created, SECRET, world } from '../orders/given.ts'
import { PATIENT } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { open, readAnswers } from './raw.ts'

describe('plain requests', () => {
  let service: TestService
  let id: string
  /** Requests that Node has read, by connection. */
  let readByNode: number
  beforeAll(async () => {
    service = await startService()
    await service.apply(world())
    id = (await created(service)).id
    service.app.server.prependListener('request', () => (readByNode += 1))
    // The token is known by now.
    await service.call(SECRET, { method: 'GET', path: `/api/v2/orders/${id}` })
  })
  afterAll(() => service.stop())

  const AUTHORIZED = `Host: x\r\nAuthorization: Bearer ${SECRET}\r\n`
  const get = (path = `/api/v2/orders/${id}`) => `GET ${path} HTTP/1.1\r\n${AUTHORIZED}\r\n`
  const post = (content: string) =>
    `POST /api/v2/orders HTTP/1.1\r\n${AUTHORIZED}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`

  async function connect() {
    const accepted = once(service.app.server, 'connection') as Promise<[Socket]>
    const socket = await open(service.origin)
    const [accepting] = await accepted
    readByNode = 0
    let chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    const answers = () => readAnswersSoFar(Buffer.concat(chunks))
    /** So that the service reads it by itself, unless it does not read this connection now. */
    const writeAlone = async (text: string) => {
      const until = accepting.bytesRead + Buffer.byteLength(text)
      socket.write(text)
      await expect.poll(() => accepting.bytesRead >= until || accepting.isPaused(), PATIENT).toBe(true)
    }
    const ask = async (...texts: string[]) => {
      chunks = []
      for (const text of texts) await writeAlone(text)
      const count = texts.join('').split(' HTTP/1.1\r\n').length - 1
      await expect.poll(() => answers().length, PATIENT).toBe(count)
      return answers()
    }
    return {
      socket,
      accepting,
      received: () => Buffer.concat(chunks).toString('latin1'),
      answered: () => answers().length,
      writeAlone,
      ask,
    }
  }

  /** Asks until the request did without Node, as all do whose token was checked in the last half second. */
  async function askDirectly({ ask }: Awaited<ReturnType<typeof connect>>, text = get()) {
    for (let attempt = 0; attempt < 100; attempt++) {
      const before = readByNode
      const [answer] = await ask(text)
      if (readByNode === before) return answer!
    }
    throw new Error('Every request was read by Node.')
  }

  const closed = async (socket: Socket) => socket.closed || once(socket, 'close')

  /** Whole answers only. */
  function readAnswersSoFar(bytes: Buffer) {
    try {
      return readAnswers(bytes)
    } catch {
      return []
    }
  }

  test('a connection is read without a parser after its first request', async () => {
    const connection = await connect()
    await connection.ask(get())
    expect(readByNode).toBe(1)
    expect((await askDirectly(connection)).status).toBe(200)
  })

  test('a request gets the same bytes from Node and without it', async () => {
    const comparable = (received: string) =>
      received.replace(/(x-request-id|Date|ratelimit-\w+): [^\r]*/g, '$1').split('\r\n')
    const tagged = (text: string) => get().replace('\r\n\r\n', `\r\nIf-None-Match: ${text}\r\n\r\n`)
    const first = await connect()
    await first.ask(get())
    expect(first.received()).toContain('Keep-Alive: timeout=72')
    const tag = /etag: ([^\r]*)/.exec(first.received())![1]!
    for (const text of [get(), tagged(tag), get('/api/v2/companies')]) {
      const connection = await connect()
      await connection.ask(text)
      const ofNode = comparable(connection.received())
      await askDirectly(connection, text)
      expect(comparable(connection.received())).toEqual(ofNode)
      expect(ofNode[0]).toBe(text === tagged(tag) ? 'HTTP/1.1 304 Not Modified' : 'HTTP/1.1 200 OK')
    }
  })

  test('a connection has reads and changes in any order, with bodies in one packet or two', async () => {
    const connection = await connect()
    const { ask } = connection
    const content = JSON.stringify(body())
    const whole = post(content)
    for (const texts of [[whole], [whole.slice(0, -content.length), content], [whole.slice(0, -7), whole.slice(-7)]]) {
      const [answer] = await ask(...texts)
      expect(answer!.status).toBe(201)
      const order = JSON.parse(answer!.text) as { id: string }
      const path = `/api/v2/orders/${order.id}`
      expect(JSON.parse((await askDirectly(connection, get(path))).text)).toEqual(order)
      const [cancelled] = await ask(`PUT ${path}/cancellation HTTP/1.1\r\n${AUTHORIZED}\r\n`)
      expect(cancelled!.status).toBe(200)
      expect((await askDirectly(connection, get(path))).text).toBe(cancelled!.text)
    }
  })

  test('what cannot be answered gets the error body, and its connection is read on without a parser', async () => {
    const connection = await connect()
    const { ask } = connection
    await askDirectly(connection)
    const [missing] = await ask(get(`/api/v2/orders/ord_${'0'.repeat(26)}`))
    expect([missing!.status, JSON.parse(missing!.text)]).toMatchObject([404, { errors: [{ code: 'notFound' }] }])
    const [unknown] = await ask(get().replace(SECRET, 'unknown'))
    expect(unknown!.status).toBe(401)
    expect((await askDirectly(connection)).status).toBe(200)
  })

  test('a connection gets its answers in turn when requests are sent together', async () => {
    const { ask } = await connect()
    await ask(get())
    const { id: other } = await created(service)
    const path = `/api/v2/orders/${other}`
    const together = get(path) + `PUT ${path}/cancellation HTTP/1.1\r\n${AUTHORIZED}\r\n` + get(path)
    const statuses = (await ask(together)).map(({ text }) => (JSON.parse(text) as { status: string }).status)
    expect(statuses).toEqual(['ordered', 'cancelled', 'cancelled'])
  })

  test('a connection gets its answers in turn when a read is sent before a change is answered', async () => {
    const connection = await connect()
    const { ask } = connection
    await askDirectly(connection, get('/api/v2/companies'))
    const { id: other } = await created(service)
    let answers: ReturnType<typeof ask> | undefined
    await service.pool.transaction(async (db) => {
      await db`lock table orders in access exclusive mode`
      answers = ask(`PUT /api/v2/orders/${other}/cancellation HTTP/1.1\r\n${AUTHORIZED}\r\n`, get('/api/v2/companies'))
      await sleep(200)
    })
    const [change, companies] = (await answers!).map(({ text }) => JSON.parse(text) as { id?: string; total?: number })
    expect([change!.id, typeof companies!.total]).toEqual([other, 'number'])
  })

  test('a connection gets its answers in turn when reads are sent before others are answered', async () => {
    const connection = await connect()
    const { ask } = connection
    await askDirectly(connection)
    let answers: ReturnType<typeof ask> | undefined
    await service.pool.transaction(async (db) => {
      await db`lock table orders in access exclusive mode`
      const halves = [get('/api/v2/companies').slice(0, 30), get('/api/v2/companies').slice(30)]
      answers = ask(get(), get('/api/v2/agencies'), ...halves)
      await sleep(200)
    })
    const objects = (await answers!).map(({ text }) => JSON.parse(text) as { id?: string; data?: { object: string }[] })
    expect(objects.map((each) => each.id ?? each.data![0]!.object)).toEqual([id, 'agency', 'company'])
    expect(await ask(get())).toMatchObject([{ status: 200 }])
  })

  test('a connection is not read while its client takes no answers', async () => {
    const { socket, accepting, ask } = await connect()
    await ask(get())
    socket.pause()
    let mostWaiting = 0
    while (!accepting.isPaused()) {
      const before = accepting.bytesWritten
      socket.write(get())
      while (accepting.bytesWritten === before && !accepting.isPaused()) await nextTurn()
      mostWaiting = Math.max(mostWaiting, accepting.writableLength)
    }
    expect(readByNode).toBeGreaterThan(1)
    expect(mostWaiting).toBeLessThan(100_000)
    socket.resume()
    await expect.poll(() => accepting.isPaused(), PATIENT).toBe(false)
    socket.destroy()
  })

  test('a request whose client goes away in the same turn is not answered', async () => {
    const connection = await connect()
    await askDirectly(connection, get('/api/v2/companies'))
    const seen: string[] = []
    service.app.observers.push(({ id: requestId }) => seen.push(requestId))
    const gone = get('/api/v2/companies').replace('\r\n\r\n', '\r\nX-Request-Id: gone\r\n\r\n')
    const { accepting, socket } = connection
    accepting.once('data', () => accepting.destroy())
    socket.write(gone)
    await closed(socket)
    await service.call(SECRET, { method: 'GET', path: '/api/v2/companies', headers: { 'x-request-id': 'next' } })
    await expect.poll(() => seen, PATIENT).toContain('next')
    expect(seen).not.toContain('gone')
  })

  test('the connection of a client that has sent all it will send is closed', async () => {
    const { socket, accepting, ask } = await connect()
    await ask(get())
    socket.end(get())
    await closed(socket)
    await expect.poll(() => accepting.closed, PATIENT).toBe(true)
  })

  test.each(['GET /api/v2/orders HTTP/1.1\r\nnonsense\r\n\r\n', 'GET /api/v2/\u0001 HTTP/1.1\r\nHost: x\r\n\r\n'])(
    'a connection that sends %j is refused, and nothing after it is answered',
    async (nonsense) => {
      const { socket, ask, received } = await connect()
      await ask(get())
      const [refusal] = await ask(nonsense)
      expect(refusal!.status).toBe(400)
      socket.write(get())
      await closed(socket)
      expect(received().match(/HTTP\/1\.1 \d+/g)).toHaveLength(1)
    },
  )

  test('a connection is closed when the service stops and nothing of a request has arrived, and is asked to close before', async () => {
    const connection = await connect()
    const other = await connect()
    for (const each of [connection, other]) {
      await each.ask(get())
      await askDirectly(each)
    }
    const half = get('/api/v2/companies').slice(0, 30)
    const sending = await connect()
    await askDirectly(sending)
    const before = sending.answered()
    await service.pool.transaction(async (db) => {
      await db`lock table orders in access exclusive mode`
      await sending.writeAlone(get())
      await sending.writeAlone(half)
    })
    await expect.poll(sending.answered, PATIENT).toBe(before + 1)
    service.app.drain(4_000)
    await connection.ask(get())
    expect(connection.received()).toContain('Connection: close')
    await closed(connection.socket)
    const stopped = service.app.close()
    await closed(other.socket)
    // The rest of a request that had begun to arrive.
    sending.socket.write(get('/api/v2/companies').slice(half.length))
    await expect.poll(sending.answered, PATIENT).toBe(before + 2)
    await Promise.all([stopped, closed(sending.socket)])
  })
})
