import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { httpReceiver } from './receivers.ts'
import { arrivals, elsewhere, queue, startWorker, states, TENANT, until, workingDatabase } from './working.ts'

const database = workingDatabase()

/** One whose answers can be changed. */
async function receiving(status: number) {
  const answer = { status }
  const receiver = await httpReceiver((_, response) => response.writeHead(answer.status).end())
  return { ...receiver, answer, origin: new URL(receiver.url).origin }
}

const breaker = async () => {
  const [row] = await database.pool<{ failures: number; breakSeconds: number; openFor: number }[]>`
    select failures, closed_for as break_seconds, extract(epoch from open_until - now())::float8 as open_for from receivers`
  return row
}
const isOpen = async () => ((await breaker())?.openFor ?? 0) > 0
/** Lets the time pass that the breaker is open for. */
const passBreak = () => database.pool`update receivers set open_until = now()`
const attempts = async () => (await database.pool`select 1 from delivery_attempts`).length

/** Deliveries to a receiver whose breaker is open. */
async function opened(count = 20) {
  const receiver = await receiving(500)
  await queue(database.store, { url: receiver.url, count })
  const { worker, complaints } = startWorker(database.store, { schedule: [0, 600, 600] })
  await until(isOpen, 'an open breaker')
  await until(async () => ((await states(database.pool))['held'] ?? 0) + receiver.requests.length >= count)
  return { receiver, worker, complaints, sent: receiver.requests.length }
}

describe('the breaker (ruling 32)', () => {
  test('the breaker opens for 30 s after five failures in a row and parks the rest without an attempt', async () => {
    const { receiver, sent, complaints } = await opened()
    // One more may have been under way.
    expect(sent).toBeGreaterThanOrEqual(5)
    expect(sent).toBeLessThanOrEqual(6)
    expect(complaints).toEqual(['Circuit breaker opened: deliveries to this receiver are parked'])
    expect((await breaker())!.breakSeconds).toBe(30)
    expect((await breaker())!.openFor).toBeGreaterThan(25)
    await sleep(400)
    expect(receiver.requests).toHaveLength(sent)
    expect(await attempts()).toBe(sent)
    const held = await database.pool`select attempts from deliveries where state = 'held' and attempts > 0`
    expect(held).toHaveLength(0)
  })

  test('the breaker counts failures of all workers together, and none of them sends more', async () => {
    const receiver = await receiving(500)
    for (let i = 0; i < 3; i++) startWorker(elsewhere(database.target).store, { schedule: [0, 600] })
    await queue(database.store, { url: receiver.url, count: 100 })
    await until(isOpen, 'an open breaker')
    await until(async () => ((await states(database.pool))['held'] ?? 0) + (await attempts()) === 100)
    // Each may have had one more under way.
    expect(receiver.requests.length).toBeLessThanOrEqual(5 + 2 * 3)
  })

  test('an open breaker lets a single probe through, whose failure doubles the break', async () => {
    const { receiver, sent } = await opened()
    for (const breakSeconds of [60, 120]) {
      const before = receiver.requests.length
      await passBreak()
      await until(async () => (await breaker())!.breakSeconds === breakSeconds)
      expect(receiver.requests).toHaveLength(before + 1)
      expect((await breaker())!.openFor).toBeGreaterThan(breakSeconds - 5)
    }
    expect(receiver.requests).toHaveLength(sent + 2)
  })

  test('an open breaker lets only one of several workers probe', async () => {
    const { receiver, worker, sent } = await opened()
    await worker.stop()
    for (let i = 0; i < 3; i++) startWorker(elsewhere(database.target).store, { schedule: [0, 600, 600] })
    await passBreak()
    await until(async () => (await breaker())!.breakSeconds === 60)
    await sleep(500)
    expect(receiver.requests).toHaveLength(sent + 1)
  })

  test('the breaker closes after a successful probe, and parked deliveries are sent', async () => {
    const { receiver, sent } = await opened(300)
    receiver.answer.status = 200
    await passBreak()
    await until(async () => (await states(database.pool))['delivered'] === 300 - sent, 'all delivered')
    expect(receiver.requests).toHaveLength(300)
    expect(await breaker()).toBeUndefined()
  })

  test('another worker probes when the probing worker has died', async () => {
    const { receiver, worker, sent } = await opened()
    await worker.stop()
    await passBreak()
    expect(await database.store.receivers.takeProbe({ tenantId: TENANT, origin: receiver.origin }, 1)).toBe(true)
    receiver.answer.status = 200
    startWorker(database.store)
    await sleep(500)
    expect(receiver.requests).toHaveLength(sent)
    await until(async () => (await states(database.pool))['delivered'] === 20 - sent)
  })

  test('a probe skips deliveries of ended registrations', async () => {
    const { receiver, worker, sent } = await opened(60)
    await worker.stop()
    await database.pool`update callbacks set ended_at = now()`
    await queue(database.store, { url: receiver.url })
    receiver.answer.status = 200
    startWorker(database.store)
    await until(async () => (await states(database.pool))['held'] === 60 - sent + 1)
    await passBreak()
    await until(async () => (await states(database.pool))['delivered'] === 1)
    expect(receiver.requests).toHaveLength(sent + 1)
  })

  test('a receiver is probed while another’s unsendable deliveries are skipped', async () => {
    const { receiver, worker } = await opened(2_000)
    await worker.stop()
    await database.pool`update callbacks set ended_at = now()`
    const other = await receiving(200)
    await queue(database.store, { url: other.url })
    await database.pool`update deliveries set state = 'held' where origin = ${other.origin}`
    const openUntil = new Date(Date.now() - 1_000)
    await database.store.receivers.setBreaker(
      { tenantId: TENANT, origin: other.origin },
      { failures: 5, openUntil, breakSeconds: 30 },
    )
    await passBreak()
    startWorker(database.store)
    await until(() => other.requests.length === 1)
    const [row] = await database.pool`select 1 from deliveries where origin = ${receiver.origin} and state = 'held'`
    expect(row).toBeDefined()
  })

  test('tenants have separate breakers for the same origin', async () => {
    const { receiver, sent } = await opened()
    await queue(database.store, { url: receiver.url, tenantId: 'south' })
    const failures = () => database.pool<{ failures: number }[]>`
      select failures from receivers where tenant_id = 'south' and open_until is null`
    await until(async () => (await failures())[0]?.failures === 1)
    expect(receiver.requests).toHaveLength(sent + 1)
  })

  test('a success resets the failure count', async () => {
    const receiver = await receiving(500)
    startWorker(database.store, { schedule: [0, 600] })
    for (let round = 0; round < 3; round++) {
      receiver.answer.status = 500
      await queue(database.store, { url: receiver.url, count: 4 })
      await until(async () => (await breaker())?.failures === 4)
      receiver.answer.status = 200
      await queue(database.store, { url: receiver.url })
      await until(async () => (await breaker()) === undefined)
    }
    // What becomes of them is written a moment later.
    await until(async () => (await states(database.pool))['waiting'] === 12)
    await until(async () => (await states(database.pool))['delivered'] === 3)
    expect(receiver.requests).toHaveLength(15)
  })
})

describe('an operator’s pause', () => {
  test('a pause parks deliveries without an attempt, and all are delivered after it', async () => {
    const receiver = await receiving(200)
    const { tenantId, origin } = { tenantId: TENANT, origin: receiver.origin }
    startWorker(database.store)
    await database.store.receiverRecords.pause({ tenantId, origin })
    await queue(database.store, { url: receiver.url, count: 30 })
    await until(async () => (await states(database.pool))['held'] === 30)
    await sleep(400)
    expect(receiver.requests).toHaveLength(0)
    await database.store.receiverRecords.resume({ tenantId, origin })
    await until(async () => (await states(database.pool))['delivered'] === 30)
    expect(new Set(arrivals(receiver.requests)).size).toBe(30)
    expect(receiver.requests).toHaveLength(30)
  })

  test('a pause parks deliveries that a worker has already queued', async () => {
    const answers: (() => void)[] = []
    const receiver = await httpReceiver((_, response) => void answers.push(() => response.end()))
    startWorker(database.store)
    await queue(database.store, { url: receiver.url, count: 4 })
    await until(() => answers.length === 2)
    await database.store.receiverRecords.pause({ tenantId: TENANT, origin: new URL(receiver.url).origin })
    await until(async () => (await states(database.pool))['held'] === 2)
    answers.forEach((answer) => answer())
    await until(async () => (await states(database.pool))['delivered'] === 2)
    expect(receiver.requests).toHaveLength(2)
  })
})
