import type * as contract from '@order-testing/contract/operator'
import { orderIdOf } from '../../domain/ids.ts'
import type { Order, OrderService } from '../../domain/orders/order.ts'
import { hasResult } from '../../domain/orders/statuses.ts'
import { orNotFound, Refusal, refuse } from '../../domain/refusal.ts'
import { applyReport, refuseUnreviewed } from '../../domain/results/apply.ts'
import { isWithheld, refuseWithheld } from '../../domain/results/withheld.ts'
import type { DocumentRow, FullResultRow, ResultRow } from '../../store/results/results.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'
import { changeWithRecord } from '../orders/change.ts'
import { findUnknownCode, learnCode } from './codes.ts'
import { findSenderNames, presentSender, type SenderNames } from './sender-names.ts'
import { takeReport } from './take.ts'

export const postResult: Operation<typeof contract.postResult> = async ({ body }, context) => {
  const row = await takeReport({ report: body }, context)
  return { status: row.why === null ? 200 : 202, body: presentReceipt(row) }
}

export const listResults: Operation<typeof contract.listResults> = async ({ query }, { caller, store }) => {
  const found = await store.results.page(caller.tenantId, query)
  const names = await findSenderNames(found.rows, store, caller.tenantId)
  return ok(collectionOf(found, query, (row) => presentResult(row, names)))
}

/** A report is about a person, so reading it is recorded in the audit log. */
export const readResult: Operation<typeof contract.readResult> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const { tenantId } = context.caller
    const row = orNotFound(await tx.results.read(tenantId, params.id))
    const documents = await tx.results.documentsOf(tenantId, row.id)
    await tx.audit.append([auditEntry({ action: 'result.read', subject: { type: 'result', id: row.id } }, context)])
    return ok({
      ...presentResult(row, await findSenderNames([row], tx, tenantId)),
      message: presentReport(row, context),
      unknownCode: (await findUnknownCode(row, tx))?.code ?? null,
      problems: row.content.problems ?? [],
      documents: documents.map((document) => presentDocument(document)),
    })
  })

/** Applies a queued report to the service that the operator names. */
export const assignResult: Operation<typeof contract.assignResult> = ({ params, body }, context) =>
  settle(params.id, context, async (row, tx) => {
    const orderId = orderIdOf(body.serviceId)
    const order = orderId === undefined ? undefined : await tx.orders.lockVisible(context.caller, orderId)
    const service = order?.services.find(({ id }) => id === body.serviceId)
    if (!order || !service) throw refuse('invalidValue', 'Unknown service.', '/serviceId')
    const after = assign(row, order, service, context.now())
    const isCorrected =
      hasResult(service.status) &&
      after.services.some((each) => each.id === service.id && each.status !== service.status)
    if (isCorrected && body.reason === undefined) throw refuse('required', 'A correction requires a reason.', '/reason')
    if (body.rememberCode === true) await learnCode(row, service, { ...context, tx })
    const audited = { action: 'order.result', reason: body.reason }
    await changeWithRecord({ before: order, after }, audited, { ...context, tx })
    return { state: 'applied', orderId: order.id, serviceId: service.id, reason: body.reason }
  })

export const dismissResult: Operation<typeof contract.dismissResult> = ({ params, body }, context) =>
  settle(params.id, context, async ({ orderId, serviceId }) => {
    return { state: 'dismissed', orderId, serviceId, reason: body.reason }
  })

export const readDocument: Operation<typeof contract.readDocument> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const document = orNotFound(await tx.results.document(context.caller.tenantId, params.id))
    const { id, resultId, bytes, contentType } = document
    if (await isHidden(resultId, tx, context)) throw refuseWithheld()
    const action = { action: 'document.read', subject: { type: 'document', id }, after: { resultId } }
    await tx.audit.append([auditEntry(action, context)])
    return { status: 200, bytes, type: contentType }
  })

/** The same rule as for the documents of the order. A report that is assigned to no order is read to find the order. */
async function isHidden(resultId: string, tx: Transaction, { caller }: Context): Promise<boolean> {
  const report = orNotFound(await tx.results.read(caller.tenantId, resultId))
  if (report.orderId === null) return false
  const order = await tx.orders.findVisible(caller, { id: report.orderId })
  return order !== undefined && isWithheld(report, order)
}

/** The same for every repeat: senders do not see what an operator did since. */
function presentReceipt(row: ResultRow): contract.ResultReceipt {
  const isApplied = row.why === null
  return {
    id: row.id,
    object: 'resultReceipt',
    messageId: row.messageId,
    state: isApplied ? 'applied' : 'queued',
    why: row.why,
    orderId: isApplied ? row.orderId : null,
    serviceId: isApplied ? row.serviceId : null,
    receivedAt: row.receivedAt.toISOString(),
  }
}

/** Leaves out the participant, and the text that names them, unless the caller may read participants. */
function presentReport({ content: { message, original } }: FullResultRow, { caller }: Context): object {
  const { participant, ...rest } = 'event' in message ? message : { ...message, participant: undefined }
  if (!caller.scopes.has('operator.participants.read')) return rest
  return { ...rest, ...(participant && { participant }), ...(original !== undefined && { original }) }
}

interface Settlement {
  state: 'applied' | 'dismissed'
  orderId: string | null
  serviceId: string | null
  reason?: string | undefined
}

async function settle(
  id: string,
  context: Context,
  decide: (row: FullResultRow, tx: Transaction) => Promise<Settlement>,
) {
  const { caller, store, now } = context
  return store.transaction(async (tx) => {
    const row = orNotFound(await tx.results.read(caller.tenantId, id, { lock: true }))
    if (row.state !== 'queued') throw refuse('invalidState', `This report is already ${row.state}.`)
    const { reason, ...settlement } = await decide(row, tx)
    const settled = { ...row, ...settlement, settledAt: now(), settledBy: caller.tokenId }
    await tx.results.settle(settled)
    const action = settlement.state === 'applied' ? 'result.assign' : 'result.dismiss'
    const states = { before: { state: row.state, why: row.why }, after: settlement }
    await tx.audit.append([auditEntry({ action, subject: { type: 'result', id }, reason, ...states }, context)])
    return ok(presentResult(settled, await findSenderNames([row], tx, caller.tenantId)))
  })
}

/** Applies the report as if the sender had named the service. An existing result is corrected. */
function assign({ content: { message } }: FullResultRow, order: Order, service: OrderService, now: Date): Order {
  if (!('event' in message)) throw refuse('invalidState', UNREADABLE)
  try {
    refuseUnreviewed(service, message)
  } catch (error) {
    // The report itself cannot be changed, so the assignment is refused as a whole.
    throw error instanceof Refusal ? refuse('invalidState', error.message) : error
  }
  const after = applyReport({ order, service, isPerson: true }, message, now, 'operator')
  if (typeof after !== 'string') return after
  throw refuse('invalidState', `${WHY_NOT[after] ?? 'The report cannot be applied'}: the service is ${service.status}.`)
}

const UNREADABLE = 'This message was not understood. Set the status of the service yourself, then dismiss the message.'

const WHY_NOT: Partial<Record<contract.QueueReason, string>> = {
  orderClosed: 'The order accepts no more results',
  notNext: 'The reported status cannot come next',
  reviewNeeded: 'Only the medical reviewer may report a result of this service',
  matchesDisagree: 'The service has another specimen, which must be corrected first',
}

function presentResult(row: ResultRow, names: SenderNames): contract.Result {
  return {
    ...presentReceipt(row),
    object: 'result',
    state: row.state,
    orderId: row.orderId,
    serviceId: row.serviceId,
    sender: presentSender(row, names),
    event: row.event,
    occurredAt: row.occurredAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
    settledBy: row.settledBy,
    url: `/api/operator/v1/results/${row.id}`,
  }
}

const presentDocument = ({ id, name, contentType, size }: DocumentRow) => ({
  id,
  object: 'document' as const,
  name,
  contentType,
  size,
  url: `/api/operator/v1/documents/${id}`,
})
