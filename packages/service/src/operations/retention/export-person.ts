import type { Order } from '../../domain/orders/order.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { Recorder } from '../audit/audit.ts'
import { selectOrders, type Selection } from './persons.ts'

/** More of a kind than any order has. */
const ALL = 100_000

export interface Exporting {
  selection: Selection
  /** Whether documents come with their bytes, in base64. */
  hasDocuments: boolean
  record: Recorder
}

/** Everything on file about orders, and so about the person tested, as plain data. The export is recorded for each order. */
export async function exportPerson({ selection, hasDocuments, record }: Exporting, store: Store): Promise<object> {
  const { tenantId } = selection
  const orders: object[] = []
  for (const order of await selectOrders(selection, store)) {
    orders.push(
      await store.transaction(async (tx) => {
        const content = await contentOf(tenantId, order, tx, hasDocuments)
        await record(tenantId, { action: 'order.export', subject: { type: 'order', id: order.id } }, tx)
        return content
      }),
    )
  }
  return { tenant: tenantId, orders }
}

async function contentOf(tenantId: string, order: Order, tx: Transaction, hasDocuments: boolean): Promise<object> {
  const reports = await tx.results.ofOrder(tenantId, order.id, ALL)
  const notifications = await tx.notifications.ofOrder(tenantId, order.id, ALL)
  const events = await tx.deliveryRecords.eventsOf(tenantId, order.id, { limit: ALL, page: 1 })
  const { rows: auditEntries } = await tx.audit.page(tenantId, { subjectId: order.id, limit: ALL, page: 1 })
  return {
    order,
    isHeld: (await tx.legalHolds.among(tenantId, [order.id])).size > 0,
    resultReports: await inTurn(reports, async ({ id }) => {
      const { content, ...report } = (await tx.results.read(tenantId, id))!
      const documents = await tx.results.documentsOf(tenantId, id)
      return {
        ...report,
        ...content,
        documents: hasDocuments ? await inTurn(documents, (each) => documentOf(tenantId, each.id, tx)) : documents,
      }
    }),
    notifications: await inTurn(notifications, async (notification) => ({
      ...notification,
      log: await tx.notifications.attempts(tenantId, notification.id),
    })),
    events: events.rows,
    matches: await tx.orders.matchesOf(tenantId, order.id, ALL),
    auditEntries,
  }
}

async function documentOf(tenantId: string, id: string, tx: Transaction): Promise<object> {
  const { bytes, ...document } = (await tx.results.document(tenantId, id))!
  return { ...document, content: bytes.toString('base64') }
}

/** One after the other: each may have megabytes. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await work(item))
  return results
}
