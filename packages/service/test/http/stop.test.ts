import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { refusalOf } from './answers.ts'
import { open, readAnswers } from './raw.ts'
import { prairieCatalog, prairieToken } from './walk.ts'

const SECRET = 'prairie-secret-full'

let service: TestService
let gate: { reached: Promise<void>; open(): void }

beforeEach(async () => {
  service = await startService()
  await service.apply(prairieCatalog('prairie', [prairieToken(SECRET)]))
  gate = holdUp(service)
})

afterEach(() => service.stop())

/** Lets lists of companies wait until the gate is opened. */
function holdUp({ store }: TestService): typeof gate {
  let [reach, open_] = [() => {}, () => {}]
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const opened = new Promise<void>((resolve) => (open_ = resolve))
  const { pageVisible } = store.companies
  store.companies.pageVisible = async (...args) => {
    reach()
    await opened
    return pageVisible(...args)
  }
  return { reached, open: open_ }
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${SECRET}\r\n\r\n`

/** A connection that stays open between requests, and what came over it. */
async function keepAlive(): Promise<{ socket: Socket; received: () => Buffer; closed: Promise<void> }> {
  const socket = await open(service.origin)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  return { socket, received: () => Buffer.concat(chunks), closed }
}

test('running requests are finished, and new ones are refused', async () => {
  const [idle, silent, busy] = [await keepAlive(), await keepAlive(), await keepAlive()]
  idle.socket.write(request('/healthz'))
  await expect.poll(() => readAnswers(idle.received())).toHaveLength(1)
  busy.socket.write(request('/api/v2/companies'))
  await gate.reached

  const stopped = service.app.close()
  await idle.closed
  await silent.closed
  await expect(refusal()).resolves.toBe('ECONNREFUSED')
  expect(busy.received()).toHaveLength(0)

  gate.open()
  const begun = performance.now()
  await stopped
  await busy.closed
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect(readAnswers(busy.received())).toMatchObject([{ status: 200, text: expect.stringContaining('"total":1') }])
})

test('open connections learn that the service is stopping, and their requests are answered', async () => {
  const busy = await keepAlive()
  busy.socket.write(request('/api/v2/companies'))
  await gate.reached
  const stopped = service.app.close()
  await sleep(20)
  busy.socket.write(request('/readyz'))
  await sleep(20)
  gate.open()
  await stopped
  await busy.closed
  const [answer, ...ready] = readAnswers(busy.received())
  expect(answer).toMatchObject({ status: 200 })
  expect(ready.map((each) => refusalOf(each))).toEqual(['503 internalError'])
  expect(ready.map(({ headers }) => headers.get('connection'))).toEqual(['close'])
})

test('a partially received request is received completely', async () => {
  const slow = await keepAlive()
  slow.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n')
  await sleep(50)
  const stopped = service.app.close()
  await sleep(50)
  slow.socket.write('\r\n')
  await stopped
  await slow.closed
  expect(readAnswers(slow.received())).toMatchObject([{ status: 200 }])
})

test('a request that was sent before the stop, but not read yet, is answered', async () => {
  const kept = await keepAlive()
  kept.socket.write(request('/healthz'))
  await expect.poll(() => readAnswers(kept.received())).toHaveLength(1)
  kept.socket.write(request('/healthz'))
  await service.app.close()
  await kept.closed
  expect(readAnswers(kept.received())).toMatchObject([{ status: 200 }, { status: 200 }])
})

test('connections that were opened before the stop, but not accepted yet, are answered', async () => {
  const { port, hostname } = new URL(service.origin)
  const opened = Array.from({ length: 20 }, () => connect(Number(port), hostname))
  const received = opened.map((socket) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined)
    return new Promise<Buffer>((resolve) => socket.on('close', () => resolve(Buffer.concat(chunks))))
  })
  // The system has connected them now, before the event loop accepts them.
  await new Promise((resolve) => process.nextTick(resolve))
  const stopped = service.app.close()
  // Nothing to answer yet, so turns of the event loop are short; but a connection with half a request is not idle.
  for (const socket of opened) socket.write('GET /healthz HTTP/1.1\r\n')
  await expect.poll(() => service.app.server.listening).toBe(false)
  for (const socket of opened) socket.write('Host: x\r\n\r\n')
  await stopped
  const statuses = (await Promise.all(received)).map((answers) => readAnswers(answers).map(({ status }) => status))
  expect(statuses).toEqual(opened.map(() => [200]))
})

test('an idle connection is closed without a reset, and one whose client does not close is given up', async () => {
  const { port, hostname } = new URL(service.origin)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  const failures: string[] = []
  socket.on('error', ({ message }) => failures.push(message))
  const ended = new Promise<void>((resolve) => socket.resume().on('end', () => resolve()))
  await once(socket, 'connect')
  const stopped = service.app.close()
  await ended
  await stopped
  expect(failures).toEqual([])
  socket.destroy()
})

/** How a new connection fails. */
function refusal(): Promise<string | undefined> {
  const { port, hostname } = new URL(service.origin)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve('connected'))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
}
