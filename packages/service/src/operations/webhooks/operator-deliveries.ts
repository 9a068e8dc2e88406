import type * as contract from '@order-testing/contract/operator'
import { notFound, orNotFound } from '../../domain/refusal.ts'
import type { Transaction } from '../../store/store.ts'
import type { DeliveryRecord } from '../../store/webhooks/records.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'
import { presentDetails } from './delivery-details.ts'
import * as replay from './replay.ts'

export const listDeliveries: Operation<typeof contract.listDeliveries> = async ({ query }, { caller, store }) => {
  const found = await store.deliveryRecords.list(replay.toFilter(toQuery(query, caller.tenantId)), query)
  return ok({ ...collectionOf(found, query, (row) => presentDelivery(row)), isMore: found.isMore })
}

export const readDelivery: Operation<typeof contract.readDelivery> = async ({ params }, context) => {
  const { caller, store, retrySchedule } = context
  const delivery = await find(params.id, caller.tenantId, store)
  const [attempts, content] = await Promise.all([
    store.deliveryRecords.attempts(caller.tenantId, delivery.id),
    store.deliveryContents.find(caller.tenantId, delivery.id),
  ])
  const details = presentDetails({ delivery, attempts, content: orNotFound(content) }, retrySchedule)
  return ok({ ...presentDelivery(delivery), ...details })
}

export const replayDelivery: Operation<typeof contract.replayDelivery> = ({ params: { id }, body }, context) =>
  context.store.transaction(async (tx) => {
    const { tenantId } = context.caller
    const before = await find(id, tenantId, tx)
    replay.refuseDelivered(before.state, body?.includeDelivered)
    await replay.replayDelivery({ id, tenantId }, tx)
    const after = await find(id, tenantId, tx)
    const states = { before: { state: before.state }, after: { state: after.state } }
    await tx.audit.append([
      auditEntry({ action: 'delivery.replay', subject: { type: 'delivery', id }, ...states }, context),
    ])
    return ok(presentDelivery(after))
  })

export const replayDeliveries: Operation<typeof contract.replayDeliveries> = async ({ body }, context) => {
  replay.refuseDelivered(body.state, body.includeDelivered)
  const state = body.state ?? (body.includeDelivered ? undefined : 'failed')
  const query = toQuery({ ...body, state }, context.caller.tenantId)
  const audited = { action: 'deliveries.replay', subject: replay.toReplaySubject(query) }
  const counts = await replay.replayDeliveries(query, context.store, async (batch, tx) => {
    await tx.audit.append([auditEntry({ ...audited, after: { ...body, ...batch } }, context)])
  })
  return ok({ object: 'deliveryReplay', ...counts })
}

async function find(id: string, tenantId: string, { deliveryRecords }: Pick<Transaction, 'deliveryRecords'>) {
  const [row] = (await deliveryRecords.list({ tenantId, id }, { limit: 1, page: 1 })).rows
  if (!row) throw notFound()
  return row
}

/** The filter as the contract has it. */
interface DeliveryQuery {
  order?: string | undefined
  origin?: string | undefined
  state?: DeliveryRecord['state'] | undefined
  createdFrom?: string | undefined
  createdTo?: string | undefined
}

const toQuery = ({ order, origin, state, createdFrom, createdTo }: DeliveryQuery, tenantId: string) => ({
  tenantId,
  order,
  state,
  origin: origin === undefined ? undefined : originOf(origin),
  createdFrom: createdFrom === undefined ? undefined : new Date(createdFrom),
  createdTo: createdTo === undefined ? undefined : new Date(createdTo),
})

const originOf = (address: string) => new URL(address).origin

const presentDelivery = (row: DeliveryRecord): contract.Delivery => ({
  id: row.id,
  object: 'delivery',
  eventId: row.eventId,
  orderId: row.orderId,
  orderCode: row.orderCode,
  version: row.version,
  callbackUrl: row.url,
  callbackOrigin: row.origin,
  state: row.state,
  attempts: row.attempts,
  createdAt: row.createdAt.toISOString(),
  lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
  lastStatus: row.lastStatus,
  lastError: row.lastError,
  nextAttemptAt: row.dueAt?.toISOString() ?? null,
  heldReason: row.heldReason,
  heldUntil: row.heldUntil?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
  url: `/api/operator/v1/deliveries/${row.id}`,
})
