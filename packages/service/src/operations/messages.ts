import type * as contract from '@order-testing/contract/operator'
import { recipientOf } from '../domain/messages.ts'
import { notFound, refuse } from '../domain/refusal.ts'
import type { MessageRow } from '../store/messages.ts'
import { entryOf } from './audit.ts'
import { collectionOf, ok, type Operation } from './operation.ts'

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
      throw refuse('invalidState', `This message is ${row.state}: it will be sent anyway.`)
    }
    const states = { before: { state: row.state }, after: { state: 'waiting' } }
    await tx.audit.note([
      entryOf({ action: 'message.resend', subject: { type: 'message', id: row.id }, ...states }, context),
    ])
    return ok(presentMessage((await tx.messages.read(tenantId, row.id))!))
  })

function presentMessage({
  id,
  orderId,
  kind,
  state,
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
    state,
    attempts,
    dueAt: dueAt.toISOString(),
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    url: `/api/operator/v1/messages/${id}`,
  }
}
