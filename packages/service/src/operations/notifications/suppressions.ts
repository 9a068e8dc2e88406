import type * as contract from '@order-testing/contract/operator'
import { canReadParticipant } from '../../domain/access/caller.ts'
import { maskAddress } from '../../domain/notifications/addresses.ts'
import { orNotFound } from '../../domain/refusal.ts'
import type { SuppressionRow } from '../../store/notifications/suppressions.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'

/** Reading the addresses of people is recorded in the audit log. */
export const listSuppressions: Operation<typeof contract.listSuppressions> = async ({ query }, context) => {
  const { caller, store } = context
  const found = await store.suppressions.page(caller.tenantId, query)
  const isFull = query.addresses === 'full' && canReadParticipant(caller)
  if (isFull && found.rows.length > 0) {
    const entries = found.rows.map(({ id }) => ({ action: 'suppression.read', subject: { type: 'suppression', id } }))
    await store.audit.append(entries.map((entry) => auditEntry(entry, context)))
  }
  return ok(collectionOf(found, query, (row) => present(row, isFull)))
}

export const removeSuppression: Operation<typeof contract.removeSuppression> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const { caller } = context
    const row = orNotFound(await tx.suppressions.remove(caller.tenantId, params.id))
    const { id, channel, reason } = row
    const subject = { type: 'suppression', id }
    await tx.audit.append([auditEntry({ action: 'suppression.remove', subject, before: { channel, reason } }, context)])
    return ok(present(row, canReadParticipant(caller)))
  })

const present = (row: SuppressionRow, isFull: boolean): contract.Suppression => ({
  id: row.id,
  object: 'suppression',
  channel: row.channel,
  address: isFull ? row.address : maskAddress(row.address),
  reason: row.reason,
  messageId: row.notificationId,
  createdAt: row.createdAt.toISOString(),
  url: `/api/operator/v1/suppressions/${row.id}`,
})
