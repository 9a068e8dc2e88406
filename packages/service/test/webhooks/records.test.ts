import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeId } from '../../src/domain/ids.ts'
import { replayDeliveries, replayDelivery } from '../../src/operations/webhooks/replay.ts'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import { only } from '../orders/given.ts'
import { runExplained, statementsOf } from '../support/plans.ts'
import { catalogFile, freshDatabase, testKeyring, type TestDatabase } from '../support/service.ts'
import { applyCatalogs } from '../../src/operations/catalog/files.ts'
import { rows as insertRows, sql } from '../../src/store/db/sql.ts'
import { deliveries } from '../../src/store/webhooks/deliveries.ts'

const TENANT = 'acme'
const ORIGIN = 'https://hooks.example.com'
const HOUR = 3_600_000
const DAY = 24 * HOUR

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
  await applyCatalogs([{ name: 'acme', content: catalogFile(TENANT) }], database.store, { production: false })
  await database.store.outbox.register(TENANT, {
    id: 'cbk_1',
    orderId: 'ord_1',
    version: 'v2',
    callback: { url: `${ORIGIN}/` },
    tokenId: 'hr',
    showsParticipant: false,
    at: new Date(),
  })
})
afterAll(() => database.drop())
beforeEach(() => database.pool`truncate deliveries, delivery_attempts, receivers`)

interface Given {
  state?: 'waiting' | 'held' | 'delivered' | 'failed'
  /** How long ago it ended, in milliseconds. */
  endedAgo?: number
}

/** Deliveries of one order, as workers have left them; their ids in order. */
async function given(count: number, { state = 'delivered', endedAgo = 0 }: Given = {}): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, i) => {
    const at = new Date(Date.now() - count + i)
    const id = makeId('dlv', at, randomBytes)
    return {
      tenant_id: TENANT,
      id,
      event_id: makeId('evt', at, randomBytes),
      callback_id: 'cbk_1',
      order_id: 'ord_1',
      version: 'v2',
      body: testKeyring.seal('{}', `delivery ${TENANT} ${id}`),
      origin: ORIGIN,
      state,
      created_at: at,
      ended_at: state === 'waiting' || state === 'held' ? null : new Date(Date.now() - endedAgo),
    }
  })
  for (let i = 0; i < count; i += 1_000)
    await database.pool`insert into deliveries ${insertRows(rows.slice(i, i + 1_000))}`
  return rows.map(({ id }) => id)
}

const count = async (condition = sql`true`) =>
  only(await database.pool<{ n: number }[]>`select count(*)::int as n from deliveries where ${condition}`).n

describe('replaying', () => {
  const replayAll = () =>
    replayDeliveries({ tenantId: TENANT, origin: ORIGIN }, database.store, () => Promise.resolve())

  test('a replay leaves a claimed delivery to the worker that has it', async () => {
    const [id] = await given(1, { state: 'waiting' })
    const [claimed] = await database.store.deliveries.claim(randomUUID(), 10)
    await expect(replayDelivery({ tenantId: TENANT, id: id! }, database.store)).rejects.toThrow('has not ended yet')
    const attempt = { at: new Date(), ms: 1, status: 200, error: null, detail: null, excerpt: '' }
    await database.store.deliveries.record([
      { delivery: claimed!, state: 'delivered', wait: 0, isGone: false, attempt },
    ])
    expect(await count(sql`state = 'delivered' and attempts = 1 and claim_id is null`)).toBe(1)
  })

  test('a replay is not undone by a worker that resumes after its lease', async () => {
    const [id] = await given(1, { state: 'waiting' })
    const [late] = await database.store.deliveries.claim(randomUUID(), 10)
    await database.pool`update deliveries set claimed_until = now()`
    const [current] = await database.store.deliveries.claim(randomUUID(), 10)
    const ending = { wait: 0, isGone: false, attempt: null }
    await database.store.deliveries.record([{ delivery: current!, state: 'failed', ...ending }])
    await replayDelivery({ tenantId: TENANT, id: id! }, database.store)
    await database.store.deliveries.record([{ delivery: late!, state: 'delivered', ...ending }])
    expect(await count(sql`state = 'held' and attempts = 0 and ended_at is null`)).toBe(1)
  })

  test('a replay of many deliveries runs in batches and replays each once', async () => {
    await given(2_300)
    await given(5, { state: 'held' })
    const replayed = await replayAll()
    expect(replayed).toEqual({ replayed: 2_300, waiting: 5, ended: 0, forgotten: 0 })
    expect(await count(sql`state = 'held'`)).toBe(2_305)
  })

  test('concurrent replays of the same deliveries replay each once', async () => {
    await given(500)
    const all = await Promise.all([1, 2, 3].map(() => replayAll()))
    expect(all.map(({ replayed }) => replayed).reduce((sum, each) => sum + each)).toBe(500)
  })
})

describe('the age of the queue', () => {
  const RECEIVER = { tenantId: TENANT, origin: ORIGIN }
  const dueSince = (state: string, seconds: number) => database.pool`
    update deliveries set due_at = now() - ${seconds}::float8 * interval '1 second' where state = ${state}`
  const ages = async () => {
    const entries = Object.entries(await database.store.deliveryQueue.ages())
    // To ten seconds: the clock goes on.
    return Object.fromEntries(entries.map(([name, age]) => [name, 10 * Math.round(age / 10)]))
  }
  const NONE = { waiting: 0, queued: 0, breakerOpen: 0, paused: 0 }

  test('the queue age is that of the oldest delivery in each state', async () => {
    expect(await ages()).toEqual(NONE)
    await given(3, { state: 'waiting' })
    await dueSince('waiting', 20)
    expect(await ages()).toEqual({ ...NONE, waiting: 20 })
    await given(3, { state: 'held' })
    await dueSince('held', 200)
    expect(await ages()).toEqual({ ...NONE, waiting: 20, queued: 200 })
  })

  test('the queue age is separate for paused receivers and for open breakers', async () => {
    await given(3, { state: 'held' })
    await dueSince('held', 200)
    await database.store.receiverRecords.pause(RECEIVER)
    expect(await ages()).toEqual({ ...NONE, paused: 200 })
    await database.store.receiverRecords.resume(RECEIVER)
    const openUntil = new Date(Date.now() + 60_000)
    await database.store.receivers.setBreaker(RECEIVER, { failures: 5, openUntil, breakSeconds: 60 })
    expect(await ages()).toEqual({ ...NONE, breakerOpen: 200 })
  })
})

describe('recording', () => {
  test('statistics made while nothing was claimed do not compare each delivery with each result', async () => {
    await given(8_000, { state: 'waiting' })
    await database.pool.script('analyze deliveries')
    const claimed = await database.store.deliveries.claim(randomUUID(), 500)
    const results = claimed.map((delivery) => ({
      delivery,
      state: 'delivered' as const,
      wait: 0,
      isGone: false,
      attempt: null,
    }))
    const [recording] = await statementsOf((db) => deliveries(db, testKeyring).record(results))
    const plan = await runExplained(database.pool, recording!)
    expect(plan).toContain('actual time')
    const passedOver = [...plan.matchAll(/Removed by Join Filter: (\d+)/g)].map(([, times]) => Number(times))
    expect(Math.max(0, ...passedOver)).toBeLessThan(500)
    expect(await database.pool.values`select count(*)::int from deliveries where state = 'delivered'`).toEqual([500])
  })
})

describe('a list of deliveries', () => {
  test('a list of deliveries has an exact total up to its limit', async () => {
    await given(3)
    await database.pool.transaction(
      (db) => db`
        insert into deliveries (tenant_id, id, event_id, callback_id, order_id, version, origin, state, created_at)
        select ${TENANT}, 'dlv_0' || i, 'evt_0', 'cbk_1', 'ord_2', 'v2', 'https://other.example.com', 'delivered', now()
        from generate_series(1, 100000) i`,
      { isUnlimited: true },
    )
    const page = { limit: 2, page: 1 }
    expect(await database.store.deliveryRecords.list({}, page)).toMatchObject({ total: 100_000, isMore: true })
    const some = await database.store.deliveryRecords.list({ orderId: 'ord_1' }, page)
    expect(some).toMatchObject({ total: 3, isMore: false })
    expect(some.rows).toHaveLength(2)
  })
})

describe('after thirty days', () => {
  const attempts = (deliveryId: string, ago: number, many = 1) => database.pool`
    insert into delivery_attempts (tenant_id, delivery_id, at, ms, status, excerpt)
    select ${TENANT}, ${deliveryId}, ${new Date(Date.now() - ago)}, 5, 200, 'ok' from generate_series(1, ${many})`
  const kept = async () =>
    only(await database.pool<{ n: number }[]>`select count(*)::int as n from delivery_attempts`).n

  test('attempts are deleted after 30 days, and the delivery still shows how it ended', async () => {
    const [id] = await given(1)
    await attempts(id!, 30 * DAY + HOUR)
    await attempts(id!, 30 * DAY - HOUR)
    await runHousekeeping(database.store, new Date())
    expect(await database.store.deliveryRecords.attempts(TENANT, id!)).toMatchObject([{ status: 200 }])
    expect(await count(sql`id = ${id!} and state = 'delivered'`)).toBe(1)
  })

  test('a body is deleted 30 days after its delivery ended, and not before', async () => {
    const old = { endedAgo: 30 * DAY + HOUR }
    const [delivered, failed] = [...(await given(1, old)), ...(await given(1, { ...old, state: 'failed' }))]
    const [recent] = await given(1, { endedAgo: 30 * DAY - HOUR })
    const [waiting, held] = [...(await given(1, { state: 'waiting' })), ...(await given(1, { state: 'held' }))]
    await database.pool`update deliveries set created_at = now() - interval '40 days'`
    await runHousekeeping(database.store, new Date())
    const rows = await database.pool<{ id: string }[]>`select id from deliveries where body is null order by id`
    expect(rows.map(({ id }) => id)).toEqual([delivered!, failed!].toSorted())
    expect(await count(sql`id = any(${[recent!, waiting!, held!]}) and body is not null`)).toBe(3)
    await expect(replayDelivery({ tenantId: TENANT, id: delivered! }, database.store)).rejects.toThrow(
      'deleted after 30 days',
    )
  })

  test('attempts and bodies are deleted in batches that report whether there may be more', async () => {
    const [id] = await given(1)
    await attempts(id!, 31 * DAY, 5_001)
    expect([await database.store.deliveryRecords.forgetOld(), await kept()]).toEqual([true, 1])
    expect([await database.store.deliveryRecords.forgetOld(), await kept()]).toEqual([false, 0])
    await attempts(id!, 31 * DAY, 12_000)
    await given(5_500, { endedAgo: 31 * DAY })
    await runHousekeeping(database.store, new Date())
    expect([await kept(), await count(sql`body is not null`)]).toEqual([0, 1])
  })

  test('concurrent deletions do not conflict, and a replayed delivery keeps its body', async () => {
    const ids = await given(200, { endedAgo: 31 * DAY })
    await replayDelivery({ tenantId: TENANT, id: ids[7]! }, database.store)
    await Promise.all([1, 2, 3].map(() => database.store.deliveryRecords.forgetOld()))
    expect(await database.pool`select id from deliveries where body is not null`).toEqual([{ id: ids[7] }])
  })
})
