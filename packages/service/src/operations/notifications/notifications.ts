import type * as contract from '@order-testing/contract/operator'
import { isStillRelevant, recipientOf } from '../../domain/notifications/plan.ts'
import type { Order } from '../../domain/orders/order.ts'
import { canReadParticipant, type Caller } from '../../domain/access/caller.ts'
import { maskedRecipient } from '../../domain/notifications/addresses.ts'
import { orNotFound, refuse } from '../../domain/refusal.ts'
import type { NotificationRow } from '../../store/notifications/notifications.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'

export const listMessages: Operation<typeof contract.listMessages> = async ({ query }, { caller, store }) => {
  const page = await store.notifications.page(caller.tenantId, query)
  const orders = await store.orders.findAll(
    caller.tenantId,
    page.rows.map(({ orderId }) => orderId),
  )
  const present = (row: NotificationRow) => presentNotification(row, orders.get(row.orderId), caller)
  return ok({ ...collectionOf(page, query, present), isMore: page.isMore })
}

export const readMessage: Operation<typeof contract.readMessage> = async ({ params }, { caller, store }) => {
  const row = orNotFound(await store.notifications.read(caller.tenantId, params.id))
  const attempts = await store.notifications.attempts(caller.tenantId, row.id)
  const order = await store.orders.find(caller.tenantId, row.orderId)
  const bounce = await store.sentNotifications.findBounce(caller.tenantId, row.id)
  return ok({
    ...presentNotification(row, order, caller),
    bounce: bounce ? { type: bounce.type, at: bounce.at.toISOString(), reason: bounce.reason } : null,
    log: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: at.toISOString() })),
  })
}

export const resendMessage: Operation<typeof contract.resendMessage> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const { tenantId } = context.caller
    const row = orNotFound(await tx.notifications.read(tenantId, params.id))
    if (!(await tx.notifications.resend(tenantId, row.id)))
      throw refuse('invalidState', await explainRefusal(row, context.now(), tx))
    const subject = { type: 'message', id: row.id }
    const states = { before: { state: row.state }, after: { state: 'waiting' } }
    await tx.audit.append([auditEntry({ action: 'message.resend', subject, ...states }, context)])
    const order = await tx.orders.find(tenantId, row.orderId)
    return ok(presentNotification((await tx.notifications.read(tenantId, row.id))!, order, context.caller))
  })

/** Per statement, so that each ends within the statement timeout. */
const RESEND_BATCH = 1_000

/** Each batch commits with its own audit entry, so that locks stay short and nothing goes unrecorded. */
export const resendMessages: Operation<typeof contract.resendMessages> = async ({ body }, context) => {
  const { caller, store } = context
  const subject = { type: 'messages', id: body.state }
  let resent = 0
  let before: string | null = null
  do {
    const batch: string[] = await store.transaction(async (tx) => {
      const ids = await tx.notifications.resendMany(caller.tenantId, body, { before, most: RESEND_BATCH })
      const states = { before: { state: body.state }, after: { ...body, state: 'waiting', resent: ids.length } }
      await tx.audit.append([auditEntry({ action: 'messages.resend', subject, ...states }, context)])
      return ids
    })
    resent += batch.length
    before = batch.length < RESEND_BATCH ? null : batch.at(-1)!
  } while (before !== null)
  return ok({ object: 'messageResend', resent })
}

/** Says what will become of a notification that cannot be sent again yet. */
async function explainRefusal(
  { tenantId, orderId, ...notification }: NotificationRow,
  now: Date,
  tx: Transaction,
): Promise<string> {
  if (notification.state === 'sending') return 'This message is being sent. Try again once it has ended.'
  const order = await tx.orders.find(tenantId, orderId)
  if (!order || !isStillRelevant(notification, order, now))
    return 'This message is waiting and will be dropped, because it no longer applies to the order.'
  const when = notification.dueAt > now ? `at ${notification.dueAt.toISOString()}` : 'now'
  return `This message is waiting: it is due ${when} and will be sent if it still applies then.`
}

export const presentNotification = (
  row: NotificationRow,
  order: Order | undefined,
  caller: Caller,
): contract.Message => ({
  id: row.id,
  object: 'message',
  orderId: row.orderId,
  orderCode: order?.code ?? null,
  to: order && canReadParticipant(caller) ? maskedRecipient(row.kind, order) : null,
  kind: row.kind,
  recipient: recipientOf(row.kind),
  channel: row.channel,
  tokenId: row.tokenId,
  state: row.state,
  reason: row.reason,
  attempts: row.attempts,
  copies: row.copies,
  dueAt: row.dueAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  url: `/api/operator/v1/messages/${row.id}`,
})
