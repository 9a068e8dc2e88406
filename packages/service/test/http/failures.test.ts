import { endpoints } from '@order-testing/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyCatalogs } from '../../src/operations/catalog/files.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { createStore } from '../../src/store/store.ts'
import { freshDatabase, startService, testKeyring, type TestDatabase, type TestService } from '../support/service.ts'
import { PATIENT } from '../support/processes.ts'
import { refusalOf } from './answers.ts'
import { wayTo, type Way } from '../faults/proxy.ts'
import { exampleOf, NOBODY, placeExampleOrder, prairieCatalog, prairieToken, routed } from './walk.ts'

const SECRET = 'prairie-secret-full'
const CATALOG = prairieCatalog('prairie', [prairieToken(SECRET)])

describe('an unexpected failure', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startService()
    await service.apply(CATALOG)
  })

  afterAll(() => service.stop())

  test('an unexpected failure is an internal error that reveals no internals', async () => {
    await service.pool`alter table companies rename to vanished`
    for (const endpoint of routed) {
      const answer = await service.call(SECRET, exampleOf(endpoint))
      expect(refusalOf(answer)).toBe('500 internalError')
      expect(answer.body.errors).toEqual([
        {
          code: 'internalError',
          detail: 'Something went wrong on our side. Try again later.',
          meta: { docs: '/docs/reference/errors#internalError' },
        },
      ])
    }
  })

  test('the service works again when the cause of a failure is gone', async () => {
    await service.pool`alter table if exists vanished rename to companies`
    const example = await placeExampleOrder(service, SECRET)
    for (const endpoint of routed) expect((await service.call(SECRET, example(endpoint))).status).toBeLessThan(300)
  })
})

test('the service is not ready while the database refuses to store anything', async () => {
  const service = await startService()
  await service.apply(CATALOG)
  const ready = async () => (await service.call(NOBODY, '/readyz')).status
  expect(await ready()).toBe(200)
  await service.pool.script(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'disk full' using errcode = '53100'; end $$;
    create trigger refuse before insert on orders execute function refuse()`)
  const create = async () => (await service.call(SECRET, exampleOf(endpoints.createOrder))).status
  expect(await create()).toBe(503)
  const answer = await service.call(NOBODY, '/readyz')
  expect([answer.status, answer.body.errors[0]?.detail]).toEqual([503, 'The database does not accept changes.'])
  await service.pool.script('drop trigger refuse on orders')
  expect(await create()).toBe(201)
  await expect.poll(ready, PATIENT).toBe(200)
  await service.stop()
})

describe('a database that cannot be reached', () => {
  let database: TestDatabase
  let way: Way
  let pool: Pool
  let service: TestService

  beforeAll(async () => {
    database = await freshDatabase()
    way = await wayTo(database.target)
    pool = connect(way.target)
    service = await startService({ store: createStore(pool, testKeyring) })
    await applyCatalogs([{ name: 'prairie', content: CATALOG }], database.store, { production: false })
    await service.call(SECRET, '/api/v2/companies')
  })

  afterAll(async () => {
    await service.stop()
    await pool.end(0)
    await way.cut()
    await database.drop()
  })

  test('an unreachable database makes every operation unavailable, including cached ones, only while it lasts', async () => {
    await way.cut()
    await expect.poll(async () => (await service.call(SECRET, '/api/v2/companies')).status).toBe(503)
    const begun = performance.now()
    for (const endpoint of routed)
      expect(refusalOf(await service.call(SECRET, exampleOf(endpoint)))).toBe('503 internalError')
    expect(performance.now() - begun).toBeLessThan(30_000)
    const unready = await service.call(NOBODY, '/readyz')
    expect(refusalOf(unready)).toBe('503 internalError')
    expect(unready.headers.get('retry-after')).toBe('1')
    expect(await service.call(NOBODY, '/healthz')).toMatchObject({ status: 200 })
    // What needs no database is refused as ever.
    expect(refusalOf(await service.call(NOBODY, '/api/v2/companies'))).toBe('401 unauthenticated')
    expect(refusalOf(await service.call(SECRET, '/api/v2/nothing'))).toBe('404 notFound')
    await way.mend()
    await expect.poll(async () => (await service.call(NOBODY, '/readyz')).status).toBe(200)
    expect(await service.call(SECRET, '/api/v2/companies')).toMatchObject({ status: 200 })
  })

  test('an unreachable database does not keep the service from stopping', async () => {
    const other = await startService({ store: createStore(pool, testKeyring) })
    await other.call(SECRET, '/api/v2/companies')
    await way.cut()
    await expect(other.app.close()).resolves.toBeUndefined()
    await way.mend()
    await other.stop()
  })
})
