import { fill } from './fill.ts'
import { median } from './figures.ts'
import { openKept } from './kept.ts'
import { measureRate } from './load.ts'
import { codeOf, companyOf, externalIdOf, isOpen, locationOf, specimenIdOf } from './made-orders.ts'
import type { Goal, Report } from './report.ts'
import { CONNECTIONS, KEPT, ORDERS, ROUNDS, SECONDS } from './settings.ts'
import { orderBody, read, secretHeaders, type World } from './world.ts'

const SMALL = 10_000

/** Requests per kind. */
const REQUESTS = 5 * ROUNDS

/** Times as multiples of a request that never asks the database, and the total of a list. */
type Measured = Map<string, { times: number; total: number | undefined }>

/**
 * The same requests at ten thousand orders and at many. Both measurements are divided by the time of a request that never asks the
 * database, taken in turn with them, so that a slow phase of the machine does not count.
 */
export async function benchGrowth(world: World, report: Report): Promise<void> {
  // A process that has just started is slower, whatever the number of orders.
  await createCost(world, false)
  const first = await createCost(world, false)
  await fill(world, { from: 0, to: SMALL })
  const few = await measureAll(world, SMALL)
  const creates = await createCosts(world)
  const large = await grow(world)
  const many = await measureAll(large, ORDERS)
  const named = (count: number) => `${count.toLocaleString('en-US')} orders`
  for (const [name, { times, total }] of many) {
    const matching = total === undefined ? '' : `, total ${total.toLocaleString('en-US')}`
    const both = { ours: times, theirs: few.get(name)!.times }
    addMultiples(`${name}${matching}`, `at ${named(SMALL)}`, both, { most: 1.5 })
  }
  const later = await createCosts(large)
  addMultiples(`create at ${named(ORDERS)}`, 'on an empty system', { ours: later.plain, theirs: first }, { most: 1.25 })
  addMultiples('create', `at ${named(SMALL)}`, { ours: later.plain, theirs: creates.plain }, { most: 1.5 })
  const matched = { ours: later.matched, theirs: creates.matched }
  addMultiples('create with matching', `at ${named(SMALL)}`, matched, { most: 1.5 })
  const bytes = await bytesPerOrder(large)
  report.add({
    name: 'disk per order, with indexes',
    against: 'a bound',
    ours: `${(bytes / 1024).toFixed(2)} KB`,
    theirs: '4 KB',
    ratio: bytes / 4096,
    goal: { most: 1 },
  })

  function addMultiples(
    name: string,
    against: string,
    { ours, theirs }: Record<'ours' | 'theirs', number>,
    goal: Goal,
  ) {
    const [own, other] = [ours, theirs].map((times) => `${times.toFixed(2)} × idle`)
    report.add({ name, against, ours: own!, theirs: other!, ratio: ours / theirs, goal })
  }
}

/** The same database with many orders, or another that keeps them. The service of the first is stopped meanwhile. */
async function grow(world: World): Promise<World> {
  if (KEPT === undefined) {
    await fill(world, { from: SMALL, to: ORDERS })
    return world
  }
  await world.stopService()
  return openKept(KEPT, ORDERS)
}

/**
 * Two runs come first: after a start, code is compiled and pages are read for the first time, and after a checkpoint each page is written to
 * the log as a whole. With ten million orders, that took the first 20 seconds.
 */
async function createCosts(world: World): Promise<Record<'plain' | 'matched', number>> {
  for (let warmUp = 0; warmUp < 2; warmUp++) await createCost(world, false)
  return { plain: await createCost(world, false), matched: await createCost(world, true) }
}

/** The time per create at full rate, as a multiple of a request without the database, at full rate as well. */
async function createCost({ origin, fresh }: World, enabled: boolean): Promise<number> {
  const costs: number[] = []
  const load = { connections: CONNECTIONS, seconds: SECONDS }
  for (let round = 0; round < ROUNDS; round++) {
    const idle = await measureRate(`${origin}/api/v2/companies/c-0`, { ...load, headers: secretHeaders('c-0') })
    const rate = await measureRate(`${origin}/api/v2/orders`, {
      ...load,
      headers: fresh,
      method: 'POST',
      body: () => orderBody('fresh', { orderMatching: { enabled, lookBackPeriod: { unit: 'days', value: 400 } } }),
    })
    costs.push(idle / rate)
  }
  return median(costs)
}

/** Milliseconds of a request that is answered from memory. */
const control = ({ origin }: World) => timeOf(`${origin}/api/v2/companies/c-0`, secretHeaders('c-0'))

async function timeOf(url: string, headers: Record<string, string>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 5; i++) {
    const begun = performance.now()
    await read(url, headers)
    times.push(performance.now() - begun)
  }
  return median(times)
}

async function measureAll(world: World, count: number): Promise<Measured> {
  const found = `${world.origin}${LIST}?externalId=${externalIdOf(closedOf(Math.floor(count / 2)))}`
  const { data } = JSON.parse(await read(found, secretHeaders('c-0'))) as { data: { id: string }[] }
  const requests = requestsAt(count, data[0]!.id)
  const times = new Map(requests.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < REQUESTS; round++) {
    const idle = await control(world)
    for (const { name, path, token } of requests) {
      const begun = performance.now()
      await read(world.origin + path, secretHeaders(token))
      times.get(name)!.push((performance.now() - begun) / idle)
    }
  }
  const measured: Measured = new Map()
  for (const { name, path, token } of requests) {
    const { total } = JSON.parse(await read(world.origin + path, secretHeaders(token))) as { total?: number }
    measured.set(name, { times: median(times.get(name)!), total })
  }
  return measured
}

const LIST = '/api/v2/orders'

/** Reads and lists of the company with three of ten orders, with every filter and the pairs that people combine. */
function requestsAt(count: number, id: string): { name: string; path: string; token: string }[] {
  const n = closedOf(Math.floor(count / 2))
  const [from, to] = [0.5, 0.52].map((part) => new Date(Date.now() - (1 - part) * 364 * 86_400_000).toISOString())
  const location = locationOf(n)
  const lastPage = Math.min(10_000, Math.floor((count * 0.3) / 20))
  const lists: Record<string, string> = {
    'list page 1': '',
    'list page 10,000, or the last': `page=${lastPage}`,
    companyId: 'companyId=c-0',
    locationId: `locationId=${location}`,
    code: `code=${codeOf(n)}`,
    externalId: `externalId=${externalIdOf(n)}`,
    specimenId: `specimenId=${specimenIdOf(n)}`,
    'status of one in 25': 'status=positive',
    'status of most': 'status=negative',
    createdFrom: `createdFrom=${from}`,
    createdTo: `createdTo=${to}`,
    updatedFrom: `updatedFrom=${from}`,
    updatedTo: `updatedTo=${to}`,
    'company and status': 'companyId=c-0&status=positive',
    'location and created range': `locationId=${location}&createdFrom=${from}&createdTo=${to}`,
    'status and created range': `status=negative&createdFrom=${from}&createdTo=${to}`,
  }
  return [
    ...Object.entries(lists).map(([name, query]) => ({ name, path: `${LIST}?${query}`, token: 'c-0' })),
    { name: 'list page 1 of another company', path: LIST, token: 'c-1' },
    ...Object.entries(lists)
      .filter(([name]) => !/companyId|company|code|externalId|specimenId/.test(name))
      .map(([name, query]) => ({ name: `all 1,000 companies: ${name}`, path: `${LIST}?${query}`, token: 'all' })),
    { name: 'all companies but one: list page 1', path: LIST, token: 'most' },
    { name: 'read one order', path: `${LIST}/${id}`, token: 'c-0' },
  ]
}

/** The next order of the large company that is closed, so that it has specimens. */
function closedOf(n: number): number {
  return companyOf(n) === 0 && !isOpen(n) ? n : closedOf(n + 1)
}

async function bytesPerOrder({ pool }: World): Promise<number> {
  const [row] = await pool<{ bytes: number }[]>`
    select (sum(pg_total_relation_size(c.oid)) / (select count(*) from orders))::float8 as bytes
    from pg_class c where c.relname in
      ('orders', 'blocking_keys', 'search_keys', 'search_codes', 'order_positions', 'order_chunks', 'order_blocks', 'order_changes')`
  return row!.bytes
}
