import type { DeepPartial, Input, Problem } from '@order-testing/contract'
import type * as contract from '@order-testing/contract'
import { canReadParticipant, partyOf } from '../../domain/access/caller.ts'
import { cancel } from '../../domain/orders/life.ts'
import { composeView, renderPage, renderView, withoutParticipant, type OrderView } from '../../domain/orders/view.ts'
import { checkCursor, checkIssued, readCursor, toCursor } from '../../domain/cursors.ts'
import { orNotFound, problemAt, Refusal } from '../../domain/refusal.ts'
import type { OrderPage } from '../../store/orders/shared-pages.ts'
import type { Operation } from '../operation.ts'
import { changeOrders } from './change.ts'

export const readOrder: Operation<typeof contract.readOrder> = async ({ params }, context) => {
  const view = orNotFound(await context.store.readOrder(context.caller, params.id))
  return { status: 200, bytes: bytesOfView(view), isKept: true }
}

/** Renders an answer once, for as long as what it is made of is in memory. */
function remembering<T extends object, Rest extends unknown[]>(render: (given: T, ...rest: Rest) => string) {
  const rendered = new WeakMap<T, Buffer>()
  return (given: T, ...rest: Rest): Buffer => {
    const known = rendered.get(given)
    if (known) return known
    const bytes = ownBuffer(render(given, ...rest))
    rendered.set(given, bytes)
    return bytes
  }
}

/** A buffer of its own: a part of Node's shared ones would keep the whole in memory. */
function ownBuffer(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

const bytesOfView = remembering((view: OrderView) => renderView(view))

/** Those who share a page have asked for the same. */
const bytesOfPage = remembering((page: OrderPage, asked: { limit: number; page: number }) => renderPage(page, asked))

export const listOrders: Operation<typeof contract.listOrders> = async ({ query }, { caller, store }) => {
  const { sort, cursor, page, limit, ...filter } = query
  if (sort === undefined && cursor === undefined) {
    const asked = { limit, page: page ?? 1 }
    const found = await store.listOrders(caller, { ...filter, ...asked })
    return { status: 200, bytes: bytesOfPage(found, asked), isKept: true }
  }
  const problems = checkSync(query)
  if (problems.length > 0) throw new Refusal(problems)
  const from = readCursor('orders', cursor!)
  const { position, ...found } = await store.listTurns.run(partyOf(caller), async () => {
    const published = await store.published(caller)
    checkIssued(from, await store.orderCounts.lastPosition())
    return published.orderList.after(caller, { ...filter, limit }, from)
  })
  const nextCursor = toCursor('orders', position)
  return { status: 200, text: renderPage(found, { limit, page: 1, nextCursor }) }
}

type OrderQuery = Input<typeof contract.listOrders>['query']

/** Checks what reading on by changes requires, if that is asked for. */
export function checkSync({
  sort,
  cursor,
  page,
}: DeepPartial<Pick<OrderQuery, 'sort' | 'cursor' | 'page'>>): Problem[] {
  if (sort === undefined && cursor === undefined) return []
  return [
    ...(sort === undefined ? [problemAt('/sort', 'required', 'A cursor requires sort=updatedAt.')] : []),
    ...(cursor === undefined
      ? [problemAt('/cursor', 'required', 'This order is read on with a cursor. Send an empty one to begin.')]
      : checkCursor('orders', cursor)),
    ...(page === undefined
      ? []
      : [
          problemAt(
            '/page',
            'unrecognizedKeys',
            'There are no pages beside a cursor. Send the nextCursor of the last answer.',
          ),
        ]),
  ]
}

export const cancelOrder: Operation<typeof contract.cancelOrder> = ({ params, body }, context) =>
  context.store.transaction(async (tx, commitWith) => {
    const { caller, now, random, trace } = context
    const before = orNotFound(await tx.orders.lockVisible(caller, params.id))
    const after = cancel(before, body?.reason ?? null, now())
    const view = composeView(after)
    const text = renderView(canReadParticipant(caller) ? view : withoutParticipant(view))
    const change = { tenantId: caller.tenantId, before, after, trace }
    if (after !== before) await changeOrders([change], tx, random, { commitWith })
    return { status: 200, text }
  })
