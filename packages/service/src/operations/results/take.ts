import type { ResultMessage } from '@order-testing/contract/operator'
import { orderIdOf } from '../../domain/ids.ts'
import { normaliseCode } from '../../domain/orders/code.ts'
import type { Order } from '../../domain/orders/order.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import { applyReport, checkReport } from '../../domain/results/apply.ts'
import { checkSender, findSpeaker } from '../../domain/results/senders.ts'
import { findTarget, type PanelReading } from '../../domain/results/target.ts'
import { Batches } from '../../store/db/batches.ts'
import type { OrderLookup } from '../../store/orders/orders.ts'
import type { KnownResult, NewResult, ResultRow } from '../../store/results/results.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { Context } from '../operation.ts'
import { changeOrders, type Change } from '../orders/change.ts'
import { hashReport, newRow, reportKeyOf, toResultRow } from './rows.ts'

/** A parsed report, with its text if that was HL7. */
export interface IncomingReport {
  report: ResultMessage
  original?: string | undefined
}

/**
 * Concurrent reports share a transaction, which is most of the cost of one. Two batches at once, filled for 5 ms, take 0.9 times the
 * time of the process of three that are filled for 2 ms (`npm run bench -- results`, builds with one and the other in turn).
 */
const BATCH = { most: 32, atOnce: 2, lingerMs: 5, pick: withoutRepeats }

/** Another process stored the same report at the same time. */
class TakenElsewhere extends Error {}

type BatchedReport = IncomingReport & { context: Context }
type Outcome = ResultRow | Refusal

const batchesByStore = new WeakMap<Store, Batches<BatchedReport, Outcome>>()

/** Applies a report to its order or queues it for an operator, once however often it is sent. */
export async function takeReport(incoming: IncomingReport, context: Context): Promise<ResultRow> {
  const { report } = incoming
  const problems = [...checkSender(report.sender, context.caller), ...checkReport(report, context.now())]
  if (problems.length > 0) throw new Refusal(problems)
  const { store } = context
  const batches = batchesByStore.get(store) ?? new Batches((all: BatchedReport[]) => takeBatch(all, store), BATCH)
  batchesByStore.set(store, batches)
  const outcome = await retryOnce(() => batches.add({ ...incoming, context }))
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

/** The second attempt finds the report that the other process stored. */
async function retryOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TakenElsewhere)) throw error
    return work()
  }
}

function takeBatch(all: BatchedReport[], store: Store): Promise<Outcome[]> {
  return store.transaction(async (tx) => {
    // Pipelined in this order: a repeat that waits for the lock is detected when it is stored.
    const [known, named, readings] = await Promise.all([
      tx.results.known(all.map((each) => reportKeyOf(each))),
      tx.orders.lockNamed(all.map((each) => toLookUp(each))),
      readPanels(all, tx),
    ])
    const changes = new Map<string, Change>()
    const current = (tenantId: string, order: Order) => changes.get(`${tenantId} ${order.id}`)?.after ?? order
    const taken = all.map((incoming, i) => {
      const repeated = known.get(i)
      if (repeated) return isRepeat(incoming, repeated) ? repeated : ID_REUSED
      const { tenantId } = incoming.context.caller
      const orders = named[i]!.map((order) => current(tenantId, order))
      const taking = take(incoming, orders, readings.get(incoming))
      if (taking instanceof Refusal || !taking.after) return taking instanceof Refusal ? taking : taking.row
      const key = `${tenantId} ${taking.after.id}`
      const before = changes.get(key)?.before ?? named[i]!.find(({ id }) => id === taking.after!.id)!
      changes.set(key, { tenantId, before, after: taking.after, trace: incoming.context.trace })
      return taking.row
    })
    const fresh = taken.filter((outcome) => !(outcome instanceof Refusal) && 'content' in outcome) as NewResult[]
    await save(fresh, [...changes.values()], all, tx)
    return taken.map((outcome) => ('content' in outcome ? toResultRow(outcome) : outcome))
  })
}

async function save(fresh: NewResult[], changes: Change[], [first]: BatchedReport[], tx: Transaction): Promise<void> {
  // Sent ahead of the changes but awaited after them, so that no statement outlives the transaction.
  const keeping = Promise.allSettled([fresh.length === 0 || tx.results.keep(fresh)])
  await changeOrders(changes, tx, first!.context.random)
  const [kept] = await keeping
  if (kept.status === 'rejected') throw kept.reason
  if (!kept.value) throw new TakenElsewhere()
  await tx.results.keepDocuments(fresh)
}

/** Panels in HL7 may be a laboratory's own codes; those in JSON name the service. */
async function readPanels(all: BatchedReport[], tx: Transaction): Promise<Map<BatchedReport, PanelReading>> {
  const coded = all.filter(({ report, original }) => original !== undefined && report.match.panel !== undefined)
  const readings = await tx.laboratoryCodes.read(
    coded.map(({ report, context }) => ({ tenantId: context.caller.tenantId, panel: report.match.panel! })),
  )
  return new Map(coded.map((each, i) => [each, readings[i]!]))
}

/** Applies one report to the orders that it refers to. */
function take(
  incoming: BatchedReport,
  orders: Order[],
  reading?: PanelReading,
): { row: NewResult; after?: Order } | Refusal {
  const { report, original, context } = incoming
  const speaker = findSpeaker(report.sender, context.caller.senders)
  const isHl7 = original !== undefined
  const target = findTarget(report, orders, isHl7 ? { speaker, reading } : undefined)
  if (typeof target === 'string') return { row: newRow(incoming, { why: target }) }
  const about = { orderId: target.order.id, serviceId: target.service.id }
  try {
    const after = applyReport(target, report, context.now(), speaker)
    if (typeof after === 'string') return { row: newRow(incoming, { ...about, why: after }) }
    return { row: newRow(incoming, about), after }
  } catch (error) {
    if (error instanceof Refusal) return new ResultRefusal(error.problems, about)
    throw error
  }
}

/** A refused report about this service. */
export class ResultRefusal extends Refusal {
  readonly about: { orderId: string; serviceId: string }

  constructor(problems: Refusal['problems'], about: { orderId: string; serviceId: string }) {
    super(problems)
    this.about = about
  }
}

/** A repeated HL7 message may have a new time of sending, so the HL7 intake compares the text itself. */
const isRepeat = (incoming: BatchedReport, { isOf }: KnownResult) =>
  incoming.original !== undefined || isOf(hashReport(incoming))

const ID_REUSED = refuse('conflict', 'This token has already used the messageId for a different report.', '/messageId')

const toLookUp = ({ report: { match }, context }: BatchedReport): OrderLookup => ({
  tenantId: context.caller.tenantId,
  id: match.serviceId === undefined ? undefined : orderIdOf(match.serviceId),
  code: match.orderCode === undefined ? undefined : (normaliseCode(match.orderCode) ?? undefined),
  specimenId: match.specimenId,
})

/** A concurrent repeat waits for the next batch, where it finds the first one. */
function withoutRepeats(all: BatchedReport[]): BatchedReport[] {
  const seen = new Set<string>()
  return all.filter((each) => {
    const key = JSON.stringify(reportKeyOf(each))
    return !seen.has(key) && seen.add(key)
  })
}
