import type * as contract from '@order-testing/contract/operator'
import { notFound, refuse } from '../../domain/refusal.ts'
import type { CallbackFilter, CallbackRow } from '../../store/webhooks/callbacks.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'

export const listCallbacks: Operation<typeof contract.listCallbacks> = async ({ query }, { caller, store }) => {
  const { isActive, version } = query
  const filter = { ...filterOf(query), isActive, version }
  // A search by version alone would read all callbacks of the tenant.
  if (version !== undefined && (filter.tokenId ?? filter.orderId ?? filter.origin) === undefined)
    throw refuse('required', 'Select callbacks of a version by tokenId, orderId or origin too.', '/origin')
  const found = await store.callbacks.page(caller.tenantId, filter, query)
  return ok({ ...collectionOf(found, query, (row) => presentCallback(row)), isMore: found.isMore })
}

export const readCallback: Operation<typeof contract.readCallback> = async ({ params }, { caller, store }) => {
  const row = await store.callbacks.find(caller.tenantId, params.id)
  if (!row) throw notFound()
  return ok(presentCallback(row))
}

export const endCallback: Operation<typeof contract.endCallback> = ({ params: { id } }, context) =>
  context.store.transaction(async (tx) => {
    const { tenantId } = context.caller
    const before = await tx.callbacks.find(tenantId, id)
    if (!before) throw notFound()
    const ended = await tx.callbacks.end(tenantId, { id }, { reason: 'operator', most: 1 })
    if (ended.length === 0) return ok(presentCallback(before))
    const states = { before: { orderId: before.orderId, isActive: true }, after: { isActive: false } }
    await tx.audit.append([
      auditEntry({ action: 'callback.end', subject: { type: 'callback', id }, ...states }, context),
    ])
    return ok(presentCallback((await tx.callbacks.find(tenantId, id))!))
  })

/** Callbacks ended by one statement, which must finish before its timeout. */
const END_BATCH = 1_000

/** Each batch commits with its own audit entry, so that ending many callbacks blocks nothing. */
export const endCallbacks: Operation<typeof contract.endCallbacks> = async ({ body }, context) => {
  const { tenantId } = context.caller
  const filter = filterOf(body)
  const named = filter.tokenId ?? filter.orderId ?? filter.origin
  if (named === undefined) throw refuse('required', 'Select the callbacks to end by tokenId, orderId or origin.')
  const subject = { type: 'callbacks', id: named }
  let total = 0
  let last: number
  do {
    last = await context.store.transaction(async (tx) => {
      const ended = await tx.callbacks.end(tenantId, filter, { reason: 'operator', most: END_BATCH })
      const states = { before: filter, after: { ended: ended.length } }
      await tx.audit.append([auditEntry({ action: 'callbacks.end', subject, ...states }, context)])
      return ended.length
    })
    total += last
  } while (last === END_BATCH)
  return ok({ object: 'callbackEnd', ended: total })
}

const filterOf = ({ tokenId, orderId, origin }: CallbackFilter): CallbackFilter => ({
  tokenId,
  orderId,
  origin: origin === undefined ? undefined : new URL(origin).origin,
})

function presentCallback(row: CallbackRow): contract.OperatorCallback {
  return {
    id: row.id,
    object: 'callback',
    orderId: row.orderId,
    target: row.target,
    origin: row.origin,
    version: row.version,
    showsParticipant: row.showsParticipant,
    isActive: row.endedAt === null,
    registeredBy: row.registeredBy,
    changedBy: row.changedBy,
    createdAt: row.createdAt.toISOString(),
    changedAt: row.changedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    endReason: row.endReason,
    url: `/api/operator/v1/callbacks/${row.id}`,
  }
}
