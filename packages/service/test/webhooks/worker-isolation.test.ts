import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { httpReceiver, rawReceiver } from './receivers.ts'
import { queue, startWorker, states, until, workingDatabase } from './working.ts'
import { rows } from '../../src/store/db/sql.ts'

const database = workingDatabase()

/** Accepts connections at every address of the loopback, and never answers. */
const hangingReceiver = () => rawReceiver(() => {}, '0.0.0.0')

/** Addresses of the loopback, each an origin of its own. */
const origins = (port: number, count: number) =>
  Array.from({ length: count }, (_, i) => `http://127.0.${1 + Math.floor(i / 250)}.${1 + (i % 250)}:${port}/`)

/** Sends one event after the other, and returns the median and the longest time from commit to arrival. */
async function times(url: string, requests: unknown[], count = 20) {
  const taken: number[] = []
  for (let i = 0; i < count; i++) {
    const arrived = requests.length
    await queue(database.store, { url })
    const from = performance.now()
    await until(() => requests.length > arrived)
    taken.push(performance.now() - from)
  }
  const sorted = taken.toSorted((a, b) => a - b)
  return { median: sorted[Math.floor(count / 2)]!, longest: sorted.at(-1)! }
}

describe('concurrent requests to one receiver', () => {
  test('a receiver starts with two concurrent requests and gets up to 64 while they succeed', async () => {
    const open: (() => void)[] = []
    let mostOpen = 0
    const receiver = await httpReceiver((_, response) => {
      mostOpen = Math.max(
        mostOpen,
        open.push(() => response.end()),
      )
    })
    await queue(database.store, { url: receiver.url, count: 700 })
    startWorker(database.store)
    await until(() => open.length > 0)
    const seen: number[] = []
    for (let answered = 0; answered < 700;) {
      await sleep(60)
      seen.push(open.length)
      answered += open.length
      for (const answer of open.splice(0)) answer()
    }
    expect(seen[0]).toBe(2)
    expect(mostOpen).toBe(64)
    await until(async () => (await states(database.pool))['delivered'] === 700)
  })

  test('a receiver that hangs gets its share of requests, and its other deliveries are parked', async () => {
    const hanging = await hangingReceiver()
    await queue(database.store, { url: hanging.url, count: 500 })
    startWorker(database.store, { timeoutMs: 20_000 })
    await until(async () => ((await states(database.pool))['held'] ?? 0) >= 496)
    await sleep(1_200)
    expect(hanging.arrivals).toHaveLength(2)
  })
})

// Others may be using the machine: it is enough that it can be so fast.
describe('a healthy receiver is not slowed down', { retry: 2 }, () => {
  test('a healthy receiver is not delayed by a dead one with thousands of deliveries', async () => {
    const healthy = await httpReceiver()
    startWorker(database.store, { schedule: [0, 1, 1, 1] })
    await queue(database.store, { url: 'http://127.0.0.1:1/', count: 5_000 })
    const { longest } = await times(healthy.url, healthy.requests, 5)
    expect(longest).toBeLessThan(3_000)
    await until(async () => ((await states(database.pool))['held'] ?? 0) > 4_900, 'all parked')
    // From then on it is as if the dead one was not there.
    expect((await times(healthy.url, healthy.requests)).median).toBeLessThan(50)
  })

  test('a healthy receiver is not delayed by 300 that hang, more than the budget allows', async () => {
    const [healthy, hanging] = [await httpReceiver(), await hangingReceiver()]
    await Promise.all(origins(hanging.port, 300).map((url) => queue(database.store, { url })))
    startWorker(database.store, { timeoutMs: 20_000 })
    await sleep(500)
    const { longest, median } = await times(healthy.url, healthy.requests)
    // It waits once, until those that hang are known to.
    expect(longest).toBeLessThan(2_000)
    expect(median).toBeLessThan(50)
  })

  test('a healthy receiver is not delayed by troubled ones that wait for budget', async () => {
    const [healthy, hanging] = [await httpReceiver(), await hangingReceiver()]
    const troubled = origins(hanging.port, 600)
    const receivers = troubled.map((url) => ({ tenant_id: 'north', origin: new URL(url).origin, failures: 3 }))
    await database.pool`insert into receivers ${rows(receivers)}`
    await Promise.all(troubled.map((url) => queue(database.store, { url })))
    startWorker(database.store, { timeoutMs: 20_000 })
    await until(() => hanging.open() >= 500, 'the whole troubled share in use')
    await sleep(500)
    expect(hanging.open()).toBe(512)
    expect((await times(healthy.url, healthy.requests)).median).toBeLessThan(50)
  })
})

test('a receiver that failed once is not delayed by one that hangs', async () => {
  const answers: number[] = [500, 200]
  const [once, hanging] = [
    await httpReceiver((_, response) => response.writeHead(answers.shift() ?? 200).end()),
    await httpReceiver((_, response) => (hanging.requests.length <= 200 ? void response.end() : undefined)),
  ]
  startWorker(database.store, { schedule: [0, 1.5], timeoutMs: 20_000 })
  // Answers well for long enough to be given many requests at once.
  await queue(database.store, { url: hanging.url, count: 400 })
  await until(() => hanging.requests.length === 200 + 64, 'as many as it may have')
  await queue(database.store, { url: once.url })
  await until(() => once.requests.length === 2)
  expect(hanging.requests).toHaveLength(200 + 64)
})
