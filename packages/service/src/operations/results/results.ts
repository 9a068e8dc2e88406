import type * as contract from '@order-testing/contract/operator'
import { canReadParticipant } from '../../domain/access/caller.ts'
import { HIDDEN, lastInitial } from '../../domain/masks.ts'
import { orderIdOf } from '../../domain/ids.ts'
import type { Order, OrderService } from '../../domain/orders/order.ts'
import { hasResult } from '../../domain/orders/statuses.ts'
import { orNotFound, Refusal, refuse } from '../../domain/refusal.ts'
import { applyReport, refuseUnreviewed } from '../../domain/results/apply.ts'
import { maskHl7 } from '../../domain/results/masked-hl7.ts'
import { hidingOf, refuseWithheld, withoutFindings } from '../../domain/results/withheld.ts'
import type { DocumentRow, FullResultRow, ResultRow } from '../../store/results/results.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'
import { changeWithRecord } from '../orders/change.ts'
import { findUnknownCode, learnCode } from './codes.ts'
import { referencesIn } from './references.ts'
import { findSenderNames, presentSender, type SenderNames } from './sender-names.ts'
import { takeReport } from './take.ts'

export const postResult: Operation<typeof contract.postResult> = async ({ body }, context) => {
  const row = await takeReport({ report: body }, context)
  return { status: row.why === null ? 200 : 202, body: presentReceipt(row) }
}

export const listResults: Operation<typeof contract.listResults> = ({ query }, { caller, store }) =>
  store.snapshot(async (tx) => {
    const { tenantId } = caller
    const { rows, total } = await tx.results.page(tenantId, query)
    const full = await tx.results.readAll(
      tenantId,
      rows.map(({ id }) => id),
    )
    const names = await findSenderNames(rows, tx, tenantId)
    return ok(collectionOf({ rows, total }, query, ({ id }) => presentResult(full.get(id)!, names)))
  })

/** A report is about a person, so reading it is recorded in the audit log, and reading the person in full as such. */
export const readResult: Operation<typeof contract.readResult> = ({ params, query }, context) =>
  context.store.transaction(async (tx) => {
    const { tenantId } = context.caller
    const row = orNotFound(await tx.results.read(tenantId, params.id))
    const documents = await tx.results.documentsOf(tenantId, row.id)
    const hiddenFor = await findHiding(row, tx, context)
    const isFull = query.participants === 'full' && canReadParticipant(context.caller)
    const action = isFull ? 'result.reveal' : 'result.read'
    await tx.audit.append([auditEntry({ action, subject: { type: 'result', id: row.id } }, context)])
    return ok({
      ...presentResult(row, await findSenderNames([row], tx, tenantId)),
      message: presentReport(row, context, { persons: isFull, findings: hiddenFor === null }),
      hiddenFor,
      unknownCode: (await findUnknownCode(row, tx))?.code ?? null,
      problems: row.content.problems ?? [],
      documents: documents.map((document) => presentDocument(document)),
    })
  })

/** Applies a queued report to the service that the operator names. */
export const assignResult: Operation<typeof contract.assignResult> = ({ params, body }, context) =>
  settle(params.id, { ...context, orderId: orderIdOf(body.serviceId) }, async (row, tx, order) => {
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
    const report = orNotFound(await tx.results.read(context.caller.tenantId, resultId))
    // Before a report is assigned, its document may be all that tells whose it is.
    if ((await findHiding(report, tx, context)) === 'review') throw refuseWithheld()
    const action = { action: 'document.read', subject: { type: 'document', id }, after: { resultId } }
    await tx.audit.append([auditEntry(action, context)])
    return { status: 200, bytes, type: contentType }
  })

/** Why the findings of a report are hidden. The same rule as for the documents of the order. */
async function findHiding(report: ResultRow, tx: Transaction, { caller }: Context) {
  const { orderId } = report
  return hidingOf(report, orderId === null ? undefined : await tx.orders.findVisible(caller, { id: orderId }))
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

/**
 * Leaves out the participant, and the text that names them, unless the caller may read participants. Both are masked unless they
 * were asked for in full. Findings are left out, and masked in the text, while they must be hidden.
 */
function presentReport(
  { content: { message, original } }: FullResultRow,
  { caller }: Context,
  shown: { persons: boolean; findings: boolean },
): object {
  const { participant, ...rest } = 'event' in message ? message : { ...message, participant: undefined }
  const members = shown.findings ? rest : withoutFindings(rest)
  if (!canReadParticipant(caller)) return members
  return {
    ...members,
    ...(participant && { participant: shown.persons ? participant : maskPerson(participant) }),
    ...(original !== undefined && { original: maskHl7(original, shown) }),
  }
}

const maskPerson = ({ firstName, lastName, birthDate }: NonNullable<contract.ResultMessage['participant']>) => ({
  ...(firstName !== undefined && { firstName }),
  ...(lastName !== undefined && { lastName: lastInitial(lastName) }),
  ...(birthDate !== undefined && { birthDate: HIDDEN }),
})

interface Settlement {
  state: 'applied' | 'dismissed'
  orderId: string | null
  serviceId: string | null
  reason?: string | undefined
}

async function settle(
  id: string,
  { orderId, ...context }: Context & { orderId?: string | undefined },
  decide: (row: FullResultRow, tx: Transaction, order: Order | undefined) => Promise<Settlement>,
) {
  const { caller, store, now } = context
  return store.transaction(async (tx) => {
    // The order before the report, as where reports are taken, so that neither deadlocks with the other.
    const order = orderId === undefined ? undefined : await tx.orders.lockVisible(caller, orderId)
    const row = orNotFound(await tx.results.read(caller.tenantId, id, { lock: true }))
    if (row.state !== 'queued') throw refuse('invalidState', `This report is already ${row.state}.`)
    const { reason, ...settlement } = await decide(row, tx, order)
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

function presentResult(row: FullResultRow, names: SenderNames): contract.Result {
  return {
    ...presentReceipt(row),
    object: 'result',
    state: row.state,
    orderId: row.orderId,
    serviceId: row.serviceId,
    sender: presentSender(row, names),
    ...referencesIn(row.content),
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
