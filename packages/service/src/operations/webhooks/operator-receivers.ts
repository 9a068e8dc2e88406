import type * as contract from '@order-testing/contract/operator'
import { HALF_HOURS, type Receiver } from '@order-testing/contract/operator'
import { firstHalfHour, spreadDay } from '../../domain/webhooks/activity.ts'
import type { Transaction } from '../../store/store.ts'
import type { ReceiverRecord } from '../../store/webhooks/receiver-records.ts'
import type { ReceiverId } from '../../store/webhooks/receivers.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'

export const listReceivers: Operation<typeof contract.listReceivers> = async ({ query }, { caller, store, now }) => {
  const wanted = {
    origin: query.origin === undefined ? undefined : new URL(query.origin).origin,
    withParked: query.held === 'true',
    withRecent: query.recent === 'true',
    onlyV1: query.version === 'v1',
  }
  const found = await store.receiverRecords.page(caller.tenantId, wanted, query)
  const days = await readDays(found.rows, { tenantId: caller.tenantId, store, now: now() })
  return ok(collectionOf(found, query, (row) => presentReceiver(row, days)))
}

export const pauseReceiver: Operation<typeof contract.pauseReceiver> = ({ body }, context) =>
  changeReceiver(body.origin, 'receiver.pause', context, (receiver, tx) => tx.receiverRecords.pause(receiver))

export const resumeReceiver: Operation<typeof contract.resumeReceiver> = ({ body }, context) =>
  changeReceiver(body.origin, 'receiver.resume', context, (receiver, tx) => tx.receiverRecords.resume(receiver))

export const probeReceiver: Operation<typeof contract.probeReceiver> = ({ body }, context) =>
  changeReceiver(body.origin, 'receiver.probe', context, (receiver, tx) => tx.receiverRecords.probe(receiver))

function changeReceiver(
  address: string,
  action: string,
  context: Context,
  change: (receiver: ReceiverId, tx: Transaction) => Promise<void>,
) {
  const { tenantId } = context.caller
  const receiver = { tenantId, origin: new URL(address).origin }
  return context.store.transaction(async (tx) => {
    const isKnown = await tx.receiverRecords.isKnown(receiver)
    const before = await tx.receiverRecords.read(receiver)
    await change(receiver, tx)
    const after = await tx.receiverRecords.read(receiver)
    const days = await readDays([after], { tenantId, store: tx, now: context.now() })
    const states = { before: auditedState(before), after: auditedState(after) }
    const subject = { type: 'receiver', id: receiver.origin }
    await tx.audit.append([auditEntry({ action, subject, ...states }, context)])
    return ok({ ...presentReceiver(after, days), isKnown })
  })
}

const auditedState = ({ state, pausedAt }: ReceiverRecord) => ({ state, pausedAt: pausedAt?.toISOString() ?? null })

interface Reading {
  tenantId: string
  store: Pick<Transaction, 'receiverActivity'>
  now: Date
}

type Days = (origin: string) => Pick<Receiver, 'lastDay' | 'p95Ms'>

/** The attempts of the last day, by origin. */
async function readDays(rows: ReceiverRecord[], { tenantId, store, now }: Reading): Promise<Days> {
  const origins = rows.map(({ origin }) => origin)
  const first = firstHalfHour(now, HALF_HOURS)
  const halfHours = await store.receiverActivity.since(tenantId, origins, first)
  const times = await store.receiverActivity.answerTimes(tenantId, origins, first)
  return (origin) => {
    const own = halfHours.filter((each) => each.origin === origin)
    const { from, ...counts } = spreadDay(own, { now, count: HALF_HOURS })
    return { lastDay: { from: from.toISOString(), ...counts }, p95Ms: times.get(origin) ?? null }
  }
}

const presentReceiver = (row: ReceiverRecord, days: Days): Receiver => ({
  object: 'receiver',
  origin: row.origin,
  state: row.state,
  failures: row.failures,
  openedAt: row.openedAt?.toISOString() ?? null,
  openUntil: row.openUntil?.toISOString() ?? null,
  pausedAt: row.pausedAt?.toISOString() ?? null,
  lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
  lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null,
  usesV1: row.usesV1,
  ...days(row.origin),
  held: row.held,
  waiting: row.waiting,
  oldestAt: row.oldestAt?.toISOString() ?? null,
})
