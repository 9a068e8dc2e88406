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
import { ReportTaken, type KnownResult, type NewResult, type ResultRow } from '../../store/results/results.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { Context } from '../operation.ts'
import { composeChanges, sendChanges, type Change } from '../orders/change.ts'
import { hashReport, newResult, reportKeyOf } from './rows.ts'

/** A parsed report, with its text if that was HL7. */
export interface IncomingReport {
  report: ResultMessage
  original?: string | undefined
}

/**
 * Concurrent reports share a transaction, which is most of the cost of one. These values need the least CPU time: three batches at once
 * need 1.19 times as much, waiting for 2 ms 1.14 times and for 9 ms 1.09 times (`npm run bench -- results`, builds in turn).
 */
const BATCH = { most: 32, atOnce: 2, lingerMs: 5, pick: withoutRepeats }

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
  const outcome = await retryTaken(() => batches.add({ report, original: incoming.original, context }))
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

/** The second attempt finds the report that another process stored at the same time. */
export async function retryTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ReportTaken)) throw error
    return work()
  }
}

function takeBatch(all: BatchedReport[], store: Store): Promise<Outcome[]> {
  return store.transaction(async (tx, commitWith) => {
    const lookups = all.map((each) => toLookUp(each))
    const named = lookups.flatMap(({ tenantId, id }) => (id === undefined ? [] : { tenantId, orderId: id }))
    const namedById = new Map(named.map((order) => [keyOf(order), order]))
    // Pipelined in this order. A repeat that waits for the lock is detected when it is stored. Callbacks are read once the orders are
    // locked, and registered under the same lock.
    const [known, orders, callbacks, readings] = await Promise.all([
      tx.results.known(all.map((each) => reportKeyOf(each))),
      tx.orders.lockNamed(lookups),
      tx.outbox.registered([...namedById.values()]),
      readPanels(all, tx),
    ])
    const { taken, changes } = takeAll(all, { known, orders, readings })
    const fresh = taken.filter((outcome): outcome is NewResult => 'row' in outcome)
    const { random } = all[0]!.context
    const composed = await composeChanges([...changes.values()], tx, random)
    const others = [...changes.values()].map((each) => orderOf(each)).filter((order) => !namedById.has(keyOf(order)))
    const callbacksOfOthers = await tx.outbox.registered(others)
    await tx.results.keepDocuments(fresh)
    // Reports are stored first: a change that settles an earlier report may find it among them.
    const keeping = tx.results.keep(fresh)
    await commitWith([keeping, ...sendChanges(composed, [...callbacks, ...callbacksOfOthers], tx, random)])
    return taken.map((outcome) => ('row' in outcome ? outcome.row : outcome))
  })
}

interface Found {
  known: Map<number, KnownResult>
  /** Those that each report names. */
  orders: Order[][]
  readings: Map<BatchedReport, PanelReading>
}

/** Applies each report to its order as the reports before it left it. */
function takeAll(all: BatchedReport[], { known, orders, readings }: Found) {
  const changes = new Map<string, Change>()
  const taken = all.map((incoming, i) => {
    const repeated = known.get(i)
    if (repeated) return isRepeat(incoming, repeated) ? repeated : ID_REUSED
    const { tenantId } = incoming.context.caller
    const current = orders[i]!.map((order) => changes.get(keyOf({ tenantId, orderId: order.id }))?.after ?? order)
    const taking = take(incoming, current, readings.get(incoming))
    if (taking instanceof Refusal) return taking
    const { added, after } = taking
    if (!after) return added
    const key = keyOf({ tenantId, orderId: after.id })
    const before = changes.get(key)?.before ?? orders[i]!.find(({ id }) => id === after.id)!
    changes.set(key, { tenantId, before, after, trace: incoming.context.trace })
    return added
  })
  return { taken, changes }
}

const orderOf = ({ tenantId, after }: Change) => ({ tenantId, orderId: after.id })
const keyOf = ({ tenantId, orderId }: { tenantId: string; orderId: string }) => `${tenantId} ${orderId}`

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
): { added: NewResult; after?: Order } | Refusal {
  const { report, original, context } = incoming
  const speaker = findSpeaker(report.sender, context.caller.senders)
  const isHl7 = original !== undefined
  const target = findTarget(report, orders, isHl7 ? { speaker, reading } : undefined)
  if (typeof target === 'string') return { added: newResult(incoming, { why: target }) }
  const about = { orderId: target.order.id, serviceId: target.service.id }
  try {
    const after = applyReport(target, report, context.now(), speaker)
    if (typeof after === 'string') return { added: newResult(incoming, { ...about, why: after }) }
    return { added: newResult(incoming, about), after }
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

/** A repeat waits until the first one is stored, and then finds it. */
function withoutRepeats(waiting: BatchedReport[], underWay: BatchedReport[]): BatchedReport[] {
  const keyOfReport = (each: BatchedReport) => JSON.stringify(reportKeyOf(each))
  const seen = new Set(underWay.map((each) => keyOfReport(each)))
  return waiting.filter((each) => {
    const key = keyOfReport(each)
    return !seen.has(key) && seen.add(key)
  })
}
