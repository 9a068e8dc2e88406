import { useQuery } from '@tanstack/react-query'
import type { FullResult } from '@order-testing/client/operator'
import { orderQuery } from '../../api/orders.ts'
import { isWithheld } from '../order/rules.ts'

/** The members of a report that tell what was found. */
export const FINDINGS: ReadonlySet<string> = new Set(['result', 'analytes', 'screen', 'dilute', 'reason'])

/**
 * Whether the findings of a report stay hidden: those of a laboratory until the report is applied, and while the test awaits
 * the medical reviewer. Until that is known they are hidden, too.
 */
export function useAreFindingsHidden({ sender, state, orderId, serviceId }: FullResult): boolean {
  const isApplied = sender.kind === 'lab' && state === 'applied' && orderId !== null
  const read = useQuery({ ...orderQuery(orderId ?? ''), enabled: isApplied }).data
  if (sender.kind !== 'lab') return false
  const shown = read?.order.services.find(({ id }) => id === serviceId)
  const operator = read?.services.find(({ id }) => id === serviceId)
  return !isApplied || !shown || !operator || isWithheld({ shown, operator })
}
