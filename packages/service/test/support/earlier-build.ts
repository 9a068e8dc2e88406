import { openView, openOrder, type ViewRow, type ContentRow } from '../../src/store/orders/rows.ts'
import { openCallback, type SealedCallback } from '../../src/store/webhooks/callback-sealing.ts'
import { documentNameContext, resultContext } from '../../src/store/results/results.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import { pack, shorten } from '../../src/store/sealing/packing.ts'
import { testKeyring, type TestDatabase } from './service.ts'

type Row = ViewRow & ContentRow & { tenantId: string }

/** Stores orders as an earlier build did: sealed, the view and the order as the rules see it each in a value of its own. */
export async function splitOrders({ pool }: TestDatabase, ids: string[]): Promise<void> {
  const rows = await pool<Row[]>`
    select tenant_id, id, sealed_answer, sealed_content, head, participant, identifiers, content from orders
    where id = any(${ids})`
  for (const row of rows) {
    const { tenantId, id } = row
    const view = openView(testKeyring, tenantId, row)
    const content = JSON.stringify(openOrder(testKeyring, tenantId, row))
    const answer = pack('answer', ...[view.participant, view.order].map((text) => shorten('answer', text)))
    await pool`
      update orders set sealed_answer = ${testKeyring.seal(answer, `order answer ${tenantId} ${id}`)},
        sealed_content = ${testKeyring.seal(pack('content', shorten('content', content)), `order content ${tenantId} ${id}`)}
      where tenant_id = ${tenantId} and id = ${id}`
  }
}

/** Stores orders as builds before sealing did: in plain text, except for the identifiers. */
export async function unsealOrders({ pool }: TestDatabase, ids: string[]): Promise<void> {
  const rows = await pool<Row[]>`
    select tenant_id, id, sealed_answer, sealed_content, head, participant, identifiers, content from orders
    where id = any(${ids})`
  for (const row of rows) {
    const view = openView(testKeyring, row.tenantId, row)
    const { identifiers: _, ...shown } = JSON.parse(view.participant) as Record<string, unknown>
    const order = openOrder(testKeyring, row.tenantId, row)
    const { identifiers } = order.participant
    const sealed =
      identifiers.length === 0 ? null : testKeyring.seal(JSON.stringify(identifiers), `order ${row.tenantId} ${row.id}`)
    const content = { ...order, participant: { ...order.participant, identifiers: [] } }
    await pool`
      update orders set sealed_answer = null, sealed_content = null, specimen_keys = '{}',
        head = ${view.order}, participant = ${JSON.stringify(shown)}, identifiers = ${sealed}::bytea,
        content = ${JSON.stringify(content)}::jsonb, specimen_ids = ${specimensOf(order)}
      where tenant_id = ${row.tenantId} and id = ${row.id}`
  }
}

const specimensOf = ({ services }: Order) =>
  services.flatMap(({ specimenId }) => (specimenId === null ? [] : [specimenId]))

/** Stores the callbacks of an order as an earlier build did: with the address in plain text. */
export async function unsealCallbacks({ pool }: TestDatabase, orderId: string): Promise<void> {
  const rows = await pool<SealedCallback[]>`
    select tenant_id, order_id, id, url, secrets from callbacks where order_id = ${orderId}`
  for (const row of rows) {
    const { url, ...secrets } = openCallback(testKeyring, row)
    const sealed = testKeyring.seal(JSON.stringify(secrets), `callback ${row.tenantId} ${orderId} ${url}`)
    await pool`update callbacks set url = ${url}, secrets = ${sealed} where tenant_id = ${row.tenantId} and id = ${row.id}`
  }
}

/** Stores attempts, reports and document names as an earlier build did. */
export async function unsealRecords({ pool, store }: TestDatabase): Promise<void> {
  const deliveries = await pool<{ tenantId: string; id: string }[]>`select tenant_id, id from deliveries`
  for (const { tenantId, id } of deliveries) {
    for (const { at, detail, excerpt } of await store.deliveryRecords.attempts(tenantId, id)) {
      await pool`
        update delivery_attempts set answer = null, detail = ${detail}, excerpt = ${excerpt}
        where tenant_id = ${tenantId} and delivery_id = ${id} and at = ${at}`
    }
  }
  const messages = await pool<{ tenantId: string; id: string }[]>`select tenant_id, id from notifications`
  for (const { tenantId, id } of messages) {
    for (const { number, detail } of await store.notifications.attempts(tenantId, id)) {
      await pool`
        update notification_attempts set answer = null, detail = ${detail}
        where tenant_id = ${tenantId} and notification_id = ${id} and number = ${number}`
    }
  }
  await unsealResults(pool)
}

async function unsealResults(pool: TestDatabase['pool']): Promise<void> {
  const results = await pool<{ tenantId: string; id: string; content: Buffer }[]>`
    select tenant_id, id, content from result_reports where content_code is not null`
  for (const row of results) {
    const opened = JSON.parse(testKeyring.open(row.content, resultContext(row))) as Record<string, unknown>
    const { contentHash, ...content } = opened
    await pool`
      update result_reports set content_code = null, content_hash = decode(${contentHash as string}, 'hex'),
        content = ${testKeyring.seal(JSON.stringify(content), resultContext(row))}
      where tenant_id = ${row.tenantId} and id = ${row.id}`
  }
  const documents = await pool<{ tenantId: string; id: string; sealedName: Buffer }[]>`
    select tenant_id, id, sealed_name from documents where sealed_name is not null`
  for (const row of documents) {
    await pool`
      update documents set sealed_name = null, name = ${testKeyring.open(row.sealedName, documentNameContext(row))}
      where tenant_id = ${row.tenantId} and id = ${row.id}`
  }
}
