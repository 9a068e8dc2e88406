import { makeId } from '../../domain/ids.ts'
import {
  dueAfter,
  EXPIRING_WITHIN_MS,
  FAILING_AFTER,
  HOUR_MS,
  UNOPENED_AFTER_MS,
  type FoundTask,
  type TaskReason,
} from '../../domain/tasks/reasons.ts'
import { findStuck, SOONEST_STUCK_MS } from '../../domain/tasks/stuck.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { Random } from '../operation.ts'

interface Round {
  tx: Pick<Transaction, 'taskReasons'>
  tenantId: string
  now: Date
}

/** How each reason is found. A reason that is no longer found ends its task. */
const FINDERS: Record<TaskReason, (round: Round) => Promise<FoundTask[]>> = {
  helpAsked: (round) => findHelp(round, 'helpAsked'),
  declined: (round) => findHelp(round, 'declined'),
  linkNotOpened: findUnopened,
  expiring: findExpiring,
  notificationFailed: findFailed,
  resultUnmatched: findResults,
  clinicOff: findSwitchedOff,
  receiverFailing: findReceivers,
  stuck: findAllStuck,
}

/** Reads more than the others, and what it finds is hours old: every fifth minute is soon enough. */
const SLOW: ReadonlySet<TaskReason> = new Set(['stuck', 'linkNotOpened'])
const SLOW_EVERY_MS = 300_000

/** Finds what needs an operator. Workers take turns; one that has no turn does nothing. */
export class TaskFinder {
  readonly #store: Store
  readonly #random: Random
  #slowAt = 0

  constructor(store: Store, random: Random) {
    this.#store = store
    this.#random = random
  }

  async round(now: Date, { isComplete = false }: { isComplete?: boolean } = {}): Promise<void> {
    const isSlowDue = isComplete || now.getTime() - this.#slowAt >= SLOW_EVERY_MS
    const reasons = (Object.keys(FINDERS) as TaskReason[]).filter((reason) => isSlowDue || !SLOW.has(reason))
    const isDone = await this.#store.transaction(async (tx) => {
      if (!(await tx.tasks.isTurn())) return false
      for (const tenantId of await tx.taskReasons.tenants())
        for (const reason of reasons) {
          const found = await FINDERS[reason]({ tx, tenantId, now })
          const ids = found.map(() => makeId('tsk', now, this.#random.bytes))
          await tx.tasks.reconcile(tenantId, reason, { found, ids, now })
        }
      return true
    })
    if (isDone && isSlowDue) this.#slowAt = now.getTime()
  }
}

async function findHelp({ tx, tenantId }: Round, reason: 'helpAsked' | 'declined'): Promise<FoundTask[]> {
  const requests = await tx.taskReasons.helpRequests(tenantId)
  return requests
    .filter((request) => (request.reason === 'declined') === (reason === 'declined'))
    .map(({ id, orderId, reason: why, recipient, since }) => ({
      subjectId: orderId,
      orderId,
      actor: 'operator',
      dueAt: dueAfter(since, reason),
      details: { helpRequestId: id, why, recipient, since: since.toISOString() },
    }))
}

async function findUnopened({ tx, tenantId, now }: Round): Promise<FoundTask[]> {
  const before = new Date(now.getTime() - UNOPENED_AFTER_MS)
  const links = await tx.taskReasons.unopenedLinks(tenantId, before)
  return links.map(({ orderId, since, expiresAt }) => {
    const found = new Date(since.getTime() + UNOPENED_AFTER_MS)
    const due = dueAfter(found, 'linkNotOpened')
    const dueAt = expiresAt && expiresAt < due ? expiresAt : due
    return { subjectId: orderId, orderId, actor: 'participant', dueAt, details: { since: since.toISOString() } }
  })
}

async function findExpiring({ tx, tenantId, now }: Round): Promise<FoundTask[]> {
  const before = new Date(now.getTime() + EXPIRING_WITHIN_MS)
  const orders = await tx.taskReasons.expiring(tenantId, { now, before })
  return orders.map(({ orderId, expiresAt }) => ({
    subjectId: orderId,
    orderId,
    actor: 'participant',
    dueAt: expiresAt,
    details: { expiresAt: expiresAt.toISOString() },
  }))
}

/** Of older ones nobody learns anything new. */
const FAILED_WITHIN_MS = 14 * 24 * HOUR_MS

async function findFailed({ tx, tenantId, now }: Round): Promise<FoundTask[]> {
  const failed = await tx.taskReasons.failedNotifications(tenantId, new Date(now.getTime() - FAILED_WITHIN_MS))
  return failed.map(({ orderId, id, kind, state, channel, since }) => ({
    subjectId: orderId,
    orderId,
    actor: 'operator',
    dueAt: dueAfter(since, 'notificationFailed'),
    details: { messageId: id, kind, state, channel, since: since.toISOString() },
  }))
}

async function findResults({ tx, tenantId }: Round): Promise<FoundTask[]> {
  const reports = await tx.taskReasons.queuedResults(tenantId)
  return reports.map(({ id, senderId, why, event, since }) => ({
    subjectId: id,
    orderId: null,
    actor: 'operator',
    dueAt: dueAfter(since, 'resultUnmatched'),
    details: { resultId: id, senderId, why, event, since: since.toISOString() },
  }))
}

async function findSwitchedOff({ tx, tenantId }: Round): Promise<FoundTask[]> {
  const booked = await tx.taskReasons.switchedOffClinics(tenantId)
  return booked.map(({ orderId, clinicId, appointmentAt, since }) => ({
    subjectId: orderId,
    orderId,
    actor: 'operator',
    dueAt: appointmentAt ?? new Date(since.getTime() + EXPIRING_WITHIN_MS),
    details: { clinicId, appointmentAt: appointmentAt?.toISOString() ?? null },
  }))
}

async function findReceivers({ tx, tenantId, now }: Round): Promise<FoundTask[]> {
  const receivers = await tx.taskReasons.failingReceivers(tenantId, FAILING_AFTER)
  return receivers.map(({ origin }) => ({
    subjectId: origin,
    orderId: null,
    actor: 'receiver',
    dueAt: dueAfter(now, 'receiverFailing'),
    details: { origin },
  }))
}

const BATCH = 500
/** A queue of more than this is not worked through by hand. */
const MOST_STUCK = 1_000

async function findAllStuck({ tx, tenantId, now }: Round): Promise<FoundTask[]> {
  const before = new Date(now.getTime() - SOONEST_STUCK_MS)
  const found: FoundTask[] = []
  let after = { updatedAt: new Date(0), id: '' }
  while (found.length < MOST_STUCK) {
    const batch = await tx.taskReasons.underWay(tenantId, { before, after, most: BATCH })
    found.push(...batch.flatMap(({ order }) => findStuck(order, now) ?? []))
    const last = batch.at(-1)
    if (!last || batch.length < BATCH) break
    after = { updatedAt: last.updatedAt, id: last.order.id }
  }
  return found
}
