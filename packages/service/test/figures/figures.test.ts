import type { Figures } from '@order-testing/contract/operator'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keepFigures } from '../../src/operations/figures/keep-figures.ts'
import { body as orderBody, cancelled, created, PERSON, post, TENANT } from '../orders/given.ts'
import { copyOrder } from '../support/copies.ts'
import { untilWaiting } from '../support/locks.ts'
import { messageAbout, operate, report, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())
beforeEach(async () => {
  await service.pool`delete from service_figures`
  await service.pool`delete from figure_positions`
  await service.pool`delete from orders`
  await service.pool`delete from order_positions`
})

/** Brings figures up to date as a worker does. */
async function keep(): Promise<void> {
  await service.store.transaction((tx) => tx.orderCounts.fold({ waits: true }))
  while (await keepFigures(service.store));
}

/** Copies an order, as if the copies had just been placed. */
async function copyMany(id: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, n) => ({ id: `ord_0${n}`, code: `C${n}` }))
  await copyOrder(service, TENANT, id, names)
  await service.pool`
    insert into order_changes (tenant_id, company_id, location_id, order_id, new_status, new_updated_at)
    select tenant_id, company_id, location_id, id, status, updated_at from orders where id <> ${id}`
}

async function read(query = ''): Promise<Figures> {
  await keep()
  return (await operate(service, 'GET', `/figures${query}`)).body
}

const placesOf = (orderId: string) =>
  service.pool.values`select place from service_figures where order_id = ${orderId} order by place`

let people = 0
/** An order for a person of its own, so that no order matches another. */
const place = (members: object = {}) =>
  created(service, {
    participant: {
      ...PERSON,
      firstName: `Person${(people += 1).toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)}`,
    },
    ...members,
  })

async function finished(event: object, members: object = {}) {
  const order = await place(members)
  const { services } = (await operate(service, 'GET', `/orders/${order.id}`)).body
  const move = (status: string) =>
    operate(service, 'POST', `/orders/${order.id}/services/${services[0].id}/moves`, { status })
  for (const status of ['checkedIn', 'collected', 'receivedAtLab', 'testing']) await move(status)
  expect((await report(service, messageAbout(order, { event: 'result', ...event }))).body).toMatchObject({
    state: 'applied',
  })
  return order
}

describe('figures of a period', () => {
  test('orders are counted by the day they were placed and by where they are now', async () => {
    await place()
    await cancelled(service, (await place()).id)
    await finished({ result: 'negative' })
    const { days, orders, result, laboratories } = await read()
    expect(days).toHaveLength(14)
    expect(days.at(-1)).toMatchObject({ ordered: 1, active: 0, final: 1, closed: 1 })
    expect(orders).toEqual({ placed: 3, placedBefore: 0 })
    expect(result).toMatchObject({ count: 1, median: expect.any(Number), medianBefore: null })
    expect(laboratories).toMatchObject([{ id: 'heartland', name: 'Heartland Toxicology', count: 1 }])
  })

  test('a changed order replaces its figures, and nothing is counted twice', async () => {
    const { id } = await place()
    expect((await read()).days.at(-1)).toMatchObject({ ordered: 1, closed: 0 })
    await cancelled(service, id)
    expect((await read()).days.at(-1)).toMatchObject({ ordered: 0, closed: 1 })
    await Promise.all([keepFigures(service.store), keepFigures(service.store), keepFigures(service.store)])
    expect((await read()).orders.placed).toBe(1)
  })

  test('a new order counts as soon as it is placed, by the first of its services', async () => {
    const { id } = await place()
    const { body } = await operate(service, 'GET', '/figures')
    expect(body).toMatchObject({
      orders: { placed: 1 },
      days: expect.arrayContaining([expect.objectContaining({ ordered: 1 })]),
    })
    expect(await placesOf(id)).toEqual([1])
  })

  test('the figures of a changed order are those of all its services', async () => {
    const { id, services } = await place({ package: { id: 'several' } })
    expect(await placesOf(id)).toEqual([1])
    await cancelled(service, id)
    await keep()
    expect(await placesOf(id)).toEqual(services.map((_: unknown, i: number) => i + 1))
  })

  test('no worker opens an order that has not changed since it was placed', async () => {
    const { id } = await place()
    await service.pool`update orders set sealed_answer = 'unreadable' where id = ${id}`
    expect((await read()).orders.placed).toBe(1)
  })

  test('a new order counts like after a worker has opened it', async () => {
    const { id } = await place({ package: { id: 'several' } })
    await keep()
    const placed = (await operate(service, 'GET', '/figures')).body
    await service.pool`update order_positions set figures_at = null`
    await service.pool`delete from figure_positions`
    await keep()
    expect({ ...(await operate(service, 'GET', '/figures')).body, updatedAt: placed.updatedAt }).toEqual(placed)
    expect(await placesOf(id)).toEqual([1, 2, 3])
  })

  test('a worker opens an order whose change a node of an earlier build has folded', async () => {
    const { id } = await place()
    await keep()
    await cancelled(service, id)
    await service.pool`delete from order_changes`
    await service.pool`update order_positions set position = nextval('change_positions') where order_id = ${id}`
    expect((await read()).days.at(-1)).toMatchObject({ ordered: 0, closed: 1 })
  })

  test('an order that is sent several times at once with an Idempotency-Key counts once', async () => {
    const send = () => post(service, orderBody(), { headers: { 'idempotency-key': 'figures' } })
    await Promise.all([send(), send(), send()])
    expect((await read()).orders.placed).toBe(1)
  })

  test('figures that a worker has computed of an order are removed with it', async () => {
    const { id } = await place()
    await cancelled(service, id)
    await service.store.transaction((tx) => tx.orderCounts.fold({ waits: true }))
    let removed: Promise<unknown> | undefined
    await service.store.transaction(async (worker) => {
      expect(await worker.figures.isTurn()).toBe(true)
      const changed = await worker.figures.changed([{ tenantId: TENANT, companyId: 'acme' }], 10)
      removed = service.store.transaction((tx) => tx.orderRemoval.remove(TENANT, [id]))
      await untilWaiting(service.pool)
      await worker.figures.put(changed)
    })
    await removed
    expect(await placesOf(id)).toEqual([])
  })

  test('a worker adds the figures of an order that a build without them placed', async () => {
    const { id } = await place()
    await service.pool`delete from service_figures`
    await service.pool`update order_changes set has_figures = false where order_id = ${id}`
    expect((await read()).orders.placed).toBe(1)
  })

  test('the figures of a company with many changed orders are brought up to date in one go', async () => {
    await copyMany((await place()).id, 450)
    expect((await read()).orders.placed).toBe(451)
  })

  test('no company waits for another with many changed orders', async () => {
    const { id } = await place()
    await copyMany(id, 3_000)
    await service.pool`update orders set company_id = 'globex' where id = ${id}`
    await service.pool`update order_changes set company_id = 'globex', has_figures = false where order_id = ${id}`
    await service.pool`delete from service_figures`
    await service.store.transaction((tx) => tx.orderCounts.fold({ waits: true }))
    expect(await keepFigures(service.store)).toBe(true)
    const [found] = await service.pool.values`select count(*)::text from service_figures where order_id = ${id}`
    expect(found).not.toBe('0')
    expect((await read()).orders.placed).toBe(3_001)
  })

  test('the figures of more companies than share a batch are brought up to date', async () => {
    const { id } = await place()
    await copyMany(id, 120)
    await service.pool`
      insert into companies
      select (jsonb_populate_record(c, jsonb_build_object('id', 'other' || n))).*
      from companies c cross join generate_series(0, 59) n where c.id = 'acme' on conflict do nothing`
    await service.pool`update orders set company_id = 'other' || (right(code, -1)::int % 60) where id <> ${id}`
    await service.pool`
      update order_changes c set company_id = o.company_id from orders o where o.tenant_id = c.tenant_id and o.id = c.order_id`
    expect((await read()).orders.placed).toBe(121)
  })

  test('positive results under five are hidden', async () => {
    for (let i = 0; i < 5; i++) await finished({ result: i === 0 ? 'positive' : 'negative' })
    expect((await read()).positivity).toEqual([{ isDot: false, testReason: 'random', tests: 5, positive: null }])
  })

  test('filters choose a company, regulated tests and a period in a time zone', async () => {
    const { id } = await place()
    await place({ package: { id: 'dot' }, agency: { code: 'PHMSA' } })
    await keep()
    expect((await read('?companyId=nobody')).orders.placed).toBe(0)
    expect((await read('?isDot=true')).orders.placed).toBe(1)
    await service.pool`update service_figures set placed_at = '2026-03-02T05:30:00Z' where order_id = ${id}`
    const inChicago = await read('?from=2026-03-01&to=2026-03-01&timezone=America/Chicago')
    expect(inChicago).toMatchObject({ from: '2026-03-01T06:00:00.000Z', orders: { placed: 1 } })
    expect((await read('?from=2026-03-01&to=2026-03-01')).orders.placed).toBe(0)
    expect((await read('?from=2026-03-02&to=2026-03-02')).days).toMatchObject([{ date: '2026-03-02', ordered: 1 }])
  })

  test.each([
    ['?from=2026-03-02&to=2026-03-01', '/to'],
    ['?from=2024-01-01&to=2026-03-01', '/from'],
    ['?from=yesterday', '/from'],
    ['?timezone=Mars', '/timezone'],
  ])('the period %s is refused at %s', async (query, pointer) => {
    const { status, body } = await operate(service, 'GET', `/figures${query}`)
    expect([status, body.errors[0].source.pointer]).toEqual([400, pointer])
  })

  test('missed bookings are counted by clinic, and deliveries by their attempts', async () => {
    const { id } = await place()
    await keep()
    await service.pool`
      update service_figures set was_booked = true, status = 'noShow', clinic_id = 'gone' where order_id = ${id}`
    await service.pool`
      insert into deliveries (tenant_id, id, event_id, callback_id, order_id, version, origin, state, attempts, created_at, ended_at)
      select ${TENANT}, 'dlv_' || lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 10, '0') || n, 'e', 'c', ${id}, 'v2',
        'https://x.example', case when n = 3 then 'failed' else 'delivered' end, n, now(), now() + n * interval '1 second'
      from generate_series(1, 3) n`
    const { bookings, clinics } = await read()
    expect(bookings).toMatchObject({ booked: 1, noShow: 1 })
    expect(clinics).toEqual([{ id: 'gone', name: 'gone', booked: 1, noShow: 1 }])
  })

  test('a removed order leaves no figures', async () => {
    const { id } = await place()
    await keep()
    await service.store.transaction(async (tx) => {
      await tx.orders.lockNamed([{ tenantId: TENANT, id }])
      await tx.orderRemoval.remove(TENANT, [id])
    })
    expect((await read()).orders.placed).toBe(0)
  })
})
