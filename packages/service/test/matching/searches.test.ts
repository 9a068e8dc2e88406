import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeSearch } from '../../src/operations/matching/match.ts'
import { MOST_CANDIDATES, type Search } from '../../src/store/matching/searches.ts'
import { copyOrder } from '../support/copies.ts'
import { startService, type TestService } from '../support/service.ts'
import {
  body,
  cancelled,
  created,
  GLOBEX,
  only,
  orderOf,
  PERSON,
  post,
  SECRET,
  TENANT,
  world,
} from '../orders/given.ts'

const ON = { orderMatching: { enabled: true } }
const WIDE = { orderMatching: { enabled: true, matchScore: 0 } }
const CALLER = { tenantId: TENANT, tokenId: 'test', companyIds: ['acme'] } as never
const DAY = 86_400_000

let service: TestService
beforeAll(async () => {
  service = await startService()
  const locations = Array.from({ length: 10 }, (_, i) => ({ id: `site-${i}`, name: `Site ${i}` }))
  await service.apply(world({ locations }))
})
afterAll(() => service.stop())

/** The search of a create for this person. */
const searchOf = (location: string, participant: object, minScore: number): Search =>
  composeSearch(
    orderOf({ location: { id: location, name: location }, participant }),
    { profile: 'standard', lookBackMs: 30 * DAY, minScore },
    { caller: CALLER, now: new Date() },
  )

/** Adds orders that have the same participant and blocking keys as this one, and are newer. */
const addCopies = (id: string, count: number) =>
  copyOrder(
    service,
    TENANT,
    id,
    Array.from({ length: count }, (_, n) => ({
      id: `${id}${count}-${String(n).padStart(6, '0')}`,
      code: `${id}${count}${n}`,
    })),
  )

/** Rows found and blocks read by the search itself. */
async function touched(
  location: string,
  participant: object,
  minScore: number,
): Promise<{ rows: number; blocks: number }> {
  const search = searchOf(location, participant, minScore)
  const statements: { text: string; values: unknown[] }[] = []
  // The service also writes down requests and last uses, whenever it gets to it.
  service.hear((statement) => statement.text.includes('find_candidates(') && statements.push(statement))
  const [found = []] = await service.store.matchCandidates.find([search])
  service.hear(undefined)
  const { text, values } = only(statements)
  const literals = values.map((value) => `'${String(value).replaceAll("'", "''")}'`)
  const written = text.replaceAll(/\$(\d+)/g, (_, place: string) => literals[Number(place) - 1]!)
  const explained = await service.pool.transaction(async (db) => {
    await db.script(`create temporary table plans (plan json) on commit drop;
      do $do$ declare plan json; begin
        for i in 1..3 loop execute $q$explain (analyze, buffers, format json) ${written}$q$ into plan; end loop;
        insert into plans values (plan); end $do$`)
    return db<{ plan: [{ Plan: Record<string, number> }] }[]>`select plan from plans`
  })
  const { Plan } = only(explained).plan[0]
  return { rows: found.length, blocks: Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']! }
}

describe('a search for equivalent orders reads a bounded number of them', () => {
  test('a wide search reads a bounded number, however many orders have the same purpose', async () => {
    const { id } = await created(service, {
      location: { id: 'site-0' },
      participant: { firstName: 'A', lastName: 'B' },
    })
    await addCopies(id, 1_000)
    const few = await touched('site-0', { firstName: 'Anna', lastName: 'Novak' }, 0)
    await addCopies(id, 9_000)
    const many = await touched('site-0', { firstName: 'Anna', lastName: 'Novak' }, 0)
    expect([few.rows, many.rows]).toEqual([MOST_CANDIDATES.wide, MOST_CANDIDATES.wide])
    // For each order one index entry, and a few blocks to read it by its key.
    expect(few.blocks).toBeLessThan(10 * MOST_CANDIDATES.wide)
    expect(many.blocks).toBeLessThan(1.5 * few.blocks)
  })

  test('a narrow search reads a bounded number, however many orders share an e-mail address', async () => {
    const shared = { firstName: 'A', lastName: 'B', email: 'everybody@example.com' }
    const { id } = await created(service, { location: { id: 'site-1' }, participant: shared })
    await addCopies(id, 1_000)
    const few = await touched('site-1', { ...shared, lastName: 'C' }, 85)
    await addCopies(id, 9_000)
    const many = await touched('site-1', { ...shared, lastName: 'C' }, 85)
    expect([few.rows, many.rows]).toEqual([MOST_CANDIDATES.narrow, MOST_CANDIDATES.narrow])
    expect(few.blocks).toBeLessThan(10 * MOST_CANDIDATES.narrow)
    expect(many.blocks).toBeLessThan(1.5 * few.blocks)
  })

  test('a search finds the newest orders', async () => {
    const { id } = await created(service, {
      location: { id: 'site-2' },
      participant: { firstName: 'A', lastName: 'B' },
    })
    await addCopies(id, 500)
    const [found = []] = await service.store.matchCandidates.find([searchOf('site-2', {}, 0)])
    const newest = await service.pool<{ id: string }[]>`
      select id from orders where location_id = 'site-2' order by id desc limit ${MOST_CANDIDATES.wide}::int`
    expect(found.map((each) => each.id)).toEqual(newest.map((each) => each.id))
  })

  test.each([
    ['narrow', ON, 'site-3'],
    ['wide', WIDE, 'site-4'],
  ])('a %s search finds an older order by a rare blocking key beside a common one', async (_, asked, site) => {
    const location = { id: site }
    const anna = { ...PERSON, firstName: 'Anna', lastName: 'Novak', email: 'everybody@example.com' }
    const old = await created(service, { location, participant: anna })
    const other = { firstName: 'Gregory', lastName: 'Whitfield', email: 'everybody@example.com' }
    const { id } = await created(service, { location, participant: other })
    await addCopies(id, 1_000)
    const answer = await post(service, body({ location, participant: anna, ...asked }))
    expect([answer.status, answer.body.id]).toEqual([200, old.id])
  })
})

test('the stored blocking keys follow every change of an order', async () => {
  const location = { id: 'site-5' }
  const people = ['Ada', 'Bea', 'Cyd'].map((firstName) => ({ ...PERSON, firstName }))
  const orders = await Promise.all(people.map((participant) => created(service, { location, participant })))
  await cancelled(service, orders[0]!.id)
  const keysOf = async (id: string) =>
    (await service.pool`select key from blocking_keys where tenant_id = ${TENANT} and order_id = ${id}`).length
  expect(await Promise.all(orders.map(({ id }) => keysOf(id)))).toEqual([0, 5, 5])
  await service.pool`update orders set blocking_keys = blocking_keys[2:3] || 7::bigint where id = ${orders[1]!.id}`
  await service.pool`delete from orders where id = ${orders[2]!.id}`
  expect(await Promise.all(orders.map(({ id }) => keysOf(id)))).toEqual([0, 3, 0])
  const differing = await service.pool`
    (select tenant_id, key, order_id from blocking_keys
      except select tenant_id, unnest(blocking_keys), id from orders)
    union all (select tenant_id, unnest(blocking_keys), id from orders
      except select tenant_id, key, order_id from blocking_keys)`
  expect(differing).toEqual([])
})

describe('a token that floods the service does not block others', () => {
  /** Connections that wait for a create for the same purpose or person. */
  const blocked = async () =>
    only(
      await service.pool<{ n: number }[]>`
        select count(distinct pid)::int as n from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
    ).n

  /** Sends all at once while an equivalent create is running, which continues when the other tokens are done. */
  async function flood(
    sent: { search: Search; posts: (() => ReturnType<typeof post>)[] },
    meanwhile: (answers: Answers) => Promise<void>,
  ) {
    const answers: Answers = []
    let pending: Promise<unknown> | undefined
    await service.store.transaction(async (tx) => {
      await tx.matchCandidates.lock(sent.search)
      pending = Promise.all(sent.posts.map(async (send) => answers.push(await send())))
      await meanwhile(answers)
    })
    await pending
    return answers
  }
  type Answers = Awaited<ReturnType<typeof post>>[]

  /** The requests of another token: every kind of create, and a cancellation. */
  async function othersWork(name: string): Promise<void> {
    const participant = { ...PERSON, firstName: 'Otto', lastName: name, email: `${name}@example.com` }
    const sent = body({ location: { id: 'globex-hq' }, participant })
    const first = await post(service, sent, { secret: GLOBEX })
    const again = await post(service, { ...sent, ...ON }, { secret: GLOBEX })
    const keyed = { secret: GLOBEX, headers: { 'Idempotency-Key': name } }
    const third = await post(service, { ...sent, ...ON }, keyed)
    const wide = await post(service, { ...sent, ...WIDE }, { secret: GLOBEX })
    expect([first, again, third, wide].map(({ status }) => status)).toEqual([201, 200, 200, 200])
    expect((await cancelled(service, first.body.id, undefined, GLOBEX)).status).toBe(200)
  }

  const people = (count: number, members: object) =>
    Array.from({ length: count }, (_, i) => {
      const digits = String(i).padStart(2, '0')
      // No two of these numbers are one edit apart.
      const identifiers = [{ type: 'employeeId', value: `E${digits.repeat(4)}` }]
      return { firstName: 'Julius', lastName: 'Zander', identifiers, ...members }
    })

  /** Each request was either placed, or refused after waiting too long; a few of those may have been placed, and say so. */
  async function expectPlacedOrRefused(answers: Answers, location: string): Promise<void> {
    const placed = answers.filter(({ status }) => status === 201)
    expect(placed.length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([])
    const unsure = answers.filter(
      ({ status, body: { errors } }) => status === 503 && /may have been/.test(errors[0].detail),
    )
    const stored = await service.pool`select from orders where location_id = ${location}`
    expect(stored.length).toBeGreaterThanOrEqual(placed.length)
    expect(stored.length).toBeLessThanOrEqual(placed.length + unsure.length)
  }

  test('wide searches of a token use one connection, a few wait, and more are refused', async () => {
    const location = { id: 'site-6' }
    const posts = people(100, {}).map((participant) => () => post(service, body({ location, participant, ...WIDE })))
    const answers = await flood({ search: searchOf('site-6', {}, 0), posts }, async (soFar) => {
      // One is running, and the others wait for their turn.
      while ((await blocked()) < 1) await sleep(5)
      expect(await blocked()).toBe(1)
      for (const { status, headers, body: refusal } of soFar) {
        expect([status, refusal.errors[0].code, headers.has('retry-after')]).toEqual([503, 'internalError', true])
      }
      await othersWork('wide')
      expect(await blocked()).toBeLessThanOrEqual(1)
    })
    await expectPlacedOrRefused(answers, 'site-6')
  })

  test('creates that share a blocking key leave connections to others', async () => {
    const location = { id: 'site-7' }
    const shared = { email: 'everybody@example.com' }
    const posts = people(40, shared).map((participant, i) => {
      const headers = { 'Idempotency-Key': `shared-${i}` }
      return () => post(service, body({ location, participant, ...ON }), { headers })
    })
    const answers = await flood({ search: searchOf('site-7', shared, 85), posts }, async () => {
      while ((await blocked()) < 4) await sleep(5)
      await othersWork('shared')
      expect(await blocked()).toBeLessThanOrEqual(4)
    })
    await expectPlacedOrRefused(answers, 'site-7')
  })

  test('orders that wait for each other do not delay the orders of others', async () => {
    const location = { id: 'site-8' }
    const shared = { email: 'everybody@example.com' }
    const posts = people(100, shared).map(
      (participant) => () => post(service, body({ location, participant, ...ON }), { secret: SECRET }),
    )
    const answers = await flood({ search: searchOf('site-8', shared, 85), posts }, async () => {
      while ((await blocked()) < 1) await sleep(5)
      await othersWork('batch')
      expect(await blocked()).toBeGreaterThanOrEqual(1)
    })
    await expectPlacedOrRefused(answers, 'site-8')
  })
})
