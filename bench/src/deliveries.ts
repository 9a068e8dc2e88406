import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeId } from '@order-testing/service/domain/ids'
import { Keyring } from '@order-testing/service/store/sealing/keyring'
import { sealCallback } from '@order-testing/service/store/webhooks/callback-sealing'
import { deliveryContext } from '@order-testing/service/store/webhooks/outbox'
import { inTurns, median, quantile } from './figures.ts'
import { measureBareSender, startReceiver, type Receiver } from './processes.ts'
import type { Report } from './report.ts'
import { ROUNDS } from './settings.ts'
import { cancel, KEY, orderBody, post, TENANT, type World } from './world.ts'
import { rows as insertRows } from '@order-testing/service/store/db/sql'

/** Deliveries per round. */
const COUNT = 5_000
const ORIGINS = 10_000
const TROUBLE_ROUNDS = 3
/** Deliveries before those that are measured: workers run for a long time, so code is compiled and connections are open. */
const WARM_UP = 2 * COUNT
/** Enough time to insert a round before it is due. */
const AHEAD_MS = 10_000
const BATCH = 1_000

/** One worker against a warm undici loop, the latency from commit to arrival, and healthy receivers beside failing ones. */
export async function benchDeliveries(world: World, report: Report): Promise<void> {
  const receiver = await startReceiver()
  try {
    for (const [origins, least] of [
      [1, 0.5],
      [1_000, 0.4],
    ] as const) {
      const urls = healthy(receiver, WARM_UP + COUNT, origins)
      const bare = {
        URLS: JSON.stringify(urls.slice(0, origins)),
        BODY: eventBody(new Date()),
        COUNT: String(COUNT),
        WARM_UP: String(WARM_UP),
      }
      const rates = await inTurns(Math.ceil(ROUNDS / 2), {
        ours: async () => (await deliver(world, receiver, urls, { warmUp: WARM_UP })).rate,
        theirs: async () => measureBareSender({ ...bare, HEADERS: JSON.stringify(await receiver.headers()) }),
      })
      const name = `signed deliveries to ${origins.toLocaleString('en-US')} receiver${origins > 1 ? 's' : ''}`
      report.addRates(name, 'a warm undici loop', rates, { least })
    }
    const waits = await latencies(world, receiver)
    report.addTimes('from commit to arrival when idle, p99', 'the median', {
      ours: quantile(waits, 0.99),
      theirs: median(waits),
    })
    await benchTrouble(world, receiver, report)
  } finally {
    await receiver.stop()
  }
}

/** The same deliveries to healthy receivers, alone and beside 1 % of receivers that hang or refuse. */
async function benchTrouble(world: World, receiver: Receiver, report: Report): Promise<void> {
  const failing = [
    ...urlsOf(ORIGINS / 200, receiver.hangs, 200),
    // Nothing listens on port 9.
    ...urlsOf(ORIGINS / 200, 9, 201),
  ].flatMap((url) => [url, url])
  const targets = healthy(receiver, 2 * ORIGINS, ORIGINS)
  const rates: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] }
  const tails: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] }
  const turns = Array.from({ length: 1 + TROUBLE_ROUNDS }, () => ['alone', 'beside'] as const).flat()
  for (const [round, name] of turns.entries()) {
    const urls = name === 'alone' ? targets : interleave(targets, failing)
    const { rate, waits } = await deliver(world, receiver, urls, { expected: targets.length })
    // The first two rounds warm up.
    if (round < 2) continue
    rates[name].push(rate)
    tails[name].push(quantile(waits, 0.99))
  }
  const name = `${ORIGINS.toLocaleString('en-US')} receivers, 1 % hang or refuse`
  report.addRates(name, 'all healthy', { ours: median(rates.beside), theirs: median(rates.alone) })
  report.addTimes(`${name}, p99`, 'all healthy', { ours: median(tails.beside), theirs: median(tails.alone) })
}

/** Queues one delivery per URL, all due at the same time, and waits until the expected number has arrived. The first are not measured. */
async function deliver(
  { pool }: World,
  receiver: Receiver,
  urls: string[],
  { expected = urls.length, warmUp = 0 } = {},
): Promise<{ rate: number; waits: number[] }> {
  await receiver.forget()
  const keyring = new Keyring([KEY])
  const due = new Date(Date.now() + AHEAD_MS)
  const rows = urls.map((url) => {
    const [id, callbackId, orderId] = [newId('dlv'), newId('cbk'), newId('ord')]
    return { id, callbackId, orderId, url, origin: new URL(url).origin }
  })
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH)
    await pool`insert into callbacks ${insertRows(
      batch.map(({ callbackId, orderId, url, origin }) => ({
        tenant_id: TENANT,
        id: callbackId,
        order_id: orderId,
        version: 'v2',
        origin,
        secrets: sealCallback(keyring, {
          tenantId: TENANT,
          orderId,
          id: callbackId,
          callback: { url, auth: { type: 'bearer', token: 'token', secretKey: 'secret' } },
        }),
        shows_participant: true,
        created_at: due,
      })),
    )}`
    await pool`insert into deliveries ${insertRows(
      batch.map(({ id, callbackId, orderId, origin }) => ({
        tenant_id: TENANT,
        id,
        event_id: newId('evt'),
        callback_id: callbackId,
        order_id: orderId,
        version: 'v2',
        origin,
        body: keyring.seal(eventBody(due), deliveryContext({ tenantId: TENANT, id })),
        due_at: due,
        created_at: due,
      })),
    )}`
  }
  const arrivals = await receiver.wait(expected)
  const times = arrivals.map(({ at }) => at).toSorted((a, b) => a - b)
  const seconds = (times.at(-1)! - Math.max(due.getTime(), times[warmUp]!)) / 1000
  await untilRecorded(pool, rows.length - expected)
  // What hangs is not to reach into the next round.
  await pool`update deliveries set state = 'failed', claim_id = null where state in ('waiting', 'held')`
  await pool`delete from receivers`
  return { rate: (expected - warmUp) / seconds, waits: arrivals.map(({ at, since }) => at - since) }
}

/** Waits until the worker has recorded what arrived: it would get into the way of what follows. */
async function untilRecorded(pool: World['pool'], failing: number): Promise<void> {
  for (;;) {
    const [open] = await pool<
      { n: number }[]
    >`select count(*)::int as n from deliveries where state in ('waiting', 'held')`
    if (open!.n <= failing) return
    await sleep(50)
  }
}

/** From the time that an event was written, shortly before its commit, to its arrival. */
async function latencies({ origin, fresh }: World, receiver: Receiver): Promise<number[]> {
  await receiver.forget()
  const waits: number[] = []
  const callback = { url: `http://127.0.0.1:${receiver.port}/hook` }
  for (let i = 0; i < 100; i++) {
    const { id } = await post(`${origin}/api/v2/orders`, fresh, orderBody('fresh', { callback }))
    await cancel(`${origin}/api/v2/orders/${id}`, fresh)
    const [arrival] = await receiver.wait(1)
    waits.push(arrival!.at - arrival!.since)
    await sleep(20)
  }
  return waits
}

const healthy = ({ port }: Receiver, count: number, origins: number) => {
  const urls = urlsOf(origins, port, 100)
  return Array.from({ length: count }, (_, i) => urls[i % origins]!)
}

/** Loopback addresses, each a separate origin. */
const urlsOf = (count: number, port: number, net: number) =>
  Array.from({ length: count }, (_, i) => `http://127.${net}.${Math.floor(i / 250)}.${1 + (i % 250)}:${port}/hook`)

/** Spreads the second list evenly over the first. */
function interleave(many: string[], few: string[]): string[] {
  const step = Math.floor(many.length / few.length)
  return many.flatMap((url, i) => (i % step === 0 && few[i / step] ? [few[i / step]!, url] : [url]))
}

const eventBody = (at: Date) =>
  JSON.stringify({
    object: 'event',
    id: newId('evt'),
    type: 'order.updated',
    createdAt: at.toISOString(),
    data: { object: 'order', id: newId('ord'), code: 'K7M4-2QXD', url: `/api/v2/orders/${newId('ord')}` },
  })

const newId = (prefix: Parameters<typeof makeId>[0]) => makeId(prefix, new Date(), randomBytes)
