import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { applyDueChanges } from '../../src/operations/orders/due-changes.ts'
import { elsewhere } from '../webhooks/working.ts'
import { SECRET, stored } from './given.ts'
import { startService, type TestService } from '../support/service.ts'
import { messageAbout, report, staffed } from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed({ clinics: [{ id: 'aurora', name: 'Aurora Clinic', services: ['urine'] }] }))
})
afterAll(() => service.stop())

const chance = new PooledRandom()
const pass = async (store = service.store) => {
  while (await applyDueChanges(store, chance));
}
const HOUR = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR)
const read = async (id: string) => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const events = async (id: string): Promise<number> =>
  (await service.call(SECRET, `/api/v2/orders/${id}/events`)).body.total

describe('changes that are due', () => {
  test('an order before check-in expires with one event, by the clock of the database', async () => {
    const order = await stored(service, { createdAt: ago(30), expiresAt: ago(1) })
    const open = await stored(service, { createdAt: ago(30), expiresAt: new Date(Date.now() + HOUR) })
    await pass()
    expect(await read(order.id)).toMatchObject({ status: 'expired', isFinal: false, services: [{ status: 'expired' }] })
    expect(await events(order.id)).toBe(1)
    expect(await read(open.id)).toMatchObject({ status: 'ordered' })
    await pass()
    expect(await events(order.id)).toBe(1)
  })

  test('a checked-in order does not expire', async () => {
    const order = await stored(service, { createdAt: ago(30), expiresAt: ago(1), services: [{ status: 'checkedIn' }] })
    await pass()
    expect(await read(order.id)).toMatchObject({ status: 'pending' })
    expect(await events(order.id)).toBe(0)
  })

  test('a booking is missed a day after its time', async () => {
    const order = await stored(service, {
      createdAt: ago(60),
      appointmentAt: ago(23),
      services: [{ status: 'scheduled' }],
    })
    const missed = await stored(service, {
      createdAt: ago(60),
      appointmentAt: ago(25),
      services: [{ status: 'scheduled' }],
    })
    await pass()
    expect(await read(order.id)).toMatchObject({ status: 'scheduled' })
    expect(await read(missed.id)).toMatchObject({ status: 'noShow', services: [{ status: 'noShow' }] })
    const late = await report(service, messageAbout(missed, { kind: 'collector', event: 'collected' }))
    expect(late).toMatchObject({ status: 202, body: { why: 'orderClosed' } })
  })

  test('ruling 59: an order of which a part was missed and the rest expired is a no-show', async () => {
    const order = await stored(service, {
      createdAt: ago(60),
      expiresAt: ago(1),
      appointmentAt: ago(30),
      services: [{ status: 'scheduled' }, { status: 'linkSent' }],
    })
    await pass()
    expect(await read(order.id)).toMatchObject({
      status: 'noShow',
      isFinal: false,
      services: [{ status: 'noShow' }, { status: 'expired' }],
    })
  })

  test('ruling 60: a booking without a time never becomes a no-show', async () => {
    const services = [{ status: 'scheduled' as const }]
    const open = await stored(service, { createdAt: ago(2_000), isBooked: true, services })
    const over = await stored(service, { createdAt: ago(2_000), isBooked: true, services, expiresAt: ago(1) })
    await pass()
    expect(await read(open.id)).toMatchObject({ status: 'scheduled' })
    expect(await read(over.id)).toMatchObject({ status: 'expired' })
  })

  test('concurrent workers change each order once, with one event each', async () => {
    const orders = await Promise.all(
      Array.from({ length: 230 }, () => stored(service, { createdAt: ago(30), expiresAt: ago(2) })),
    )
    const others = [elsewhere(service.target), elsewhere(service.target)]
    await Promise.all([service.store, ...others.map(({ store }) => store)].map((store) => pass(store)))
    // Workers skip orders that another has locked; the next run finds them.
    await pass()
    await Promise.all(others.map(({ pool }) => pool.end()))
    const ids = orders.map(({ id }) => id)
    const counted = await service.pool<{ count: number }[]>`
      select count(*)::int from events where order_id = any(${ids}) group by order_id`
    expect(counted.map(({ count }) => count)).toEqual(Array(230).fill(1))
    const [left] = await service.pool<{ count: number }[]>`
      select count(*)::int from orders where id = any(${ids}) and (status <> 'expired' or due_at is not null)`
    expect(left?.count).toBe(0)
  })

  test('an order that cannot be read does not block the others', async () => {
    const [broken, well] = await Promise.all(
      [3, 2].map((hours) => stored(service, { createdAt: ago(30), expiresAt: ago(hours) })),
    )
    await service.pool`update orders set sealed_content = '\\x00'::bytea where id = ${broken!.id}`
    await expect(pass()).rejects.toThrow(/key/)
    expect(await read(well!.id)).toMatchObject({ status: 'expired' })
    await service.pool`delete from orders where id = ${broken!.id}`
  })

  test('an order that cannot be changed is postponed, not one that is due earlier and locked', async () => {
    const [locked, broken] = await Promise.all(
      [3, 2].map((hours) => stored(service, { createdAt: ago(30), expiresAt: ago(hours) })),
    )
    await service.pool`update orders set sealed_content = '\\x00'::bytea where id = ${broken!.id}`
    await service.pool.transaction(async (db) => {
      await db`select from orders where id = ${locked!.id} for update`
      await expect(pass()).rejects.toThrow(/key/)
    })
    const due = await service.pool.values`
      select id from orders where due_at <= now() and id = any(${[locked!.id, broken!.id]})`
    expect(due).toEqual([locked!.id])
    await pass()
    expect(await read(locked!.id)).toMatchObject({ status: 'expired' })
    await service.pool`delete from orders where id = ${broken!.id}`
  })

  test.each([
    ['lock_not_available', 'a minute', 1],
    ['check_violation', 'an hour', 60],
  ])('an order whose change fails with %s is due again after %s', async (condition, _, minutes) => {
    const { id } = await stored(service, { createdAt: ago(30), expiresAt: ago(1) })
    await service.pool.script(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise 'Refused.' using errcode = '${condition}'; end $$;
      create trigger refuse before insert on events for each row execute function refuse()`)
    await expect(pass()).rejects.toThrow('Refused.')
    await service.pool.script('drop function refuse cascade')
    const [order] = await service.pool<{ minutes: number }[]>`
      select extract(epoch from due_at - now())::float8 / 60 as minutes from orders where id = ${id}`
    expect(order!.minutes).toBeGreaterThan(minutes - 1)
    expect(order!.minutes).toBeLessThanOrEqual(minutes)
    await service.pool`update orders set due_at = expires_at where id = ${id}`
    await pass()
    expect(await read(id)).toMatchObject({ status: 'expired' })
  })

  test('of a concurrent expiry and cancellation, one wins', async () => {
    const orders = await Promise.all(
      Array.from({ length: 30 }, () => stored(service, { createdAt: ago(30), expiresAt: ago(2) })),
    )
    const cancel = (id: string) => service.call(SECRET, { method: 'PUT', path: `/api/v2/orders/${id}/cancellation` })
    const [answers] = await Promise.all([Promise.all(orders.map(({ id }) => cancel(id))), pass()])
    await pass()
    for (const [i, { id }] of orders.entries()) {
      const { status } = await read(id)
      expect(status).toBe(answers[i]!.status === 200 ? 'cancelled' : 'expired')
      expect(await events(id)).toBe(1)
    }
  })
})
