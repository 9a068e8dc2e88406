import type { Input } from '@order-testing/contract'
import type * as contract from '@order-testing/contract'
import { canReadParticipant } from '../../domain/access/caller.ts'
import { cancel } from '../../domain/orders/life.ts'
import { composeView, renderPage, renderView, withoutParticipant } from '../../domain/orders/view.ts'
import { checkIssued, readCursor, toCursor } from '../../domain/cursors.ts'
import { orNotFound, problemAt, Refusal } from '../../domain/refusal.ts'
import type { Operation } from '../operation.ts'
import { changeOrders } from './change.ts'

export const readOrder: Operation<typeof contract.readOrder> = async ({ params }, context) => {
  const view = orNotFound(await context.store.readOrder(context.caller, params.id))
  return { status: 200, text: renderView(view) }
}

export const listOrders: Operation<typeof contract.listOrders> = async ({ query }, { caller, store }) => {
  const { sort, cursor, page, limit, ...filter } = query
  if (sort === undefined && cursor === undefined) {
    const asked = { limit, page: page ?? 1 }
    return { status: 200, text: renderPage(await store.orderList.page(caller, { ...filter, ...asked }), asked) }
  }
  const from = readCursor('orders', checkSync(query))
  await store.publishChanges(caller)
  checkIssued(from, await store.orderCounts.lastPosition())
  const { position, ...found } = await store.orderList.after(caller, { ...filter, limit }, from)
  const nextCursor = toCursor('orders', position)
  return { status: 200, text: renderPage(found, { limit, page: 1, nextCursor }) }
}

type OrderQuery = Input<typeof contract.listOrders>['query']

/** The cursor of a list that is read on by changes. */
function checkSync({ sort, cursor, page }: Pick<OrderQuery, 'sort' | 'cursor' | 'page'>): string {
  const problems = [
    ...(sort === undefined ? [problemAt('/sort', 'required', 'A cursor requires sort=updatedAt.')] : []),
    ...(cursor === undefined
      ? [problemAt('/cursor', 'required', 'This order is read on with a cursor. Send an empty one to begin.')]
      : []),
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
  if (problems.length > 0) throw new Refusal(problems)
  return cursor!
}

export const cancelOrder: Operation<typeof contract.cancelOrder> = ({ params, body }, context) =>
  context.store.transaction(async (tx) => {
    const { caller, now, random, trace } = context
    const before = orNotFound(await tx.orders.lockVisible(caller, params.id))
    const after = cancel(before, body?.reason ?? null, now())
    if (after !== before) await changeOrders([{ tenantId: caller.tenantId, before, after, trace }], tx, random)
    const view = composeView(after)
    return { status: 200, text: renderView(canReadParticipant(caller) ? view : withoutParticipant(view)) }
  })
