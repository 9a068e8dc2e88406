import type { OrderStatus, Problem, RetentionPolicy } from '@order-testing/contract'
import type { Order, OrderService } from '../orders/order.ts'

/** What came of an order, as periods are set. An order that is still open has no class. */
export type OutcomeClass = 'negative' | 'positive' | 'refusal' | 'cancelled'

const CLASSES: Partial<Record<OrderStatus, OutcomeClass>> = {
  negative: 'negative',
  pass: 'negative',
  fitForDuty: 'negative',
  complete: 'negative',
  released: 'negative',
  positive: 'positive',
  fail: 'positive',
  notFitForDuty: 'positive',
  adulterated: 'refusal',
  substituted: 'refusal',
  testNotPerformed: 'refusal',
  unobtainable: 'refusal',
  cancelled: 'cancelled',
  testCancelled: 'cancelled',
  expired: 'cancelled',
  noShow: 'cancelled',
}

/** The statuses that an order may have when it is deleted. */
export const REMOVABLE_STATUSES = Object.keys(CLASSES) as OrderStatus[]

export const classOf = ({ status }: Pick<Order, 'status'>): OutcomeClass | undefined => CLASSES[status]

/** For how long the law has a record kept at least, and where it says so. */
export interface LegalMinimum {
  years: 1 | 5
  section: string
}

const ONE_YEAR: LegalMinimum = { years: 1, section: '49 CFR 40.333(a)(4)' }
const FIVE_YEARS = (paragraph: string): LegalMinimum => ({ years: 5, section: `49 CFR 40.333(a)(1)(${paragraph})` })

/** What the law asks at least for regulated orders of a class. Single orders may have to be kept longer. */
const MINIMUMS: Record<OutcomeClass, LegalMinimum> = {
  negative: ONE_YEAR,
  cancelled: ONE_YEAR,
  positive: FIVE_YEARS('ii'),
  refusal: FIVE_YEARS('iii'),
}

export const isRegulated = ({ services }: Pick<Order, 'services'>) => services.some(({ isDot }) => isDot)

/** What the law asks for an order; null where no service of it is regulated. */
export function legalMinimumOf(order: Pick<Order, 'services' | 'status' | 'testReason'>): LegalMinimum | null {
  const regulated = order.services.filter(({ isDot }) => isDot)
  if (regulated.length === 0) return null
  if (order.testReason === 'followUp') return FIVE_YEARS('v')
  // Not to appear is a refusal (40.191(a)(1)), except for a pre-employment test; whether it was one is the employer's to say.
  const isMissed = [order, ...regulated].some(({ status }) => status === 'noShow')
  if (isMissed && order.testReason !== 'preEmployment') return FIVE_YEARS('iii')
  const minimums = regulated.map((service) => minimumOf(service))
  return minimums.find(({ years }) => years === 5) ?? ONE_YEAR
}

function minimumOf({ status, category }: OrderService): LegalMinimum {
  const outcome = CLASSES[status === 'negativeDilute' ? 'negative' : (status as OrderStatus)]
  // A concentration of 0.02 or more is kept for five years. Orders do not hold it, and up to 0.039 it may be reported as negative.
  if ((outcome === 'positive' || outcome === 'negative') && category === 'alcohol') return FIVE_YEARS('i')
  return outcome === undefined ? ONE_YEAR : MINIMUMS[outcome]
}

/** A period in calendar terms: months and years have different lengths. */
export interface Period {
  months: number
  days: number
}

export function parsePeriod(text: string): Period {
  const [count, unit = ''] = text.split(' ')
  if (unit.startsWith('day')) return { months: 0, days: Number(count) }
  return { months: Number(count) * (unit.startsWith('year') ? 12 : 1), days: 0 }
}

/** When a period that began at a time is over. */
export function endOf(from: Date, { months, days }: Period): Date {
  const end = new Date(from)
  end.setUTCMonth(end.getUTCMonth() + months, end.getUTCDate() + days)
  return end
}

/** The latest time at which a period may have begun to be over now. */
export function beginOf(now: Date, { months, days }: Period): Date {
  const begin = new Date(now)
  const day = begin.getUTCDate()
  begin.setUTCDate(1)
  begin.setUTCMonth(begin.getUTCMonth() - months)
  // The 31st of a shorter month is its last day.
  const last = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 0)).getUTCDate()
  begin.setUTCDate(Math.min(day, last) - days)
  return begin
}

/** Whether a period is never shorter than so many years, leap years included. */
const covers = ({ months, days }: Period, years: number) => months >= years * 12 || days >= years * 366

const NAMES: Record<OutcomeClass, string> = {
  negative: 'negative results',
  cancelled: 'cancelled tests',
  positive: 'positive results',
  refusal: 'refusals',
}

/** What is wrong with a policy beyond its form. */
export function checkPolicy({ keep }: RetentionPolicy): Problem[] {
  return Object.entries(keep.regulatedOrders ?? {}).flatMap(([outcome, period]): Problem[] => {
    const { years, section } = MINIMUMS[outcome as OutcomeClass]
    if (period === undefined || covers(parsePeriod(period), years)) return []
    const least = years === 1 ? 'one year' : 'five years'
    const detail = `Records of ${NAMES[outcome as OutcomeClass]} of regulated tests must be kept for at least ${least} (${section}).`
    return [{ code: 'tooSmall', detail, pointer: `/keep/regulatedOrders/${outcome}`, meta: { regulation: section } }]
  })
}

/** What becomes of a record: it stays, or its time is over and it may go, or must stay all the same. */
export type Verdict = 'kept' | 'due' | 'held' | 'required'

/** Whether the time of an order is over. */
export function judgeOrder(order: Order, { keep }: RetentionPolicy, isHeld: boolean, now: Date): Verdict {
  const outcome = classOf(order)
  const period = outcome && (isRegulated(order) ? keep.regulatedOrders : keep.orders)?.[outcome]
  if (period === undefined || endOf(periodStartOf(order), parsePeriod(period)) > now) return 'kept'
  return judgeRemoval(order, isHeld, now)
}

/** Whether a closed order may be removed, whatever the periods. */
export function judgeRemoval(order: Order, isHeld: boolean, now: Date): Exclude<Verdict, 'kept'> {
  if (isHeld) return 'held'
  const until = requiredUntil(order)
  return until !== null && until > now ? 'required' : 'due'
}

/** Until when the law has the record of a closed order kept; null where it does not. */
export function requiredUntil(order: Order): Date | null {
  const minimum = legalMinimumOf(order)
  return minimum && endOf(periodStartOf(order), { months: minimum.years * 12, days: 0 })
}

/** When the periods of a closed order begin: a corrected result of a regulated service starts them anew. */
function periodStartOf({ statusUpdatedAt, services }: Order): Date {
  const regulated = services.filter(({ isDot }) => isDot)
  return new Date(Math.max(...[statusUpdatedAt, ...regulated.map((each) => each.statusUpdatedAt)].map(Number)))
}

/** The first moment of the month that follows the last one whose audit entries may be pruned. */
export function pruneBefore(now: Date, period: Period): Date {
  const begin = beginOf(now, period)
  return new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth(), 1))
}
