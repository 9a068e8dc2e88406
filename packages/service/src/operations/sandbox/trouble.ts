import type * as contract from '@order-testing/contract'
import { orNotFound } from '../../domain/refusal.ts'
import type { Operation } from '../operation.ts'

/** Arms trouble for the next event of an order. */
export const troubleWebhook: Operation<typeof contract.troubleWebhook> = ({ params, body }, context) =>
  context.store.transaction(async (tx) => {
    const { caller, now } = context
    // Locked, so that a change under way is not the next event.
    const { id: orderId } = orNotFound(await tx.orders.lockVisible(caller, params.id))
    const armedAt = now()
    await tx.troubles.arm({ tenantId: caller.tenantId, orderId }, body.kind, armedAt)
    return {
      status: 202,
      body: { object: 'webhookTrouble', orderId, kind: body.kind, armedAt: armedAt.toISOString() },
    }
  })
