import type { Reply } from '@order-testing/contract'
import type { OperatorOrder, searchOrders } from '@order-testing/contract/operator'
import { dim, paintState } from './colors.ts'
import { escapeControls, formatCount, table } from './table.ts'

/** The orders that a search found, the closest first. */
export function searchText({ data, isMore }: Reply<typeof searchOrders>): string {
  if (data.length === 0) return 'No order matches.'
  const rows = data.map(({ order, matchedOn }) => {
    const { firstName = '', lastName = '' } = order.participant ?? {}
    return [
      order.code,
      paintState(order.status),
      escapeControls(`${firstName} ${lastName}`.trim()),
      escapeControls([order.company?.name, order.location?.name].filter(Boolean).join(', ')),
      dim(order.createdAt),
      matchedOn.join(', '),
    ]
  })
  const count = formatCount(data.length, 'order')
  const head = ['Order', 'Status', 'Participant', 'Company and location', 'Created', 'Matched on']
  return `${table(rows, { head })}\n\n${isMore ? `The first ${count}. Add words to narrow the search.` : `${count}.`}`
}

/** Where notifications of the order go now. Tokens that may not see the participant learn only that it changed. */
export function contactText({ order, delivery }: OperatorOrder): string {
  const to = delivery['to'] ?? delivery['phone']
  const sent = typeof to === 'string' ? ` Messages go to ${escapeControls(to)}.` : ''
  return `The contact of order ${order.code} is changed.${sent}`
}

export const expiryText = ({ order }: OperatorOrder) => `Order ${order.code} expires ${order.expiresAt}.`
