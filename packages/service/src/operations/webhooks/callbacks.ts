import type * as contract from '@order-testing/contract'
import { canReadParticipant, type Caller } from '../../domain/access/caller.ts'
import { orderPath } from '../../domain/catalog/references.ts'
import { makeId } from '../../domain/ids.ts'
import { orNotFound, Refusal } from '../../domain/refusal.ts'
import { canonicalAddress, checkCallback } from '../../domain/webhooks/callbacks.ts'
import type { Transaction } from '../../store/store.ts'
import type { CallbackRow } from '../../store/webhooks/callbacks.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'
import { registerCallback } from './register.ts'

export const listOrderCallbacks: Operation<typeof contract.listOrderCallbacks> = async ({ params, query }, context) => {
  const { caller, store } = context
  orNotFound(await store.orders.findCode(caller, params.id))
  const all = await store.callbacks.ofOrder(caller.tenantId, params.id)
  const start = (query.page - 1) * query.limit
  const rows = all.slice(start, start + query.limit)
  return ok(collectionOf({ rows, total: all.length }, query, presentCallback))
}

export const readOrderCallback: Operation<typeof contract.readOrderCallback> = async ({ params }, context) =>
  ok(presentCallback(await findCallback(params, context.caller, context.store)))

/** Adds a callback, or replaces the one with the same URL. */
export const putOrderCallback: Operation<typeof contract.putOrderCallback> = async ({ params, body }, context) => {
  const { caller, store, policy, now, random } = context
  const problems = checkCallback(body, policy, [])
  if (problems.length > 0) throw new Refusal(problems)
  const callback = { ...body, url: canonicalAddress(body.url) }
  return store.transaction(async (tx) => {
    const { tenantId, tokenId } = caller
    const order = orNotFound(await tx.orders.lockVisible(caller, params.id))
    const at = now()
    const showsParticipant = canReadParticipant(caller)
    const newId = makeId('cbk', at, random.bytes)
    const registration = {
      id: newId,
      orderId: order.id,
      version: 'v2',
      callback,
      tokenId,
      showsParticipant,
      at,
    } as const
    const { id, isReplaced } = await registerCallback(order.id, registration, context, tx)
    const written = orNotFound(await tx.callbacks.find(tenantId, id))
    return { status: isReplaced ? 200 : 201, body: presentCallback(written) }
  })
}

export const endOrderCallback: Operation<typeof contract.endOrderCallback> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const { tenantId } = context.caller
    const { id: orderId, callbackId: id } = params
    await findCallback(params, context.caller, tx)
    const ended = await tx.callbacks.end(tenantId, { id, orderId }, { reason: 'integrator', most: 1 })
    if (ended.length > 0) {
      const states = { before: { orderId, isActive: true }, after: { isActive: false } }
      await tx.audit.append([
        auditEntry({ action: 'callback.end', subject: { type: 'callback', id }, ...states }, context),
      ])
    }
    return { status: 204, text: '' }
  })

/** A callback of an order that the caller can see. */
async function findCallback(
  { id, callbackId }: { id: string; callbackId: string },
  caller: Caller,
  { orders, callbacks }: Pick<Transaction, 'orders' | 'callbacks'>,
): Promise<CallbackRow> {
  orNotFound(await orders.findCode(caller, id))
  const row = await callbacks.find(caller.tenantId, callbackId)
  return orNotFound(row?.orderId === id ? row : undefined)
}

const presentCallback = (row: CallbackRow): contract.OrderCallback => ({
  id: row.id,
  object: 'callback',
  url: `${orderPath(row.orderId)}/callbacks/${row.id}`,
  target: row.target,
  version: row.version,
  headers: row.headers,
  authType: row.authType,
  isSigned: row.isSigned,
  isActive: row.endedAt === null,
  createdAt: row.createdAt.toISOString(),
})
