import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { erasePerson } from '../../src/operations/retention/erase-person.ts'
import { exportPerson } from '../../src/operations/retention/export-person.ts'
import { placeHolds } from '../../src/operations/retention/legal-holds.ts'
import { faultsOf, linkAll } from '../audit/given.ts'
import { messageAbout, operate, report, staffed } from '../support/operator.ts'
import { cancelled, created, PERSON, TENANT } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { closedOrder, NOW } from './given.ts'
import { record } from '../support/record.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const selection = (orders: { code: string }[], person = false) => ({
  tenantId: TENANT,
  orders: orders.map(({ code }) => code),
  person,
})
const erase = (orders: { code: string }[], { person = false, isDryRun = false, now = NOW } = {}) =>
  erasePerson({ selection: selection(orders, person), reason: 'Asked for.', record, now, isDryRun }, service.store)

/** Counts rows with data about an order, except audit entries. */
async function traces(id: string): Promise<number> {
  const [row] = await service.pool<{ count: number }[]>`
    select ((select count(*) from orders where id = ${id}) + (select count(*) from notifications where order_id = ${id})
      + (select count(*) from events where order_id = ${id}) + (select count(*) from deliveries where order_id = ${id})
      + (select count(*) from callbacks where order_id = ${id}) + (select count(*) from order_links where order_id = ${id})
      + (select count(*) from order_matches where order_id = ${id})
      + (select count(*) from result_reports where order_id = ${id}))::int as count`
  return row!.count
}

const PDF = { name: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7 mine').toString('base64') }

describe('exporting a person’s data', () => {
  test('an export has everything stored about the orders, unsealed, and is recorded', async () => {
    const order = await created(service, { participant: PERSON })
    await report(service, messageAbout(order, { documents: [PDF] }))
    await operate(service, 'PUT', `/orders/${order.id}/cancellation`, { reason: 'Maria asked.' })
    const exported = await exportPerson({ selection: selection([order]), hasDocuments: true, record }, service.store)
    expect(exported).toMatchObject({
      tenant: TENANT,
      orders: [
        {
          order: { code: order.code, participant: { lastName: 'Lopez', identifiers: [{ value: '536-22-8841' }] } },
          isHeld: false,
          resultReports: [
            { event: 'receivedAtLab', message: {}, documents: [{ name: 'a.pdf', content: PDF.content }] },
          ],
          notifications: [{ kind: 'cancellation' }, { kind: 'link', log: [] }],
          auditEntries: [{ action: 'order.cancel', reason: 'Maria asked.' }],
        },
      ],
    })
    const { data } = (await operate(service, 'GET', `/audit?subjectId=${order.id}&action=order.export`)).body
    expect(data).toHaveLength(1)
  })

  test('an export of a person finds all orders of the same person, and of nobody else', async () => {
    const dana = {
      ...PERSON,
      firstName: 'Dana',
      birthDate: '1985-01-02',
      identifiers: [{ type: 'ssn', value: '219-09-9998' }],
    }
    const first = await created(service, { participant: dana })
    const second = await created(service, { participant: { ...dana, lastName: 'Reed' } })
    const third = await created(service, {
      participant: { firstName: 'dana', lastName: 'LOPEZ', birthDate: '1985-01-02' },
    })
    await created(service, { participant: { ...dana, birthDate: '1985-01-03' } })
    const codes = async (person: boolean) => {
      const asked = { selection: selection([first], person), hasDocuments: false, record }
      const { orders } = (await exportPerson(asked, service.store)) as { orders: { order: { code: string } }[] }
      return orders.map(({ order }) => order.code).toSorted()
    }
    expect(await codes(false)).toEqual([first.code])
    expect(await codes(true)).toEqual([first, second, third].map(({ code }): string => code).toSorted())
  })

  test('an export of an unknown order is refused', async () => {
    await expect(erase([{ code: 'ZZZZ-ZZZZ' }])).rejects.toThrow('Tenant "north" has no order "ZZZZ-ZZZZ".')
  })
})

describe('erasing a person’s data', () => {
  test('an erasure deletes the kept response of the order’s Idempotency-Key, and no other', async () => {
    const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
    const order = await created(service, { participant: PERSON }, keyed('erased'))
    const other = await created(service, { participant: PERSON }, keyed('kept'))
    await cancelled(service, order.id)
    expect(await erase([order])).toMatchObject([{ outcome: 'erased' }])
    const repeat = await created(service, { participant: PERSON }, keyed('erased'))
    expect(repeat.id).not.toBe(order.id)
    expect((await created(service, { participant: PERSON }, keyed('kept'))).id).toBe(other.id)
  })

  test('an erasure deletes the order, everything that belongs to it and its audit details; the chain stays intact', async () => {
    const order = await created(service, { participant: PERSON })
    await report(service, messageAbout(order, { documents: [PDF] }))
    await operate(service, 'PUT', `/orders/${order.id}/cancellation`, { reason: 'Maria asked.' })
    await linkAll(service)
    expect(await erase([order], { isDryRun: true })).toMatchObject([{ outcome: 'erased' }])
    expect(await traces(order.id)).toBeGreaterThan(2)
    expect(await erase([order])).toMatchObject([{ code: order.code, outcome: 'erased', until: null }])
    await linkAll(service)
    expect(await traces(order.id)).toBe(0)
    const { data } = (await operate(service, 'GET', `/audit?subjectId=${order.id}`)).body
    expect(data).toMatchObject([
      { action: 'order.erase', reason: 'Asked for.' },
      { action: 'order.cancel', reason: null, before: null, after: null },
    ])
    expect(await faultsOf(service)).toEqual([])
  })

  test('an erasure keeps the record of a regulated test for the period of 49 CFR 40.333, and reports it', async () => {
    const order = await closedOrder(service, 400, { services: [{ status: 'positive', isDot: true }] })
    const [erasure] = await erase([order])
    expect(erasure).toMatchObject({ outcome: 'reduced', section: '49 CFR 40.333(a)(1)(ii)' })
    expect(erasure!.until!.getTime()).toBeGreaterThan(NOW.getTime())
    expect(await service.store.orders.find(TENANT, order.id)).toMatchObject({ status: 'positive' })
    expect(await service.pool`select from notifications where order_id = ${order.id}`).toEqual([])
    expect(await service.pool`select from events where order_id = ${order.id}`).toEqual([])
    expect(await erase([order], { now: new Date('2040-01-01') })).toMatchObject([{ outcome: 'erased' }])
  })

  test('an erasure leaves open orders and orders under a legal hold unchanged', async () => {
    const open = await created(service)
    const held = await created(service)
    await cancelled(service, held.id)
    await placeHolds({ selection: selection([held]), reason: 'A case.', record, now: NOW }, service.store)
    const before = await traces(held.id)
    expect(await erase([open, held])).toMatchObject([{ outcome: 'open' }, { outcome: 'held' }])
    expect(await traces(held.id)).toBe(before)
  })

  test('verification reports missing details that no erasure entry records', async () => {
    const order = await created(service)
    await operate(service, 'PUT', `/orders/${order.id}/cancellation`, { reason: 'Twice.' })
    await linkAll(service)
    const [entry] = await service.pool<{ id: string }[]>`select id from audit_entries where subject_id = ${order.id}`
    await service.pool`delete from audit_details where entry_id = ${entry!.id}`
    await service.pool`insert into audit_erasures (tenant_id, entry_id, erased_by) values (${TENANT}, ${entry!.id}, 'aud_none')`
    expect(await faultsOf(service)).toEqual([expect.stringMatching(/^details /)])
  })

  test('verification reports missing details that are attributed to the erasure of something else', async () => {
    const before = await faultsOf(service)
    const [order, other] = [await created(service), await created(service)]
    for (const { id } of [order, other])
      await operate(service, 'PUT', `/orders/${id}/cancellation`, { reason: 'Twice.' })
    await erase([other])
    await linkAll(service)
    const [entry, eraser] = await Promise.all([
      service.pool<{ id: string }[]>`select id from audit_entries where subject_id = ${order.id}`,
      service.pool<
        { id: string }[]
      >`select id from audit_entries where subject_id = ${other.id} and action = 'order.erase'`,
    ])
    await service.pool`delete from audit_details where entry_id = ${entry[0]!.id}`
    await service.pool`
      insert into audit_erasures (tenant_id, entry_id, erased_by) values (${TENANT}, ${entry[0]!.id}, ${eraser[0]!.id})`
    expect(await faultsOf(service)).toEqual([...before, expect.stringMatching(/^details /)])
  })
})
