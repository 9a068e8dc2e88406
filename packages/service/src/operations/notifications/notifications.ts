import type * as contract from '@order-testing/contract/operator'
import { isWanted, recipientOf } from '../../domain/notifications/plan.ts'
import { notFound, refuse } from '../../domain/refusal.ts'
import type { MessageRow } from '../../store/notifications/notifications.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'

export const listMessages: Operation<typeof contract.listMessages> = async ({ query }, { caller, store }) =>
  ok(collectionOf(await store.messages.page(caller.tenantId, query), query, (row) => presentMessage(row)))

export const readMessage: Operation<typeof contract.readMessage> = async ({ params }, { caller, store }) => {
  const row = await store.messages.read(caller.tenantId, params.id)
  if (!row) throw notFound()
  const attempts = await store.messages.attempts(caller.tenantId, row.id)
  return ok({
    ...presentMessage(row),
    log: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: at.toISOString() })),
  })
}

export const resendMessage: Operation<typeof contract.resendMessage> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const { tenantId } = context.caller
    const row = await tx.messages.read(tenantId, params.id)
    if (!row) throw notFound()
    if (!(await tx.messages.resend(tenantId, row.id))) {
      throw refuse('invalidState', await whyNot(row, context.now(), tx))
    }
    const states = { before: { state: row.state }, after: { state: 'waiting' } }
    await tx.audit.append([
      auditEntry({ action: 'message.resend', subject: { type: 'message', id: row.id }, ...states }, context),
    ])
    return ok(presentMessage((await tx.messages.read(tenantId, row.id))!))
  })

/** Messages resent by one statement: it has to end in time. */
const RESENT_AT_ONCE = 1_000

/** Each batch commits with its own entry, so that many hold nothing up and none of them goes unnoted. */
export const resendMessages: Operation<typeof contract.resendMessages> = async ({ body }, context) => {
  const { caller, store } = context
  const subject = { type: 'messages', id: body.state }
  let resent = 0
  let before: string | null = null
  do {
    const batch: string[] = await store.transaction(async (tx) => {
      const ids = await tx.messages.resendMany(caller.tenantId, body, { before, most: RESENT_AT_ONCE })
      const states = { before: { state: body.state }, after: { ...body, state: 'waiting', resent: ids.length } }
      await tx.audit.append([auditEntry({ action: 'messages.resend', subject, ...states }, context)])
      return ids
    })
    resent += batch.length
    before = batch.length < RESENT_AT_ONCE ? null : batch.at(-1)!
  } while (before !== null)
  return ok({ object: 'messageResend', resent })
}

/** What becomes of a message that has not ended. */
async function whyNot({ tenantId, orderId, ...message }: MessageRow, now: Date, tx: Transaction): Promise<string> {
  if (message.state === 'sending') return 'This message is being sent.'
  const order = await tx.orders.find(tenantId, orderId)
  if (!order || !isWanted(message, order, now))
    return 'This message is waiting and will be dropped, because it no longer applies.'
  const when = message.dueAt > now ? `at ${message.dueAt.toISOString()}` : 'now'
  return `This message is waiting: it is due ${when} and will be sent if it still applies.`
}

function presentMessage({
  id,
  orderId,
  kind,
  channel,
  tokenId,
  state,
  reason,
  attempts,
  dueAt,
  createdAt,
  endedAt,
}: MessageRow): contract.Message {
  return {
    id,
    object: 'message',
    orderId,
    kind,
    recipient: recipientOf(kind),
    channel,
    tokenId,
    state,
    reason,
    attempts,
    dueAt: dueAt.toISOString(),
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    url: `/api/operator/v1/messages/${id}`,
  }
}
