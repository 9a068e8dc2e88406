import { createHash } from 'node:crypto'
import type { QueueReason, ResultMessage } from '@order-testing/contract/operator'
import type { Caller } from '../domain/caller.ts'
import { makeId, orderIdOf } from '../domain/ids.ts'
import { normaliseCode } from '../domain/order-code.ts'
import type { Order } from '../domain/orders.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import { applyMessage, checkMessage, findTarget } from '../domain/results.ts'
import { Batches } from '../store/db/batches.ts'
import type { OrderLookUp } from '../store/orders.ts'
import type { KnownResult, NewResult, ResultRow, SenderKey } from '../store/results.ts'
import type { Store, Transaction } from '../store/store.ts'
import { changeOrders, type Change } from './change-order.ts'
import type { Context } from './operation.ts'

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
  const problems = [...checkSender(incoming.message, context.caller), ...checkMessage(incoming.message, context.now())]
  if (problems.length > 0) throw new Refusal(problems)
  const batches = waiting.get(context.store) ?? new Batches((all: Asked[]) => takeTogether(all, context.store), BATCH)
  waiting.set(context.store, batches)
  const outcome = await patiently(() => batches.add({ ...incoming, context }))
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

/** Who may speak as what is settled by the token, not by the message. */
function checkSender({ sender }: ResultMessage, { scopes }: Caller) {
  if (scopes.has(`intake.${sender.kind}`)) return []
  const detail = `This token may not speak as a ${sender.kind}: it lacks the scope intake.${sender.kind}.`
  return [{ code: 'invalidValue', detail, pointer: '/sender/kind' } as const]
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
    const [known, named] = await Promise.all([
      tx.results.known(all.map((asked) => keyOf(asked))),
      tx.orders.lockNamed(all.map((asked) => lookUpOf(asked))),
    ])
    const changes = new Map<string, Change>()
    const current = (tenantId: string, order: Order) => changes.get(`${tenantId} ${order.id}`)?.after ?? order
    const taken = all.map((asked, i) => {
      const repeated = known.get(i)
      if (repeated) return isRepeat(asked, repeated) ? repeated : ANOTHER
      const { tenantId } = asked.context.caller
      const taking = take(
        asked,
        named[i]!.map((order) => current(tenantId, order)),
      )
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

/** What becomes of one message, given the orders that it names. */
function take(asked: Asked, orders: Order[]): { row: NewResult; after?: Order } | Refusal {
  const target = findTarget(asked.message, orders)
  if (typeof target === 'string') return { row: newRow(asked, { why: target }) }
  const about = { orderId: target.order.id, serviceId: target.service.id }
  try {
    const after = applyMessage(target, asked.message, asked.context.now())
    if (typeof after === 'string') return { row: newRow(asked, { ...about, why: after }) }
    return { row: newRow(asked, about), after }
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function newRow(
  { message, original, context }: Asked,
  {
    why = null,
    orderId = null,
    serviceId = null,
  }: { why?: QueueReason | null; orderId?: string | null; serviceId?: string | null },
): NewResult {
  const { caller, now, random } = context
  const at = now()
  const { documents = [], ...said } = message
  return {
    ...keyOf({ message, context }),
    id: makeId('rsl', at, random.bytes),
    tokenId: caller.tokenId,
    state: why === null ? 'applied' : 'queued',
    why,
    contentHash: hashOf({ message }),
    event: message.event,
    orderId,
    serviceId,
    occurredAt: new Date(message.occurredAt),
    receivedAt: at,
    content: { message: said, original },
    documents: documents.map(({ name, contentType, content }) => ({
      id: makeId('doc', at, random.bytes),
      name,
      contentType,
      bytes: Buffer.from(content, 'base64'),
    })),
  }
}

/** What HL7 says again may bear another time of sending: its door knows better what a repeat is. */
const isRepeat = (asked: Asked, { isOf }: KnownResult) => asked.original !== undefined || isOf(hashOf(asked))

const ANOTHER = refuse('conflict', 'This messageId was used for another message of the same sender.', '/messageId')

/** What a message says, in short; the store keeps it under a key. */
const hashOf = ({ message }: Pick<Asked, 'message'>) => createHash('sha256').update(JSON.stringify(message)).digest()

const rowOf = ({ content: _, documents: __, contentHash: ___, ...row }: NewResult): ResultRow => ({
  ...row,
  settledAt: null,
  settledBy: null,
})

const keyOf = ({ message, context }: Pick<Asked, 'message' | 'context'>): SenderKey => ({
  tenantId: context.caller.tenantId,
  senderKind: message.sender.kind,
  senderId: message.sender.id,
  messageId: message.messageId,
})

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
