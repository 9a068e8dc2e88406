import type { Order, OrderService } from './order.ts'
import { changeService } from './life.ts'
import { correctService, moveService, nextStatuses, resultsOf } from './service-life.ts'
import { hasResult, type ServiceStatus } from './statuses.ts'

/** The status that the order gets by each move or correction of a service, so that operators see it before they decide. */
export function orderStatusesAfter(
  order: Order,
  service: OrderService,
): Partial<Record<ServiceStatus, Order['status']>> {
  const change = hasResult(service.status) ? correctService : moveService
  const possible = hasResult(service.status)
    ? resultsOf(service).filter((status) => hasResult(status) && status !== service.status)
    : nextStatuses(service)
  const now = order.updatedAt
  return Object.fromEntries(
    possible.map((status) => [
      status,
      changeService(order, service.id, (each) => change(each, status, now), now).status,
    ]),
  )
}
