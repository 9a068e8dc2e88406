import type { CreateOrder } from '@order-testing/contract'
import { makeId } from '../../domain/ids.ts'
import { outcomeInName } from '../../domain/sandbox/simulation.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Transaction } from '../../store/store.ts'
import type { Context } from '../operation.ts'

export type RecordPlacement = (order: Order, outcome: 'created' | 'matched', tx: Transaction) => Promise<void>

/** In a sandbox, a last name such as `Sandbox-Positive` asks for a simulation: it is queued for workers with the new order. */
export function recordWithSimulation(
  { participant }: Pick<CreateOrder, 'participant'>,
  record: RecordPlacement | undefined,
  { policy, caller, now, random }: Context,
): RecordPlacement | undefined {
  const outcome = policy.production ? undefined : outcomeInName(participant.lastName)
  if (!outcome) return record
  return async (order, placed, tx) => {
    await record?.(order, placed, tx)
    if (placed === 'matched') return
    const { tenantId, tokenId } = caller
    const id = makeId('sim', now(), random.bytes)
    await tx.simulations.put({ tenantId, tokenId, orderId: order.id, id, simulation: { outcome } }, 0)
  }
}
