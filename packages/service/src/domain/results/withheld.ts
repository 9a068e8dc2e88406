import type { Order } from '../orders/order.ts'
import { needsReview } from '../orders/service-life.ts'
import { hasResult } from '../orders/statuses.ts'
import { refuse } from '../refusal.ts'

interface Report {
  senderKind: string
  serviceId: string | null
}

interface StoredReport extends Report {
  state: string
}

/**
 * Why what a laboratory found is hidden: its test awaits the medical reviewer, or the report is not applied to a test yet, so
 * nobody knows whether it has to. Null if it may be shown. `order` is that of the report, if it has one.
 */
export function hidingOf(
  report: StoredReport,
  order: Pick<Order, 'services'> | undefined,
): 'review' | 'assignment' | null {
  if (report.senderKind !== 'lab') return null
  if (order && isWithheld(report, order)) return 'review'
  return order === undefined || report.state === 'queued' ? 'assignment' : null
}

/** What the laboratory found stays hidden until the reviewer has decided, whatever its document is called. */
export function isWithheld({ senderKind, serviceId }: Report, { services }: Pick<Order, 'services'>): boolean {
  const service = services.find(({ id }) => id === serviceId)
  return senderKind === 'lab' && service !== undefined && needsReview(service) && !hasResult(service.status)
}

export const refuseWithheld = () =>
  refuse('invalidState', 'This document cannot be read until the medical reviewer has decided (49 CFR 40.97).')

/** The members of a message that tell what was found. */
const FINDINGS: ReadonlySet<string> = new Set(['result', 'analytes', 'screen', 'dilute', 'reason'])

export const withoutFindings = (message: object): object =>
  Object.fromEntries(Object.entries(message).filter(([member]) => !FINDINGS.has(member)))
