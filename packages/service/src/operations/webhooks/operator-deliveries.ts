import type * as contract from '@order-testing/contract/operator'
import { notFound } from '../../domain/refusal.ts'
import type { DeliveryRecord } from '../../store/webhooks/records.ts'
import type { ReceiverRecord } from '../../store/webhooks/receiver-records.ts'
import type { Transaction } from '../../store/store.ts'
import { entryOf } from '../audit/audit.ts'
import * as deliveries from './deliveries.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'

export const listDeliveries: Operation<typeof contract.listDeliveries> = async ({ query }, { caller, store }) => {
  const found = await deliveries.listDeliveries(queryOf(query, caller.tenantId), query, store)
  return ok({ ...collectionOf(found, query, (row) => presentDelivery(row)), isMore: found.isMore })
}

export const readDelivery: Operation<typeof contract.readDelivery> = async ({ params }, { caller, store }) => {
  const row = await find(params.id, caller.tenantId, store)
  const log = await store.deliveryRecords.attempts(caller.tenantId, row.id)
  return ok({ ...presentDelivery(row), log: log.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt })) })
}

export const replayDelivery: Operation<typeof contract.replayDelivery> = ({ params: { id } }, context) =>
  context.store.transaction(async (tx) => {
    const { tenantId } = context.caller
    const before = await find(id, tenantId, tx)
    await deliveries.replayDelivery({ id, tenantId }, tx)
    const after = await find(id, tenantId, tx)
    const states = { before: { state: before.state }, after: { state: after.state } }
    await tx.audit.note([entryOf({ action: 'delivery.replay', subject: { type: 'delivery', id }, ...states }, context)])
    return ok(presentDelivery(after))
  })

/** Each batch commits with its own audit entry, so that a long replay blocks nothing and is fully audited. */
export const replayDeliveries: Operation<typeof contract.replayDeliveries> = async ({ body }, context) => {
  const query = queryOf(body, context.caller.tenantId)
  const total = { ...deliveries.NONE }
  let last: string | null = null
  do {
    const batch: deliveries.ReplayedBatch = await context.store.transaction(async (tx) => {
      const done = await deliveries.replayBatch(query, last, tx)
      const after = { ...body, ...done.counts }
      await tx.audit.note([entryOf({ ...deliveries.replayDeed(query), after }, context)])
      return done
    })
    for (const [outcome, count] of Object.entries(batch.counts)) total[outcome as keyof typeof total] += count
    last = batch.last
  } while (last !== null)
  return ok({ object: 'deliveryReplay', ...total })
}

export const listReceivers: Operation<typeof contract.listReceivers> = async ({ query }, { caller, store }) => {
  const filter = { tenantId: caller.tenantId, withParked: query.held === 'true' }
  const found = await store.receiverRecords.page(filter, query)
  return ok(collectionOf(found, query, (row) => presentReceiver(row)))
}

export const pauseReceiver: Operation<typeof contract.pauseReceiver> = ({ body }, context) =>
  changeReceiver(body.origin, 'receiver.pause', context, (receiver, tx) => deliveries.pauseReceiver(receiver, tx))

export const resumeReceiver: Operation<typeof contract.resumeReceiver> = ({ body }, context) =>
  changeReceiver(body.origin, 'receiver.resume', context, (receiver, tx) => deliveries.resumeReceiver(receiver, tx))

type Receiver = { tenantId: string; origin: string }

function changeReceiver(
  address: string,
  action: string,
  context: Context,
  change: (receiver: Receiver, tx: Transaction) => Promise<{ isKnown: boolean }>,
) {
  const receiver = { tenantId: context.caller.tenantId, origin: originOf(address) }
  return context.store.transaction(async (tx) => {
    const before = presentReceiver(await tx.receiverRecords.read(receiver))
    const { isKnown } = await change(receiver, tx)
    const after = presentReceiver(await tx.receiverRecords.read(receiver))
    const subject = { type: 'receiver', id: receiver.origin }
    const states = { before: { pausedAt: before.pausedAt }, after: { pausedAt: after.pausedAt } }
    await tx.audit.note([entryOf({ action, subject, ...states }, context)])
    return ok({ ...after, isKnown })
  })
}

async function find(id: string, tenantId: string, { deliveryRecords }: Pick<Transaction, 'deliveryRecords'>) {
  const [row] = (await deliveryRecords.list({ tenantId, id }, { limit: 1, page: 1 })).rows
  if (!row) throw notFound()
  return row
}

/** Selects deliveries, as the contract's members. */
interface Selection {
  order?: string | undefined
  origin?: string | undefined
  state?: DeliveryRecord['state'] | undefined
  createdFrom?: string | undefined
  createdTo?: string | undefined
}

const queryOf = ({ order, origin, state, createdFrom, createdTo }: Selection, tenantId: string) => ({
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
