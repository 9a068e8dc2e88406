import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { body, SECRET, world } from '../orders/given.ts'
import { newFolder } from '../support/folders.ts'
import { PATIENT, serving, SLOW, type Serving } from '../support/processes.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'
import { closeAll, httpReceiver } from '../webhooks/receivers.ts'
import { until } from '../webhooks/working.ts'
import { buildNextRelease, NEXT_MIGRATIONS } from './next-release.ts'

const CLIENTS = 6
const BACKFILL_ROWS = 50

interface Answer {
  id: string
  status: string
  total: number
}

/** Clients that place, read, list and cancel orders at the nodes given, until they are stopped. */
class Load {
  nodes: Serving[] = []
  readonly failures: string[] = []
  readonly cancelled: string[] = []
  readonly #callback: string
  #isOver = false
  #clients: Promise<void>[] = []

  constructor(callback: string) {
    this.#callback = callback
  }

  start(): void {
    this.#clients = Array.from({ length: CLIENTS }, (_, i) => this.#client(i))
  }

  /** Waits until so many more orders were placed, read, listed and cancelled at the present nodes. */
  async more(orders: number): Promise<void> {
    const enough = this.cancelled.length + orders
    await until(() => this.cancelled.length >= enough || this.failures.length > 0, 'the orders', SLOW.timeout)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  async #client(number: number): Promise<void> {
    for (let i = number; !this.#isOver && this.failures.length === 0; i++) {
      // Each step may meet the other release than the one before it.
      const node = (step: number) => this.nodes[(i + step) % this.nodes.length]!
      const placed = await this.ask(node(0), 'POST', '/api/v2/orders', body({ callback: { url: this.#callback } }))
      const path = `/api/v2/orders/${placed.id}`
      const read = await this.ask(node(1), 'GET', path)
      if (read.id !== placed.id) this.failures.push(`${path} is ${JSON.stringify(read)}`)
      const { total } = await this.ask(node(0), 'GET', '/api/v2/orders?limit=5')
      if (!(total > 0)) this.failures.push(`The total is ${total}.`)
      const { status } = await this.ask(node(1), 'PUT', `${path}/cancellation`)
      if (status === 'cancelled') this.cancelled.push(placed.id)
      else this.failures.push(`${path} is ${status}`)
    }
  }

  async ask({ origin }: Serving, method: string, path: string, content?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${SECRET}`, ...(content && { 'content-type': 'application/json' }) }
    try {
      const response = await fetch(origin + path, {
        method,
        headers,
        ...(content && { body: JSON.stringify(content) }),
      })
      const text = await response.text()
      if (!response.ok) this.failures.push(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text) as Answer
    } catch (error) {
      this.failures.push(`${method} ${path}: ${String(error)}`)
      return {} as Answer
    }
  }
}

/**
 * Runs a node of this release and one of the next on the same database under load, with so many orders between two
 * steps: the next one migrates while this one serves, rows are filled, and this one is restarted on the new schema.
 */
export async function runBothReleases(orders: number): Promise<void> {
  const database = await freshDatabase()
  const folder = await newFolder()
  const next = await buildNextRelease()
  const receiver = await httpReceiver()
  const env = {
    DATABASE_URL: urlOf(database.target),
    OTS_CATALOG: join(folder, 'catalog.json'),
    OTS_DATA_DIR: join(folder, 'data'),
    OTS_RATE_LIMIT: '0',
    // A busy machine is no reason for a 503.
    OTS_REQUEST_TIMEOUT: '60s',
    OTS_STATEMENT_TIMEOUT: '50s',
  }
  await writeFile(env.OTS_CATALOG, JSON.stringify(world()))
  const load = new Load(receiver.url)
  const started: Serving[] = []
  const start = async (program?: string) => {
    const node = await serving(env, undefined, program)
    started.push(node)
    return node
  }
  try {
    const previous = await start()
    load.nodes = [previous]
    load.start()
    await load.more(orders)

    // It migrates at its start.
    const later = await start(next.ots)
    expect(await appliedOf(database)).toEqual(Object.keys(NEXT_MIGRATIONS))
    load.nodes = [previous, later]
    await load.more(orders)
    await fillRows(database)

    load.nodes = [later]
    await load.more(CLIENTS * 2)
    expect(await previous.end('SIGTERM')).toBe(0)
    const again = await start()
    load.nodes = [again, later]
    await load.more(orders)
    await load.stop()

    expect(load.failures).toEqual([])
    await expectComplete(database, load, receiver)
    for (const node of [again, later])
      expect((await load.ask(node, 'GET', '/api/v2/orders')).total).toBe(load.cancelled.length)
  } finally {
    await load.stop()
    for (const node of started) if (node.process.exitCode === null) await node.end('SIGTERM')
    await closeAll()
    await database.drop()
    await next.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Every order was placed and cancelled once, and its event arrived once. */
async function expectComplete({ pool }: TestDatabase, { cancelled }: Load, receiver: EventReceiver): Promise<void> {
  const ids = cancelled.toSorted()
  const [stored] = await pool<{ ids: string[] }[]>`
    select array_agg(id order by id collate "C") as ids from orders where status = 'cancelled'`
  expect(stored!.ids.toSorted()).toEqual(ids)
  const waiting = async () =>
    (await pool.only<{ count: number }>`select count(*)::int as count from deliveries where state <> 'delivered'`).count
  await expect.poll(waiting, PATIENT).toBe(0)
  const events = receiver.requests.map(
    ({ body: text }) => (JSON.parse(String(text)) as { data: { id: string } }).data.id,
  )
  expect(events.toSorted()).toEqual(ids)
  const [indexes] = await pool<{ valid: number }[]>`
    select count(*)::int as valid from pg_index
    where indisvalid and indexrelid::regclass::text in ('orders_by_next_note', 'events_by_next')`
  expect(indexes!.valid).toBe(2)
}

type EventReceiver = Awaited<ReturnType<typeof httpReceiver>>

const appliedOf = async ({ pool }: TestDatabase) =>
  (await pool<{ name: string }[]>`select name from schema_migrations where name like '999%' order by 1`).map(
    ({ name }) => name,
  )

/** Fills the new column of earlier rows as nodes of the next release would: in short transactions, past locked rows. */
async function fillRows({ pool }: TestDatabase): Promise<void> {
  const [last] = await pool<{ at: Date }[]>`select now() as at`
  const isLeft = async () => {
    const filled = await pool`
      update orders set next_note = 'filled' where (tenant_id, id) in (
        select tenant_id, id from orders where next_note is null and created_at < ${last!.at}
        limit ${BACKFILL_ROWS} for update skip locked)
      returning 1`
    const [left] = await pool<{ count: number }[]>`
      select count(*)::int as count from orders where next_note is null and created_at < ${last!.at}`
    return filled.length > 0 || left!.count > 0
  }
  for (; await isLeft(););
}
