import type { Order } from '../../domain/orders/order.ts'
import type { Transaction } from '../../store/store.ts'
import type { AuditRecorder } from '../audit/audit.ts'
import { selectOrders, type OrderParts, type Selection } from './persons.ts'

/** More than any order has of a kind. */
const ALL = 100_000

export interface ExportRequest {
  selection: Selection
  /** Whether documents include their content, in base64. */
  hasDocuments: boolean
  record: AuditRecorder
}

/** Exports everything stored about orders and the person tested. Each exported order is recorded. */
export async function exportPerson(
  { selection, hasDocuments, record }: ExportRequest,
  store: OrderParts,
): Promise<object> {
  const { tenantId } = selection
  const orders: object[] = []
  for (const order of await selectOrders(selection, store)) {
    orders.push(
      await store.transaction(async (tx) => {
        const content = await readContent(tenantId, order, tx, hasDocuments)
        await record(tenantId, { action: 'order.export', subject: { type: 'order', id: order.id } }, tx)
        return content
      }),
    )
  }
  return { tenant: tenantId, orders }
}

async function readContent(tenantId: string, order: Order, tx: Transaction, hasDocuments: boolean): Promise<object> {
  const reports = await tx.results.ofOrder(tenantId, order.id, ALL)
  const notifications = await tx.notifications.ofOrder(tenantId, order.id, ALL)
  const events = await tx.deliveryRecords.eventsOf(tenantId, order.id, { limit: ALL, page: 1 })
  const { rows: auditEntries } = await tx.audit.page(tenantId, { subjectId: order.id, limit: ALL, page: 1 })
  const readDocument = async ({ id }: { id: string }) => {
    const { bytes, ...document } = (await tx.results.document(tenantId, id))!
    return { ...document, content: bytes.toString('base64') }
  }
  return {
    order,
    isHeld: (await tx.legalHolds.findHeld(tenantId, [order.id])).size > 0,
    resultReports: await inSequence(reports, async ({ id }) => {
      const { content, ...report } = (await tx.results.read(tenantId, id))!
      const documents = await tx.results.documentsOf(tenantId, id)
      return {
        ...report,
        ...content,
        documents: hasDocuments ? await inSequence(documents, readDocument) : documents,
      }
    }),
    notifications: await inSequence(notifications, async (notification) => ({
      ...notification,
      log: await tx.notifications.attempts(tenantId, notification.id),
    })),
    helpRequests: await tx.helpRequests.ofOrder(tenantId, order.id),
    agreements: await tx.agreements.ofOrder(tenantId, order.id),
    events: events.rows,
    matches: await tx.orders.listMatches(tenantId, order.id, ALL),
    auditEntries,
  }
}

/** Works one by one, because each item may have megabytes. */
async function inSequence<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await work(item))
  return results
}
