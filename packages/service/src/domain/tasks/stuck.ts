import type { Order } from '../orders/order.ts'
import type { ServiceStatus } from '../orders/statuses.ts'
import { HOUR_MS, type FoundTask, type TaskActor } from './reasons.ts'

/** Who must act on a service, and how long it usually stays there. */
export interface Stage {
  actor: TaskActor
  usualMs: number
}

const DAY_MS = 24 * HOUR_MS

/** Statuses before check-in have reasons of their own: an unopened link, an expiry. */
export const STAGES: Partial<Record<ServiceStatus, Stage>> = {
  checkedIn: { actor: 'collector', usualMs: 4 * HOUR_MS },
  collected: { actor: 'courier', usualMs: DAY_MS },
  inTransit: { actor: 'courier', usualMs: 2 * DAY_MS },
  lostInTransit: { actor: 'operator', usualMs: 4 * HOUR_MS },
  receivedAtLab: { actor: 'laboratory', usualMs: DAY_MS },
  testing: { actor: 'laboratory', usualMs: 2 * DAY_MS },
  nonNegative: { actor: 'laboratory', usualMs: 2 * DAY_MS },
  mroReview: { actor: 'reviewer', usualMs: 2 * DAY_MS },
  inProgress: { actor: 'clinic', usualMs: 3 * DAY_MS },
  integrationError: { actor: 'operator', usualMs: HOUR_MS },
}

/** No order is stuck that has changed since. */
export const SOONEST_STUCK_MS = Math.min(...Object.values(STAGES).map(({ usualMs }) => usualMs))

/** The service that is longest over its usual time, as a task; undefined if there is none. Half as long again, it is overdue. */
export function findStuck(order: Order, now: Date): FoundTask | undefined {
  const late = order.services.flatMap((service) => {
    const stage = STAGES[service.status]
    const overMs = stage ? now.getTime() - service.statusUpdatedAt.getTime() - stage.usualMs : 0
    return stage && overMs > 0 ? [{ service, stage, overMs }] : []
  })
  const worst = late.toSorted((a, b) => b.overMs - a.overMs)[0]
  if (!worst) return undefined
  const { service, stage } = worst
  const { actor, usualMs } = stage
  const since = service.statusUpdatedAt
  return {
    subjectId: order.id,
    orderId: order.id,
    actor,
    dueAt: new Date(since.getTime() + 1.5 * usualMs),
    details: {
      serviceId: service.id,
      status: service.status,
      since: since.toISOString(),
      usualSeconds: usualMs / 1000,
    },
  }
}
