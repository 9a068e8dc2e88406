import type { Order } from '../orders/order.ts'
import { needsReview } from '../orders/service-life.ts'
import { hasResult } from '../orders/statuses.ts'
import { refuse } from '../refusal.ts'

interface Report {
  senderKind: string
  serviceId: string | null
}

/** What the laboratory found stays hidden until the reviewer has decided, whatever its document is called. */
export function isWithheld({ senderKind, serviceId }: Report, { services }: Pick<Order, 'services'>): boolean {
  const service = services.find(({ id }) => id === serviceId)
  return senderKind === 'lab' && service !== undefined && needsReview(service) && !hasResult(service.status)
}

export const refuseWithheld = () =>
  refuse('invalidState', 'This document cannot be read until the medical reviewer has decided (49 CFR 40.97).')
