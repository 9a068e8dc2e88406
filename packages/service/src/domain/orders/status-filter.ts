import { ORDER_STATUSES, type OrderStatus } from '@order-testing/contract'

interface StatusFilter {
  /** Statuses separated by commas. */
  status?: string | undefined
  statusNot?: string | undefined
}

/** The statuses that a filter leaves, or undefined if it leaves all. */
export function statusesOf({ status, statusNot }: StatusFilter): OrderStatus[] | undefined {
  if (status === undefined && statusNot === undefined) return undefined
  const [wanted, unwanted] = [status?.split(','), statusNot?.split(',') ?? []]
  return ORDER_STATUSES.filter((each) => (wanted?.includes(each) ?? true) && !unwanted.includes(each))
}
