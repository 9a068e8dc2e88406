import type * as contract from '@order-testing/contract'
import { canReadParticipant } from '../../domain/access/caller.ts'
import { cancel } from '../../domain/orders/life.ts'
import { composeView, renderPage, renderView, withoutParticipant } from '../../domain/orders/view.ts'
import { orNotFound } from '../../domain/refusal.ts'
import type { Operation } from '../operation.ts'
import { changeOrders } from './change.ts'

export const readOrder: Operation<typeof contract.readOrder> = async ({ params }, context) => {
  const view = orNotFound(await context.store.readOrder(context.caller, params.id))
  return { status: 200, text: renderView(view) }
}

export const listOrders: Operation<typeof contract.listOrders> = async ({ query }, { caller, store }) => {
  const found = await store.orderList.page(caller, query)
  return { status: 200, text: renderPage(found, query) }
}

export const cancelOrder: Operation<typeof contract.cancelOrder> = ({ params, body }, context) =>
  context.store.transaction(async (tx) => {
    const { caller, now, random } = context
    const before = orNotFound(await tx.orders.lockVisible(caller, params.id))
    const after = cancel(before, body?.reason ?? null, now())
    if (after !== before) await changeOrders([{ tenantId: caller.tenantId, before, after }], tx, random)
    const view = composeView(after)
    return { status: 200, text: renderView(canReadParticipant(caller) ? view : withoutParticipant(view)) }
  })
