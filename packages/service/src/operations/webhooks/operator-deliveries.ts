import type * as contract from '@order-testing/contract/operator'
import { notFound } from '../../domain/refusal.ts'
import type { Transaction } from '../../store/store.ts'
import type { ReceiverRecord } from '../../store/webhooks/receiver-records.ts'
import type { ReceiverId } from '../../store/webhooks/receivers.ts'
import type { DeliveryRecord } from '../../store/webhooks/records.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'
import * as replay from './replay.ts'

export const listDeliveries: Operation<typeof contract.listDeliveries> = async ({ query }, { caller, store }) => {
  const found = await store.deliveryRecords.list(replay.toFilter(toQuery(query, caller.tenantId)), query)
  return ok({ ...collectionOf(found, query, (row) => presentDelivery(row)), isMore: found.isMore })
}

export const readDelivery: Operation<typeof contract.readDelivery> = async ({ params }, { caller, store }) => {
  const row = await find(params.id, caller.tenantId, store)
  const log = await store.deliveryRecords.attempts(caller.tenantId, row.id)
  return ok({ ...presentDelivery(row), log: log.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt })) })
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

export const listReceivers: Operation<typeof contract.listReceivers> = async ({ query }, { caller, store }) => {
  const found = await store.receiverRecords.page(caller.tenantId, { withParked: query.held === 'true' }, query)
  return ok(collectionOf(found, query, (row) => presentReceiver(row)))
}

export const pauseReceiver: Operation<typeof contract.pauseReceiver> = ({ body }, context) =>
  changeReceiver(body.origin, 'receiver.pause', context, (receiver, tx) => tx.receiverRecords.pause(receiver))

export const resumeReceiver: Operation<typeof contract.resumeReceiver> = ({ body }, context) =>
  changeReceiver(body.origin, 'receiver.resume', context, (receiver, tx) => tx.receiverRecords.resume(receiver))

function changeReceiver(
  address: string,
  action: string,
  context: Context,
  change: (receiver: ReceiverId, tx: Transaction) => Promise<void>,
) {
  const receiver = { tenantId: context.caller.tenantId, origin: originOf(address) }
  return context.store.transaction(async (tx) => {
    const isKnown = await tx.receiverRecords.isKnown(receiver)
    const before = presentReceiver(await tx.receiverRecords.read(receiver))
    await change(receiver, tx)
    const after = presentReceiver(await tx.receiverRecords.read(receiver))
    const subject = { type: 'receiver', id: receiver.origin }
    const states = { before: { pausedAt: before.pausedAt }, after: { pausedAt: after.pausedAt } }
    await tx.audit.append([auditEntry({ action, subject, ...states }, context)])
    return ok({ ...after, isKnown })
  })
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

const presentReceiver = (row: ReceiverRecord): contract.Receiver => ({
  object: 'receiver',
  origin: row.origin,
  state: row.state,
  failures: row.failures,
  openUntil: row.openUntil?.toISOString() ?? null,
  pausedAt: row.pausedAt?.toISOString() ?? null,
  held: row.held,
  waiting: row.waiting,
  oldestAt: row.oldestAt?.toISOString() ?? null,
})
