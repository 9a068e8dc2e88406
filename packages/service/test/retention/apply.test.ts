import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Order } from '../../src/domain/orders/order.ts'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import { placeHolds, releaseHolds } from '../../src/operations/retention/legal-holds.ts'
import { composeView } from '../../src/domain/orders/view.ts'
import { faultsOf, tamper } from '../audit/given.ts'
import { messageAbout, operate, report, staffed } from '../support/operator.ts'
import { cancelled, created, SECRET, TENANT } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { untilWaiting } from '../support/locks.ts'
import { applied, closedOrder, NOW, countRows } from './given.ts'
import { record } from '../support/record.ts'

let service: TestService
beforeEach(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterEach(() => service.stop())

const hold = (order: { id: string }) =>
  placeHolds(
    { selection: { tenantId: TENANT, orders: [order.id], person: false }, reason: 'A case.', record, now: NOW },
    service.store,
  )

const listed = async (query = '') =>
  (await service.call(SECRET, `/api/v2/orders${query}`)).body as { total: number; data: { id: string }[] }

describe('without a policy', () => {
  test('without a policy, nothing is deleted, however old it is', async () => {
    await closedOrder(service, 9_000)
    await service.pool`update deliveries set ended_at = now()`
    await service.pool`update delivery_attempts set at = now()`
    await service.pool`update order_links set expires_at = now()`
    await service.pool`update mailbox set at = now()`
    const before = await countRows(service)
    await runHousekeeping(service.store, NOW)
    expect(await countRows(service)).toEqual(before)
  })
})

describe('orders', () => {
  test('expired orders are deleted with everything that belongs to them, and no others', async () => {
    const [gone] = [await closedOrder(service, 800)]
    const kept = [
      await closedOrder(service, 100),
      await closedOrder(service, 800, { services: [{ status: 'positive' }] }),
      await closedOrder(service, 800, { services: [{ status: 'linkSent' }] }),
    ]
    const perOrder = await countRows(service)
    expect(await applied(service, { orders: { negative: '1 year' } })).toEqual({ 'orders.negative': '1 due' })
    const expected = Object.fromEntries(Object.entries(perOrder).map(([table, count]) => [table, (count * 3) / 4]))
    expect(await countRows(service)).toEqual(expected)
    const left = (await listed()).data.map(({ id }) => id)
    expect(left.toSorted()).toEqual(kept.map(({ id }) => id).toSorted())
    expect((await service.call(SECRET, `/api/v2/orders/${gone.id}`)).status).toBe(404)
    const entries = (await operate(service, 'GET', `/audit?subjectId=${gone.id}`)).body.data
    expect(entries).toMatchObject([{ action: 'order.delete', actor: { type: 'local', user: 'tester' } }])
  })

  test('deleting orders erases the reasons in their audit entries and leaves the log intact', async () => {
    const { id } = await created(service)
    await operate(service, 'PUT', `/orders/${id}/cancellation`, { reason: 'Maria asked.' })
    const now = new Date(Date.now() + 800 * 86_400_000)
    await applied(service, { orders: { cancelled: '1 year' } }, { now })
    expect((await operate(service, 'GET', `/audit?subjectId=${id}`)).body.data).toMatchObject([
      { action: 'order.delete', after: { erasedDetails: [expect.any(String)] } },
      { action: 'order.cancel', reason: null, before: null, after: null },
    ])
    expect(await faultsOf(service)).toEqual([])
  })

  test('a dry run counts orders without deleting them', async () => {
    await closedOrder(service, 800)
    const before = await countRows(service)
    const keep = { orders: { negative: '1 year' } }
    expect(await applied(service, keep, { isDryRun: true })).toEqual({ 'orders.negative': '1 due' })
    expect(await countRows(service)).toEqual(before)
    expect((await operate(service, 'GET', '/audit?action=retention.apply')).body.total).toBe(0)
  })

  test('regulated orders stay for the period of 49 CFR 40.333, even if the policy has a shorter one', async () => {
    const dot = { isDot: true }
    await closedOrder(service, 400, { services: [{ ...dot, status: 'negative' }] })
    await closedOrder(service, 400, { services: [{ ...dot, status: 'negative' }], testReason: 'followUp' })
    await closedOrder(service, 400, { services: [{ ...dot, status: 'noShow' }] })
    await closedOrder(service, 2_000, { services: [{ ...dot, status: 'positive' }] })
    const keep = { regulatedOrders: { negative: '1 year', cancelled: '1 year', positive: '5 years' } }
    expect(await applied(service, keep)).toEqual({
      'regulatedOrders.negative': '1 due, 1 required',
      'regulatedOrders.cancelled': '0 due, 1 required',
      'regulatedOrders.positive': '1 due',
    })
    expect((await listed()).total).toBe(2)
  })

  test('orders under a legal hold stay until it is released, with their delivery log', async () => {
    const [held, free] = [await closedOrder(service, 800), await closedOrder(service, 800)]
    expect(await hold(held)).toEqual([{ code: held.code, outcome: 'changed' }])
    expect(await hold(held)).toEqual([{ code: held.code, outcome: 'unchanged' }])
    await service.pool`update delivery_attempts set at = '2020-01-01'`
    await service.pool`update deliveries set ended_at = '2020-01-01'`
    await runHousekeeping(service.store, NOW)
    expect(await service.pool`select from delivery_attempts`).toHaveLength(1)
    expect(await service.pool`select from deliveries where body is not null`).toHaveLength(1)

    const keep = {
      orders: { negative: '1 year' },
      notifications: '1 year',
      webhookEvents: '1 year',
      webhookAttempts: '1 day',
    }
    expect(await applied(service, keep)).toMatchObject({
      'orders.negative': '1 due, 1 held',
      notifications: '0 due, 1 held',
      webhookEvents: '0 due, 1 held',
      webhookAttempts: '0 due, 2 held',
    })
    expect((await listed()).data).toMatchObject([{ id: held.id }])
    expect(await service.store.orders.find(TENANT, free.id)).toBeUndefined()

    const selection = { tenantId: TENANT, orders: [held.code], person: false }
    await releaseHolds({ selection, reason: 'Closed.', record, now: NOW }, service.store)
    expect(await applied(service, keep)).toMatchObject({ 'orders.negative': '1 due' })
    expect(await countRows(service)).toEqual({})
  })
})

describe('a legal hold', () => {
  test('a legal hold is not placed on an order that is deleted at the same time', async () => {
    const birthDate = '1990-03-07'
    const [named, other] = [
      await closedOrder(service, 801, { participant: { birthDate } }),
      await closedOrder(service, 800, { participant: { birthDate } }),
    ]
    const held = { waits: undefined as ReturnType<typeof placeHolds> | undefined }
    await service.store.transaction(async (tx) => {
      await tx.orders.lockNamed([{ tenantId: TENANT, id: other.id }])
      const selection = { tenantId: TENANT, orders: [named.id], person: true }
      held.waits = placeHolds({ selection, reason: 'A case.', record, now: NOW }, service.store)
      await untilWaiting(service.pool)
      await tx.orderRemoval.remove(TENANT, [other.id])
    })
    expect(await held.waits).toEqual([
      { code: named.code, outcome: 'changed' },
      { code: other.code, outcome: 'gone' },
    ])
    expect(await service.pool`select order_id from legal_holds`).toEqual([{ orderId: named.id }])
  })
})

describe('records of orders that stay', () => {
  test('notifications, events and the delivery log are deleted after their own periods', async () => {
    await closedOrder(service, 800)
    await closedOrder(service, 10)
    await service.pool`update delivery_attempts set at = ${new Date(NOW.getTime() - 20 * 86_400_000)} where at > ${new Date(NOW.getTime() - 30 * 86_400_000)}`
    const keep = { notifications: '1 year', webhookEvents: '1 year', webhookAttempts: '15 days' }
    expect(await applied(service, keep, { isDryRun: true })).toEqual({
      notifications: '1 due',
      webhookEvents: '1 due',
      webhookAttempts: '3 due',
    })
    await applied(service, keep)
    expect(await countRows(service)).toEqual({
      orders: 2,
      notifications: 1,
      notification_attempts: 1,
      mailbox: 1,
      callbacks: 2,
      events: 1,
      deliveries: 1,
      order_links: 2,
      order_matches: 2,
    })
  })

  test('deleted events leave the list of all events: neither its total nor a page counts them', async () => {
    const ended = []
    for (let i = 0; i < 4; i++) {
      const order = await created(service)
      await cancelled(service, order.id)
      ended.push(order)
    }
    const events = async () => (await service.call(SECRET, '/api/v2/events?cursor=&limit=2')).body
    expect(await events()).toMatchObject({ total: 4 })
    const last = ended.at(-1)!
    await hold(last)
    expect(await applied(service, { webhookEvents: '1 year' })).toEqual({ webhookEvents: '3 due, 1 held' })
    expect(await events()).toMatchObject({ total: 1, data: [{ data: { id: last.id } }] })
  })

  test('an event that is being sent again stays', async () => {
    const order = await created(service, { callback: { url: 'https://hooks.example.com/a' } })
    await cancelled(service, order.id)
    await service.pool`update deliveries set state = 'failed', ended_at = now()`
    const [event] = (await service.call(SECRET, `/api/v2/orders/${order.id}/events`)).body.data as [{ id: string }]
    await service.store.transaction(async (tx) => {
      const sent = await tx.outbox.resend({ tenantId: TENANT, orderId: order.id, id: event.id })
      expect([sent, await applied(service, { webhookEvents: '1 year' })]).toEqual([
        'resent',
        { webhookEvents: '0 due' },
      ])
    })
    expect(await countRows(service)).toMatchObject({ events: 1, deliveries: 1 })
  })

  test('deletions are in the audit log even if a later step fails', async () => {
    await closedOrder(service, 800)
    await operate(service, 'GET', '/orders')
    await applied(service, {})
    await tamper(service, `update audit_entries set action = 'nothing'`)
    const keep = { notifications: '1 year', audit: '2 years' }
    await expect(applied(service, keep)).rejects.toThrow('The audit log has faults')
    expect(await service.pool`select from notifications`).toEqual([])
    expect((await operate(service, 'GET', '/audit?action=retention.delete')).body.data).toMatchObject([
      { after: { kind: 'notifications', deleted: 1 } },
    ])
  })

  test('an event stays until all of its deliveries have ended', async () => {
    await closedOrder(service, 800)
    await service.pool`update deliveries set state = 'waiting', ended_at = null`
    expect(await applied(service, { webhookEvents: '1 year' })).toEqual({ webhookEvents: '0 due' })
  })
})

describe('result reports', () => {
  const PDF = { name: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7').toString('base64') }
  const REGULATED = {
    agency: { id: 'fmcsa' },
    participant: {
      firstName: 'Maria',
      lastName: 'Lopez',
      identifiers: [{ type: 'driverLicense', value: 'L1', issuingState: 'IL' }],
    },
  }
  const later = new Date(Date.now() + 800 * 86_400_000)

  /** Submits a result report with a document about an order of this package. */
  async function reported(pkg: string, lost = false): Promise<{ id: string }> {
    const order = await created(service, { package: { id: pkg }, ...(pkg === 'dot' && REGULATED) })
    const sent = messageAbout(lost ? { code: 'ZZZZ-ZZZZ' } : order, { documents: [PDF] })
    return (await report(service, sent)).body as { id: string }
  }

  /** Sets the status as a result does. */
  const finish = (order: Order) => {
    const services = order.services.map((each) => ({ ...each, status: 'positive' as const }))
    const after = { ...order, services, status: 'positive' as const }
    const written = { tenantId: TENANT, order: after, view: composeView(after), blockingKeys: [] }
    return service.store.transaction((tx) => tx.orders.update([written]))
  }

  test('dismissed result reports are deleted with their documents; queued and applied ones stay', async () => {
    const dismissed = await reported('basic', true)
    await reported('basic', true)
    await reported('basic')
    await operate(service, 'POST', `/results/${dismissed.id}/dismissal`, { reason: 'Not ours.' })
    expect(await applied(service, { resultReports: '1 year' }, { now: later })).toEqual({ resultReports: '1 due' })
    expect(await countRows(service)).toMatchObject({ result_reports: 2, documents: 2 })
  })

  test('a result report keeps its documents if a legal hold is placed on its order at the same time', async () => {
    await reported('basic')
    const [order] = await service.store.orders.listAfter(TENANT, '', 10)
    await finish(order!)
    const applying = { waits: undefined as ReturnType<typeof applied> | undefined }
    await service.store.transaction(async (tx) => {
      await tx.orders.lockNamed([{ tenantId: TENANT, id: order!.id }])
      applying.waits = applied(service, { documents: '1 year' }, { now: later })
      await untilWaiting(service.pool)
      await tx.legalHolds.place(TENANT, order!.id, { at: NOW, entryId: 'aud_1' })
    })
    expect(await applying.waits).toEqual({ documents: '0 due, 1 held' })
    expect(await countRows(service)).toMatchObject({ documents: 1 })
  })

  test('documents of result reports are deleted after their own period, unless the order is open, on hold or regulated', async () => {
    await reported('basic', true)
    await reported('basic')
    await reported('dot')
    expect(await applied(service, { documents: '1 year' }, { now: later })).toEqual({ documents: '0 due' })
    for (const order of await service.store.orders.listAfter(TENANT, '', 10)) await finish(order)
    expect(await applied(service, { documents: '1 year' }, { now: later })).toEqual({ documents: '1 due, 1 required' })
    expect(await countRows(service)).toMatchObject({ result_reports: 3, documents: 2 })
  })
})
