import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DELIVERY_STATES } from '@order-testing/contract'
import { idFloor } from '../../src/domain/ids.ts'
import { applyCatalogs } from '../../src/operations/catalog/files.ts'
import type { Db } from '../../src/store/db/db.ts'
import type { Compiled } from '../../src/store/db/sql.ts'
import type { DeliveryFilter } from '../../src/store/webhooks/records.ts'
import { catalogFile, freshDatabase, type TestDatabase } from '../support/service.ts'

const [FEW, MANY] = [400, 8_000]
/** Short enough to be full at both sizes, whatever is filtered by. */
const SHORT = 2
const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
  await applyCatalogs(
    ['north', 'south'].map((name) => ({ name, content: catalogFile(name) })),
    database.store,
    { production: false },
  )
})
afterAll(() => database.drop())

type Mix = 'mixed' | 'ended' | 'open'

/** The states of ten deliveries in a row. */
const MIXES: Record<Mix, string[]> = {
  mixed: ['failed', 'held', 'waiting', ...Array<string>(7).fill('delivered')],
  ended: ['failed', ...Array<string>(9).fill('delivered')],
  open: ['held', 'waiting'],
}

/** Deliveries numbered from `from` up to `to`, one a minute, of both tenants, ten origins and an order for every four. */
async function grow(from: number, to: number, mix: Mix = 'mixed'): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, i) => from + i)
  const ids = numbers.map((n) => idFloor('dlv', new Date(START + n * MINUTE)))
  await database.pool`
    insert into callbacks (tenant_id, id, order_id, version, url, secrets, shows_participant, created_at)
    select case n % 3 when 0 then 'south' else 'north' end, 'cbk_' || n, 'ord_' || n / 4, 'v2', 'https://h.example.com/' || n, '', false, now()
    from unnest(${numbers}::int[]) n`
  await database.pool`
    insert into deliveries (tenant_id, id, event_id, callback_id, order_id, version, body, origin, state, due_at, created_at)
    select case n % 3 when 0 then 'south' else 'north' end, id, 'evt_' || n, 'cbk_' || n, 'ord_' || n / 4, 'v2',
      decode(repeat('00', 500), 'hex'), 'https://h' || n / 10 % 10 || '.example.com',
      (${MIXES[mix]}::text[])[1 + n % ${MIXES[mix].length}], now() + interval '1 hour', now()
    from unnest(${numbers}::int[], ${ids}::text[]) as u (n, id)`
  await database.pool`
    insert into delivery_attempts (tenant_id, delivery_id, at, ms, status, excerpt)
    select tenant_id, id, now(), 5, 200, 'ok' from deliveries where event_id in (select 'evt_' || n from unnest(${numbers}::int[]) n)`
}

const clear = () => database.pool`truncate deliveries, delivery_attempts, callbacks`
/** What autovacuum does sooner or later. */
const settle = () => database.pool.script('vacuum analyze deliveries, delivery_attempts, callbacks, receivers')

/** Every combination of filters. */
function* filters(): Generator<DeliveryFilter> {
  const span = [new Date(START + 100 * MINUTE), new Date(START + 300 * MINUTE)]
  for (const tenantId of ['north', undefined])
    for (const state of [undefined, ...DELIVERY_STATES])
      for (const origin of [undefined, 'https://h3.example.com'])
        for (const orderId of [undefined, 'ord_33'])
          for (const createdFrom of [undefined, span[0]])
            for (const createdTo of [undefined, span[1]])
              yield { tenantId, state, origin, orderId, createdFrom, createdTo }
}

interface Node {
  'Node Type': string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  Plans?: Node[]
}

/** Buffers that a list touches for its rows, and for its total. */
interface Cost {
  page: number
  total: number
}

async function costOf(filter: DeliveryFilter, limit: number): Promise<Cost> {
  const [{ text, values }] = await statementsOf([filter], limit)
  const parts = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => values[Number(number) - 1]!)
  return costIn(await planOf(database.pool, `explain (analyze, buffers, format json) ${text}`.split(/\$\d+/), parts))
}

/** The statements that the lists are made with. */
async function statementsOf(all: DeliveryFilter[], limit: number): Promise<[Compiled, ...Compiled[]]> {
  const heard: Compiled[] = []
  database.hear((statement) => heard.push(statement))
  for (const filter of all) await database.store.deliveryRecords.list(filter, { limit, page: 1 })
  database.hear(undefined)
  return heard as [Compiled, ...Compiled[]]
}

function costIn(root: Node): Cost {
  const buffers = (node: Node) => node['Shared Hit Blocks'] + node['Shared Read Blocks']
  const total = buffers(root.Plans!.find((node) => node['Node Type'] === 'Aggregate')!)
  return { page: buffers(root) - total, total }
}

async function planOf(db: Db, strings: string[], values: (string | Uint8Array)[] = []): Promise<Node> {
  const [row] = await db<{ 'QUERY PLAN': { Plan: Node }[] }[]>(strings as unknown as TemplateStringsArray, ...values)
  return row!['QUERY PLAN'][0]!.Plan
}

async function costs(all: DeliveryFilter[], limit: number): Promise<Cost[]> {
  const found: Cost[] = []
  for (const filter of all) found.push(await costOf(filter, limit))
  return found
}

/** The filters whose cost has more than doubled, where it is more than that of the first: a page may have been filled up. */
const doubled = (all: DeliveryFilter[], before: number[], after: number[]) =>
  all
    .map((filter, i) => `${JSON.stringify(filter)}: ${before[i]} -> ${after[i]}`)
    .filter((_, i) => after[i]! > 2 * Math.max(before[i]!, before[0]!))

describe(`a list of ${MANY} deliveries touches at most twice the buffers of one of ${FEW}, whatever it is filtered by`, () => {
  const all = [...filters()]

  test('the rows of a page read no more buffers as deliveries are added', async () => {
    const paged = all.filter(({ state }) => state !== 'sending')
    await clear()
    await grow(0, FEW)
    await settle()
    const before = await costs(paged, SHORT)
    await grow(FEW, MANY)
    await settle()
    const after = await costs(paged, SHORT)
    const pages = (found: Cost[]) => found.map(({ page }) => page)
    expect(doubled(paged, pages(before), pages(after))).toEqual([])
  })

  test('rows and total together read no more buffers when the added deliveries have ended', async () => {
    await clear()
    await grow(0, 40, 'open')
    await grow(40, FEW, 'ended')
    await settle()
    const before = await costs(all, 20)
    await grow(FEW, MANY, 'ended')
    await settle()
    const after = await costs(all, 20)
    const sums = (found: Cost[]) => found.map(({ page, total }) => page + total)
    expect(doubled(all, sums(before), sums(after))).toEqual([])
  })

  test('lists without planner statistics read no more than 50 buffers per row', async () => {
    const paged = all.filter(({ state }) => state !== 'sending')
    const pages = async () => (await costs(paged, SHORT)).map(({ page }) => page)
    await clear()
    await grow(0, FEW)
    const before = await pages()
    await grow(FEW, MANY)
    const after = await pages()
    expect(doubled(paged, before, after)).toEqual([])
    expect(Math.max(...before, ...after)).toBeLessThanOrEqual(50 * SHORT)
  })

  test('lists with cached plans made for an empty table read no more buffers', async () => {
    const paged = all.filter(({ state }) => state !== 'sending')
    await clear()
    const statements = await statementsOf(paged, SHORT)
    await database.pool.transaction(async (db) => {
      await db.script('set local plan_cache_mode = force_generic_plan')
      const pages = async () => {
        const found: number[] = []
        for (const [i, { values }] of statements.entries()) {
          const list = values.map((value) => `'${String(value)}'`).join(', ')
          const plan = await planOf(db, [`explain (analyze, buffers, format json) execute list_${i}(${list})`])
          found.push(costIn(plan).page)
        }
        return found
      }
      for (const [i, { text }] of statements.entries()) await db.script(`prepare list_${i} as ${text}`)
      await pages()
      await grow(0, FEW)
      const before = await pages()
      await grow(FEW, MANY)
      expect(doubled(paged, before, await pages())).toEqual([])
    })
  })
})

test('answer times of receivers are read by index, from the newest deliveries', async () => {
  await clear()
  await grow(0, MANY)
  await settle()
  const heard: Compiled[] = []
  database.hear((statement) => heard.push(statement))
  const origins = ['https://h3.example.com', 'https://h4.example.com']
  const times = await database.store.receiverActivity.answerTimes('north', origins, new Date(0))
  database.hear(undefined)
  expect([...times]).toEqual(origins.map((origin) => [origin, 5]))
  const [{ text, values }] = heard as [Compiled]
  const parts = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => values[Number(number) - 1]!)
  const plan = await planOf(database.pool, `explain (analyze, format json) ${text}`.split(/\$\d+/), parts)
  const reads = nodesIn(plan).filter((node) => /Scan/.test(node['Node Type']) && node['Relation Name'] !== undefined)
  const indexes = reads.map((node) => node['Index Name'])
  expect(new Set(indexes)).toEqual(new Set(['deliveries_by_origin', 'delivery_attempts_pkey']))
  // Two origins with four states, and a hundred deliveries of each.
  for (const node of reads) expect(node['Actual Rows']! * node['Actual Loops']!).toBeLessThanOrEqual(800)
})

const nodesIn = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap((each) => nodesIn(each))]
