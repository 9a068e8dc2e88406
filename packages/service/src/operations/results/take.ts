import type { ResultMessage } from '@order-testing/contract/operator'
import { orderIdOf } from '../../domain/ids.ts'
import { normaliseCode } from '../../domain/orders/code.ts'
import type { Order } from '../../domain/orders/order.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import { findTarget, type PanelReading } from '../../domain/results/target.ts'
import { applyMessage, checkMessage } from '../../domain/results/apply.ts'
import { checkSender, speakerOf } from '../../domain/results/senders.ts'
import { Batches } from '../../store/db/batches.ts'
import type { OrderLookUp } from '../../store/orders/orders.ts'
import type { KnownResult, NewResult, ResultRow } from '../../store/results/results.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { changeOrders, type Change } from '../orders/change.ts'
import type { Context } from '../operation.ts'
import { hashOf, keyOf, newRow, rowOf } from './rows.ts'

/** A message that was read, and the text it came in where that was not JSON. */
export interface Incoming {
  message: ResultMessage
  original?: string | undefined
}

/** Results that come at the same time share a transaction, which is most of what one costs. */
const BATCH = { most: 32, atOnce: 3, lingerMs: 2, pick: withoutRepeats }

/** Another process took the same message at the same moment. */
class TakenElsewhere extends Error {}

type Asked = Incoming & { context: Context }
type Outcome = ResultRow | Refusal

const waiting = new WeakMap<Store, Batches<Asked, Outcome>>()

/** Applies a message to its order, or keeps it for an operator: once, however often it is sent. */
export async function takeResult(incoming: Incoming, context: Context): Promise<ResultRow> {
  const { sender } = incoming.message
  const problems = [...checkSender(sender, context.caller), ...checkMessage(incoming.message, context.now())]
  if (problems.length > 0) throw new Refusal(problems)
  const batches = waiting.get(context.store) ?? new Batches((all: Asked[]) => takeTogether(all, context.store), BATCH)
  waiting.set(context.store, batches)
  const outcome = await patiently(() => batches.add({ ...incoming, context }))
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

/** The second time, what the other process has kept is found. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TakenElsewhere)) throw error
    return work()
  }
}

function takeTogether(all: Asked[], store: Store): Promise<Outcome[]> {
  return store.transaction(async (tx) => {
    // Sent together, one after the other: a repeat that waits at the lock is found out when it is kept.
    const [known, named, readings] = await Promise.all([
      tx.results.known(all.map((asked) => keyOf(asked))),
      tx.orders.lockNamed(all.map((asked) => lookUpOf(asked))),
      readPanels(all, tx),
    ])
    const changes = new Map<string, Change>()
    const current = (tenantId: string, order: Order) => changes.get(`${tenantId} ${order.id}`)?.after ?? order
    const taken = all.map((asked, i) => {
      const repeated = known.get(i)
      if (repeated) return isRepeat(asked, repeated) ? repeated : ANOTHER
      const { tenantId } = asked.context.caller
      const orders = named[i]!.map((order) => current(tenantId, order))
      const taking = take(asked, orders, readings.get(asked))
      if (taking instanceof Refusal || !taking.after) return taking instanceof Refusal ? taking : taking.row
      const key = `${tenantId} ${taking.after.id}`
      const before = changes.get(key)?.before ?? named[i]!.find(({ id }) => id === taking.after!.id)!
      changes.set(key, { tenantId, before, after: taking.after })
      return taking.row
    })
    const fresh = taken.filter((outcome) => !(outcome instanceof Refusal) && 'content' in outcome) as NewResult[]
    await write(fresh, [...changes.values()], all, tx)
    return taken.map((outcome) => ('content' in outcome ? rowOf(outcome) : outcome))
  })
}

async function write(fresh: NewResult[], changes: Change[], [first]: Asked[], tx: Transaction): Promise<void> {
  // One statement, sent ahead of the changes. It is waited for last, so that nothing of them outlives the transaction.
  const keeping = Promise.allSettled([fresh.length === 0 || tx.results.keep(fresh)])
  await changeOrders(changes, tx, first!.context.random)
  const [kept] = await keeping
  if (kept.status === 'rejected') throw kept.reason
  if (!kept.value) throw new TakenElsewhere()
  await tx.results.keepDocuments(fresh)
}

/** Panels in HL7 may be codes of the laboratory's own; those in JSON name the service. */
async function readPanels(all: Asked[], tx: Transaction): Promise<Map<Asked, PanelReading>> {
  const coded = all.filter(({ message, original }) => original !== undefined && message.match.panel !== undefined)
  const readings = await tx.laboratoryCodes.read(
    coded.map(({ message, context }) => ({ tenantId: context.caller.tenantId, panel: message.match.panel! })),
  )
  return new Map(coded.map((asked, i) => [asked, readings[i]!]))
}

/** What becomes of one message, given the orders that it names. */
function take(asked: Asked, orders: Order[], reading?: PanelReading): { row: NewResult; after?: Order } | Refusal {
  const { caller, now } = asked.context
  const speaker = speakerOf(asked.message.sender, caller.senders)
  const isHl7 = asked.original !== undefined
  const target = findTarget(asked.message, orders, isHl7 ? { speaker, reading } : undefined)
  if (typeof target === 'string') return { row: newRow(asked, { why: target }) }
  const about = { orderId: target.order.id, serviceId: target.service.id }
  try {
    const after = applyMessage(target, asked.message, now(), speaker)
    if (typeof after === 'string') return { row: newRow(asked, { ...about, why: after }) }
    return { row: newRow(asked, about), after }
  } catch (error) {
    if (error instanceof Refusal) return new ResultRefusal(error.problems, about)
    throw error
  }
}

/** A message about this service that is refused. */
export class ResultRefusal extends Refusal {
  readonly about: { orderId: string; serviceId: string }

  constructor(problems: Refusal['problems'], about: { orderId: string; serviceId: string }) {
    super(problems)
    this.about = about
  }
}

/** What HL7 says again may bear another time of sending: its door knows better what a repeat is. */
const isRepeat = (asked: Asked, { isOf }: KnownResult) => asked.original !== undefined || isOf(hashOf(asked))

const ANOTHER = refuse(
  'conflict',
  'This token has already used this messageId for a different message. Use a new one.',
  '/messageId',
)

/** What is no code and no id names nothing. */
const lookUpOf = ({ message: { match }, context }: Asked): OrderLookUp => ({
  tenantId: context.caller.tenantId,
  id: match.serviceId === undefined ? undefined : orderIdOf(match.serviceId),
  code: match.orderCode === undefined ? undefined : (normaliseCode(match.orderCode) ?? undefined),
  specimenId: match.specimenId,
})

/** A message that is sent twice at once goes twice: the second then finds the first. */
function withoutRepeats(all: Asked[]): Asked[] {
  const seen = new Set<string>()
  return all.filter((asked) => {
    const key = JSON.stringify(keyOf(asked))
    return !seen.has(key) && seen.add(key)
  })
}
