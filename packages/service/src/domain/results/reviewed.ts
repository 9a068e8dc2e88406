import type { Order } from '../orders/order.ts'
import { needsReview } from '../orders/service-life.ts'
import { hasResult } from '../orders/statuses.ts'

/** The services that got the result of their medical review: what the laboratory found is settled by it. */
export function newlyReviewed(before: Order, after: Order): string[] {
  const had = new Set(before.services.filter(({ status }) => hasResult(status)).map(({ id }) => id))
  return after.services
    .filter((service) => needsReview(service) && hasResult(service.status) && !had.has(service.id))
    .map(({ id }) => id)
}
