import type { ClockAdvance } from '@order-testing/contract'
import { changeTime, elapse, restate } from '../orders/life.ts'
import type { Order } from '../orders/order.ts'
import { awaitsCheckIn } from '../orders/statuses.ts'
import { refuse } from '../refusal.ts'

/** A year. */
const LONGEST_MS = 31_536_000_000

/** How far a request moves the clock of an order, in milliseconds. */
export function advanceOf({ advanceSeconds, to }: ClockAdvance, now: Date): number {
  if (advanceSeconds === undefined && to === undefined)
    throw refuse('required', 'Send `advanceSeconds` or `to`.', '/advanceSeconds')
  if (advanceSeconds !== undefined && to !== undefined)
    throw refuse('invalidValue', 'Send either `advanceSeconds` or `to`, not both.', '/to')
  const ms = advanceSeconds === undefined ? new Date(to!).getTime() - now.getTime() : 1000 * advanceSeconds
  if (ms <= 0) throw refuse('tooSmall', 'This time has passed. Clocks only move forward.', '/to')
  if (ms > LONGEST_MS) throw refuse('tooBig', 'This time is more than a year away.', '/to')
  return ms
}

export interface Advanced {
  /** The order with its times moved; notifications about them move too, and no new ones are due. */
  moved: Order
  /** The order after everything that became due. */
  after: Order
}

/**
 * Moves the times of an order closer and applies what is due. Changes are made now: only what they waited for has moved. Undefined
 * if the order waits for nothing.
 */
export function advance(order: Order, ms: number, now: Date): Advanced | undefined {
  const { expiresAt, appointmentAt } = order
  const earlier = (at: Date | null) => at && new Date(at.getTime() - ms)
  const expiry = awaitsCheckIn(order) && expiresAt !== null && expiresAt > now ? earlier(expiresAt) : expiresAt
  if (expiry === expiresAt && appointmentAt === null) return undefined
  const at = changeTime(order, now)
  const moved = restate({ ...order, expiresAt: expiry, appointmentAt: earlier(appointmentAt) }, at)
  const after = elapse(moved, now)
  // An order that has expired shows when: not a time before it was created.
  const isPast = expiry !== expiresAt && expiry !== null && expiry < now
  return { moved, after: isPast ? { ...after, expiresAt: now } : after }
}
