import type * as contract from '@order-testing/contract/operator'
import { orNotFound } from '../../domain/refusal.ts'
import type { HelpRequestRow } from '../../store/participants/help-requests.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'

export const listHelpRequests: Operation<typeof contract.listHelpRequests> = async ({ query }, { caller, store }) =>
  ok(collectionOf(await store.helpRequests.page(caller.tenantId, query), query, present))

/** The details may name a person, so reading them is recorded in the audit log. */
export const readHelpRequest: Operation<typeof contract.readHelpRequest> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const { caller } = context
    const row = orNotFound(await tx.helpRequests.read(caller.tenantId, params.id))
    if (!caller.scopes.has('operator.participants.read')) return ok(present(row))
    const subject = { type: 'order', id: row.orderId }
    await tx.audit.append([auditEntry({ action: 'helpRequest.read', subject }, context)])
    return ok({ ...present(row), details: row.details })
  })

export const finishHelpRequest: Operation<typeof contract.finishHelpRequest> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const { caller, now } = context
    const row = orNotFound(await tx.helpRequests.read(caller.tenantId, params.id))
    const done = { by: caller.tokenId, at: now() }
    if (!(await tx.helpRequests.finish(caller.tenantId, row.id, done))) return ok(present(row))
    const subject = { type: 'order', id: row.orderId }
    const states = { before: { isOpen: true }, after: { isOpen: false, helpRequestId: row.id } }
    await tx.audit.append([auditEntry({ action: 'helpRequest.done', subject, ...states }, context)])
    return ok(present({ ...row, doneAt: done.at, doneBy: done.by }))
  })

const present = (row: HelpRequestRow): contract.HelpRequest => ({
  id: row.id,
  object: 'helpRequest',
  orderId: row.orderId,
  code: row.code,
  recipient: row.recipient,
  reason: row.reason,
  isOpen: row.doneAt === null,
  createdAt: row.createdAt.toISOString(),
  doneAt: row.doneAt?.toISOString() ?? null,
  doneBy: row.doneBy,
  url: `/api/operator/v1/helpRequests/${row.id}`,
})
