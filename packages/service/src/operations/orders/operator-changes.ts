import type { Input } from '@order-testing/contract'
import type * as contract from '@order-testing/contract/operator'
import { refuseChangedSince } from '../../domain/orders/concurrent-change.ts'
import { changeContact as withContact, contactOf, hasNewAddress } from '../../domain/orders/contact.ts'
import { extend } from '../../domain/orders/life.ts'
import type { Order } from '../../domain/orders/order.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Operation } from '../operation.ts'
import { changeAsOperator } from './operator-orders.ts'

/** Links that were sent to the old address stop working: somebody else may read it. */
export const changeContact: Operation<typeof contract.changeContact> = ({ params, body }, context) => {
  const { reason, basedOn, ...contact } = body
  let revoked = 0
  const record = (before: Order, after: Order) => ({
    action: 'order.contact',
    reason,
    previous: contactOf(before),
    details: { ...contactOf(after), revokedLinks: revoked },
  })
  return changeAsOperator(params.id, context, record, async (before, now, tx) => {
    refuseChangedSince(before, basedOn)
    const after = withContact(before, contact, now)
    if (hasNewAddress(before, after))
      revoked = await tx.links.revoke(context.caller.tenantId, before.id, { recipient: 'participant', at: now })
    return after
  })
}

export const extendOrder: Operation<typeof contract.extendOrder> = ({ params, body }, context) => {
  const record = (before: Order, after: Order) => ({
    action: 'order.extend',
    reason: body.reason,
    previous: expiryOf(before),
    details: expiryOf(after),
  })
  return changeAsOperator(params.id, context, record, (before, now) => {
    refuseChangedSince(before, body.basedOn)
    return extend(before, readExpiry(body, now), now)
  })
}

const DAY_MS = 86_400_000

function readExpiry({ expiresAt, days }: Input<typeof contract.extendOrder>['body'], now: Date): Date {
  if (expiresAt !== undefined && days !== undefined)
    throw refuse('invalidValue', 'Send either `expiresAt` or `days`.', '/days')
  if (expiresAt !== undefined) return new Date(expiresAt)
  if (days !== undefined) return new Date(now.getTime() + days * DAY_MS)
  throw refuse('required', 'Send `expiresAt` or `days`.', '/expiresAt')
}

const expiryOf = ({ expiresAt }: Order) => ({ expiresAt: expiresAt?.toISOString() ?? null })
