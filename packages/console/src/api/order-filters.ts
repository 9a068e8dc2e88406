import type { OperatorListOrdersQuery } from '@order-testing/client/operator'

/** The filters of the list of orders, as the service takes them. */
export type OrderFilters = Omit<OperatorListOrdersQuery, 'limit' | 'page'>

const CODE = /^[a-z0-9]{4}-?[a-z0-9]{4}$/i

/** The code as it is written, if the text could be one. */
export function codeOf(text: string): string | undefined {
  const bare = text.trim().toUpperCase()
  return CODE.test(bare) ? `${bare.replace('-', '').slice(0, 4)}-${bare.replace('-', '').slice(4)}` : undefined
}
