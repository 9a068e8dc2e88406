import type { Caller } from '../domain/caller.ts'
import type { Order } from '../domain/orders.ts'
import type { Presented } from '../store/order-rows.ts'
import { presentOrder, presentParticipant } from './order-presenter.ts'

type Identifiers = Order['participant']['identifiers']

/** The texts an order is stored with, so that reading it is sending them. */
export function presentedTexts(order: Order): Presented {
  return {
    head: JSON.stringify(presentOrder(order)),
    participant: JSON.stringify(presentParticipant(order.participant)),
  }
}

export interface Shown {
  /** Absent from reads and lists without `order.participant.read`. */
  participant: boolean
  /** Only ever with that scope, on creation too. */
  identifiers: Identifiers | null
  matched?: { originalSource: string; score: number }
}

/** An order as one caller gets it, put together from ready texts. */
export function orderText(
  { head, participant }: Presented,
  { participant: show, identifiers, matched }: Shown,
): string {
  const parts = [head.slice(0, -1)]
  if (matched) parts.push(`"matched":${JSON.stringify(matched)}`)
  if (show) {
    const listed = identifiers?.map((identifier) => ({ ...identifier, object: 'participantIdentifier' }))
    parts.push(
      `"participant":${listed ? `${participant.slice(0, -1)},"identifiers":${JSON.stringify(listed)}}` : participant}`,
    )
  }
  return `${parts.join(',')}}`
}

export const mayReadParticipant = ({ scopes }: Caller) =>
  scopes.has('order.participant.read') || scopes.has('operator.participants.read')
