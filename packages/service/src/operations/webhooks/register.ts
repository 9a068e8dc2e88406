import { MOST_CALLBACKS } from '@order-testing/contract'
import { refuse } from '../../domain/refusal.ts'
import type { Transaction } from '../../store/store.ts'
import type { Registration } from '../../store/webhooks/outbox.ts'
import { auditEntry, type AuditContext } from '../audit/audit.ts'
import type { Context } from '../operation.ts'

/**
 * Registers a callback for an order that this transaction has locked. A callback with the same URL is replaced, and the audit log
 * keeps what it was.
 */
export async function registerCallback(
  orderId: string,
  registration: Registration,
  context: AuditContext,
  tx: Transaction,
): Promise<{ id: string; isReplaced: boolean }> {
  const { version, tokenId, showsParticipant } = registration
  const { tenantId } = context.caller
  const activeBefore = await tx.callbacks.countActive(tenantId, orderId)
  const { id, replaced } = await tx.outbox.register(tenantId, { ...registration, orderId })
  const active = await tx.callbacks.countActive(tenantId, orderId)
  if (active > activeBefore && active > MOST_CALLBACKS) throw tooManyCallbacks()
  if (!replaced) return { id, isReplaced: false }
  const states = { before: { orderId, ...replaced }, after: { orderId, version, tokenId, showsParticipant } }
  await tx.audit.append([
    auditEntry({ action: 'callback.replace', subject: { type: 'callback', id }, ...states }, context),
  ])
  return { id, isReplaced: true }
}

/** Refuses what `registerCallback` would refuse, without writing anything. */
export async function checkRegistration(orderId: string, url: string, { caller, store }: Context): Promise<void> {
  const active = await store.callbacks.activeUrls(caller.tenantId, orderId)
  if (active.length >= MOST_CALLBACKS && !active.includes(url)) throw tooManyCallbacks()
}

const tooManyCallbacks = () =>
  refuse('invalidState', `An order has at most ${MOST_CALLBACKS} active callbacks. End one of them first.`)
