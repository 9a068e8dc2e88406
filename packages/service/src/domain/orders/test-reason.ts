import type { Order } from './order.ts'

/** `preEmployment` becomes `Pre-employment`, as forms have it. */
export function describeReason({ testReason, otherTestReason }: Pick<Order, 'testReason' | 'otherTestReason'>): string {
  const reason = inWords(testReason)
  const other = otherTestReason === null ? '' : ` (${inWords(otherTestReason).replaceAll('-', ' ')})`
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${other}`
}

const inWords = (text: string) => text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
