import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, TEST_KEY, type TestDatabase } from '../support/service.ts'
import { dripping, flooding, httpReceiver, rawReceiver, type Receiver } from './receivers.ts'
import { endWork, queue, states, until } from './working.ts'

const MIB = 2 ** 20
const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`
/** All addresses of the loopback. */
const HOST = '0.0.0.0'
const everywhere = { host: HOST }
const TIMEOUT_MS = 2_500
/** Receivers of each kind at once, each an origin of its own. */
const AT_ONCE = 20

let database: TestDatabase
let worker: ChildProcess
beforeAll(async () => {
  database = await freshDatabase()
  worker = fork(fileURLToPath(new URL('watched-worker.js', import.meta.url)), {
    execArgv: ['--expose-gc'],
    env: {
      ...process.env,
      WATCHED: JSON.stringify({ target: database.target, key: TEST_KEY, timeoutMs: TIMEOUT_MS }),
    },
  })
  await once(worker, 'message')
  // Afterwards the worker has allocated everything that normal work needs.
  const well = await httpReceiver()
  for (let i = 0; i < 4; i++) {
    const { orderId } = await queue(database.store, { url: well.url, count: 500 })
    await until(async () => (await states(database.pool, orderId))['delivered'] === 500)
  }
})
afterAll(async () => {
  worker.disconnect()
  await once(worker, 'exit')
  await endWork()
  await database.drop()
})

async function ask(what: 'settle' | 'most'): Promise<number> {
  worker.send(what)
  const [bytes] = (await once(worker, 'message')) as [number]
  return bytes
}

const bomb = gzipSync(Buffer.alloc(100 * MIB))

describe('the worker’s memory grows by less than 20 MB and attempts end in time', () => {
  test.each<[what: string, start: () => Promise<Receiver>, ending: { status?: number; error?: string }]>([
    ['hang', () => rawReceiver((socket) => socket.resume(), HOST), { error: 'timeout' }],
    ['drip', () => dripping('a', `${OK}Content-Length: 1000\r\n\r\n`, everywhere), { error: 'timeout' }],
    [
      'send a gigabyte',
      () => flooding(`${OK}Content-Length: ${2 ** 30}\r\n\r\n`, 'a'.repeat(65_536), everywhere),
      { status: 200 },
    ],
    [
      'send a decompression bomb',
      () => httpReceiver((_, answer) => answer.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb), everywhere),
      { status: 200 },
    ],
    ['send garbage', () => flooding('', '\u0000\u0001\u00ff\r\n', everywhere), { error: 'badAnswer' }],
    ['send endless headers', () => flooding(OK, 'a:b\r\n', everywhere), { error: 'badAnswer' }],
    ['send an endless header', () => flooding(`${OK}a:`, 'b'.repeat(1024), everywhere), { error: 'badAnswer' }],
    ['send endless trailers', () => flooding(`${CHUNKED}0\r\n`, 'a:b\r\n', everywhere), { error: 'badAnswer' }],
    ['send endless tiny chunks', () => flooding(CHUNKED, '1\r\na\r\n', everywhere), { status: 200 }],
    [
      'send endless interim responses',
      () => flooding('', 'HTTP/1.1 103 Early Hints\r\na:b\r\n\r\n', everywhere),
      { error: 'badAnswer' },
    ],
  ])('with receivers that %s', async (_, start, ending) => {
    const { port } = await start()
    const urls = Array.from(Array(AT_ONCE).keys(), (i) => `http://127.0.0.${i + 1}:${port}/`)
    const before = await ask('settle')
    const queued = await Promise.all(urls.map((url) => queue(database.store, { url })))
    const orders = queued.map(({ orderId }) => orderId)
    const attempts = () => database.pool<{ ms: number; status: number | null; error: string | null }[]>`
      select ms, status, error from delivery_attempts a join deliveries d on d.tenant_id = a.tenant_id and d.id = a.delivery_id
      where d.order_id = any(${orders})`
    await until(async () => (await attempts()).length === AT_ONCE)
    const grown = (await ask('most')) - before
    expect(grown / MIB).toBeLessThan(20)
    for (const attempt of await attempts()) {
      // A busy machine reads so slowly that the time is over first.
      expect(attempt).toMatchObject(attempt.error === 'timeout' ? { status: null } : ending)
      expect(attempt.ms).toBeLessThan(TIMEOUT_MS + 10_000)
    }
  })
})
