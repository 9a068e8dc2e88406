import type { Order, Participant } from '../../domain/orders/order.ts'
import { presentIdentifiers, type Presented } from '../../store/orders/rows.ts'
import { presentOrder, presentParticipant } from './view.ts'

/** The texts an order is stored with, so that reading it is sending them. */
export function presentedTexts(order: Order): Presented {
  return {
    head: JSON.stringify(presentOrder(order)),
    participant: participantText(order.participant),
  }
}

/** The participant as those see it who may read participants. */
const participantText = (participant: Participant) =>
  JSON.stringify({ ...presentParticipant(participant), identifiers: presentIdentifiers(participant.identifiers) })

/** The participant as those see it who may only create orders: without identifiers. */
export const withoutIdentifiersText = (participant: Participant) => JSON.stringify(presentParticipant(participant))

export interface Shown {
  head: string
  /** Null in reads and lists without `order.participant.read`. */
  participant: string | null
  matched?: { originalSource: string; score: number }
}

/** An order as one caller gets it, put together from ready texts. */
export function orderText({ head, participant, matched }: Shown): string {
  const parts = [head.slice(0, -1)]
  if (matched) parts.push(`"matched":${JSON.stringify(matched)}`)
  if (participant !== null) parts.push(`"participant":${participant}`)
  return `${parts.join(',')}}`
}
