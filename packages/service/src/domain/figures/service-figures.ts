import type { Order, OrderService } from '../orders/order.ts'
import { hasResult, type ServiceStatus } from '../orders/statuses.ts'

/** What figures know of a service. It has no personal data. */
export interface ServiceFigures extends StageSeconds {
  /** In its order, from 1. */
  place: number
  status: ServiceStatus
  category: string
  isDot: boolean
  lab: { id: string; name: string } | null
  wasBooked: boolean
}

/** Seconds in each stage; null until it has ended, or if it was skipped. */
export interface StageSeconds {
  /** From the order or its link to a booked clinic. */
  toScheduled: number | null
  /** From the booking to the check-in. */
  toCheckedIn: number | null
  /** From the collection to the laboratory. */
  toLaboratory: number | null
  /** From the laboratory to its report: a result, or the start of the medical review. */
  toReport: number | null
  inReview: number | null
  /** From the order to the first result. */
  toResult: number | null
}

export const STAGES = [
  'toScheduled',
  'toCheckedIn',
  'toLaboratory',
  'toReport',
  'inReview',
  'toResult',
] as const satisfies (keyof StageSeconds)[]

export function figuresOf({ services }: Order): ServiceFigures[] {
  return services.map((service, i) => {
    const { status, category, isDot, lab, history } = service
    const wasBooked = history.some((entry) => entry.status === 'scheduled')
    return { place: i + 1, status, category, isDot, lab, wasBooked, ...stagesOf(service) }
  })
}

/** Whether any figure counts this service. The first one also stands for its order. */
export const isCounted = (figures: ServiceFigures): boolean =>
  figures.place === 1 || figures.wasBooked || STAGES.some((stage) => figures[stage] !== null)

function stagesOf({ history }: OrderService): StageSeconds {
  const first = (...statuses: ServiceStatus[]) => history.find(({ status }) => statuses.includes(status))?.at
  const last = (status: ServiceStatus) => history.findLast((entry) => entry.status === status)?.at
  const placed = history[0]?.at
  const result = history.find(({ status }) => hasResult(status))?.at
  const [scheduled, checkedIn, atLaboratory, review] = [
    last('scheduled'),
    last('checkedIn'),
    last('receivedAtLab'),
    first('mroReview'),
  ]
  return {
    toScheduled: between(first('linkSent') ?? placed, first('scheduled')),
    toCheckedIn: between(scheduled, checkedIn),
    toLaboratory: between(last('collected'), atLaboratory),
    toReport: between(atLaboratory, review ?? result),
    inReview: between(review, result),
    toResult: between(placed, result),
  }
}

/** Times may be reported late and out of order; what would be negative is unknown. */
function between(from: Date | undefined, to: Date | undefined): number | null {
  const ms = from && to ? to.getTime() - from.getTime() : -1
  return ms < 0 ? null : Math.round(ms / 1000)
}
