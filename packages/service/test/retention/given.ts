import { randomBytes } from 'node:crypto'
import { RetentionPolicy } from '@order-testing/contract'
import { applyRetention } from '../../src/operations/retention/apply.ts'
import { linkAudit } from '../../src/operations/audit/link.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import { makeId } from '../../src/domain/ids.ts'
import { stored, TENANT } from '../orders/given.ts'
import { record } from '../support/record.ts'
import type { TestService } from '../support/service.ts'

export const NOW = new Date('2030-06-15T12:00:00.000Z')

type Given = Parameters<typeof stored>[1]

/** Stores an order closed some days ago, with a notification, an event with a delivery, a link and a match. */
export async function closedOrder(service: TestService, daysAgo: number, given: Given = {}): Promise<Order> {
  const createdAt = new Date(NOW.getTime() - daysAgo * 86_400_000)
  const order = await stored(service, { services: [{ status: 'negative' }], ...given, createdAt })
  await addRecords(service, order)
  return order
}

async function addRecords({ store, pool }: TestService, { id, createdAt }: Order): Promise<void> {
  const at = createdAt
  const message = { tenantId: TENANT, id: makeId('msg', at, randomBytes), orderId: id, kind: 'link', channel: 'email' }
  await store.notifications.queue([{ ...message, refersTo: null, dueAt: at, createdAt: at } as never])
  await pool`update notifications set state = 'sent', ended_at = ${at} where id = ${message.id}`
  await pool`
    insert into notification_attempts (tenant_id, notification_id, number, at, duration_ms, outcome)
    values (${TENANT}, ${message.id}, 1, ${at}, 1, 'accepted')`
  await store.mailbox.put({
    id: makeId('mbx', at, randomBytes),
    notificationId: message.id,
    at,
    content: { channel: 'email', to: 'maria@example.com', text: 'a text' },
  })
  const delivery = {
    id: makeId('dlv', at, randomBytes),
    callbackId: makeId('cbk', at, randomBytes),
    version: 'v2' as const,
    origin: 'https://hooks.example.com',
    body: '{}',
  }
  await store.outbox.register(TENANT, {
    id: delivery.callbackId,
    orderId: id,
    tokenId: 'token',
    version: 'v2',
    callback: { url: 'https://hooks.example.com/a' },
    showsParticipant: true,
    at,
  })
  const event = { tenantId: TENANT, id: makeId('evt', at, randomBytes), orderId: id, at, deliveries: [delivery] }
  await store.outbox.putEvents([event])
  await store.outbox.putDeliveries([event])
  await pool`update deliveries set state = 'delivered', ended_at = ${at} where id = ${delivery.id}`
  await pool`
    insert into delivery_attempts (tenant_id, delivery_id, at, ms, excerpt) values (${TENANT}, ${delivery.id}, ${at}, 1, '')`
  const link = { tenantId: TENANT, orderId: id, recipient: 'participant' as const, expiresAt: at }
  await store.links.add(randomBytes(32), link, at)
  const caller = {
    tenantId: TENANT,
    tokenId: 'x',
    scopes: new Set<never>(),
    companyIds: [],
    senders: null,
    catalogVersion: '1',
    rateLimit: null,
  }
  await store.orders.recordMatch(caller, id, { at, score: 100, explanation: {} })
}

/** Applies periods and returns the counts by kind: `{ 'orders.negative': '2 due, 1 held' }`. */
export async function applied(
  { store }: Pick<TestService, 'store'>,
  keep: object,
  { now = NOW, isDryRun = false } = {},
): Promise<Record<string, string>> {
  const policy = RetentionPolicy.parse({ keep })
  const counts = await applyRetention({ policy, tenantId: TENANT, store, record, now, isDryRun })
  while (await linkAudit(store));
  return Object.fromEntries(
    counts.map(({ kind, ...each }) => [
      kind,
      Object.entries(each)
        .filter(([name, count]) => count > 0 || name === 'due')
        .map(([name, count]) => `${count} ${name}`)
        .join(', '),
    ]),
  )
}

const TABLES = [
  'orders',
  'notifications',
  'notification_attempts',
  'mailbox',
  'callbacks',
  'events',
  'deliveries',
  'delivery_attempts',
  'order_links',
  'order_matches',
  'result_reports',
  'documents',
]

/** Counts the rows of each table with data about orders that has any. */
export async function countRows({ pool }: Pick<TestService, 'pool'>): Promise<Record<string, number>> {
  const counts = await pool<{ name: string; count: number }[]>([
    TABLES.map((name) => `select '${name}' as name, count(*)::int as count from ${name}`).join(' union all '),
  ] as never)
  return Object.fromEntries(counts.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]))
}
