import type { OrderStatus, Problem, RetentionPolicy } from '@order-testing/contract'
import type { Order, OrderService } from '../orders/order.ts'

/** The classes of outcomes for which a policy sets periods. An open order has none. */
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

/** The statuses in which an order may be deleted. */
export const REMOVABLE_STATUSES = Object.keys(CLASSES) as OrderStatus[]

export const outcomeClassOf = ({ status }: Pick<Order, 'status'>): OutcomeClass | undefined => CLASSES[status]

/** The minimum period required by law, and the section that requires it. */
export interface LegalMinimum {
  years: 1 | 5
  section: string
}

const ONE_YEAR: LegalMinimum = { years: 1, section: '49 CFR 40.333(a)(4)' }
const FIVE_YEARS = (paragraph: string): LegalMinimum => ({ years: 5, section: `49 CFR 40.333(a)(1)(${paragraph})` })

/** The shortest legal minimum within each class of regulated orders; single orders may have a longer one. */
const MINIMUMS: Record<OutcomeClass, LegalMinimum> = {
  negative: ONE_YEAR,
  cancelled: ONE_YEAR,
  positive: FIVE_YEARS('ii'),
  refusal: FIVE_YEARS('iii'),
}

export const isRegulated = ({ services }: Pick<Order, 'services'>) => services.some(({ isDot }) => isDot)

/** Returns null if no service of the order is regulated. */
export function findLegalMinimum(order: Pick<Order, 'services' | 'status' | 'testReason'>): LegalMinimum | null {
  const regulated = order.services.filter(({ isDot }) => isDot)
  if (regulated.length === 0) return null
  if (order.testReason === 'followUp') return FIVE_YEARS('v')
  // A no-show is a refusal (40.191(a)(1)), except for a pre-employment test. The employer states the test reason.
  const isMissed = [order, ...regulated].some(({ status }) => status === 'noShow')
  if (isMissed && order.testReason !== 'preEmployment') return FIVE_YEARS('iii')
  const minimums = regulated.map((service) => findServiceMinimum(service))
  return minimums.find(({ years }) => years === 5) ?? ONE_YEAR
}

function findServiceMinimum({ status, category }: OrderService): LegalMinimum {
  const outcome = CLASSES[status === 'negativeDilute' ? 'negative' : (status as OrderStatus)]
  // Alcohol results of 0.02 or more are kept for five years. Orders do not hold the concentration, and up to 0.039 may be
  // reported as negative.
  if ((outcome === 'positive' || outcome === 'negative') && category === 'alcohol') return FIVE_YEARS('i')
  return outcome === undefined ? ONE_YEAR : MINIMUMS[outcome]
}

/** A calendar period: months and years vary in length. */
export interface Period {
  months: number
  days: number
}

export function parsePeriod(text: string): Period {
  const [count, unit = ''] = text.split(' ')
  if (unit.startsWith('day')) return { months: 0, days: Number(count) }
  return { months: Number(count) * (unit.startsWith('year') ? 12 : 1), days: 0 }
}

export function addPeriod(from: Date, { months, days }: Period): Date {
  const end = new Date(from)
  end.setUTCMonth(end.getUTCMonth() + months, end.getUTCDate() + days)
  return end
}

/** Returns the latest start of a period that is over by now. */
export function subtractPeriod(now: Date, { months, days }: Period): Date {
  const begin = new Date(now)
  const day = begin.getUTCDate()
  begin.setUTCDate(1)
  begin.setUTCMonth(begin.getUTCMonth() - months)
  // Clamp to the last day of a shorter month.
  const last = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 0)).getUTCDate()
  begin.setUTCDate(Math.min(day, last) - days)
  return begin
}

/** Whether a period is at least this many years, leap years included. */
const isAtLeast = ({ months, days }: Period, years: number) => months >= years * 12 || days >= years * 366

const NAMES: Record<OutcomeClass, string> = {
  negative: 'negative results',
  cancelled: 'cancelled tests',
  positive: 'positive results',
  refusal: 'refusals',
}

/** Checks a policy against the legal minimums. */
export function checkPolicy({ keep }: RetentionPolicy): Problem[] {
  return Object.entries(keep.regulatedOrders ?? {}).flatMap(([outcome, period]): Problem[] => {
    const { years, section } = MINIMUMS[outcome as OutcomeClass]
    if (period === undefined || isAtLeast(parsePeriod(period), years)) return []
    const least = years === 1 ? 'one year' : 'five years'
    const detail = `Records of ${NAMES[outcome as OutcomeClass]} of regulated tests must be kept for at least ${least} (${section}).`
    return [{ code: 'tooSmall', detail, pointer: `/keep/regulatedOrders/${outcome}`, meta: { regulation: section } }]
  })
}

/** Not expired; expired and deletable; or expired but under a legal hold, or required by law. */
export type RetentionVerdict = 'kept' | 'due' | 'held' | 'required'

/** Applies the periods of a policy to an order. */
export function judgeOrder(order: Order, { keep }: RetentionPolicy, isHeld: boolean, now: Date): RetentionVerdict {
  const outcome = outcomeClassOf(order)
  const period = outcome && (isRegulated(order) ? keep.regulatedOrders : keep.orders)?.[outcome]
  if (period === undefined || addPeriod(findPeriodStart(order), parsePeriod(period)) > now) return 'kept'
  return judgeRemoval(order, isHeld, now)
}

/** Decides whether a closed order may be deleted, regardless of the policy's periods. */
export function judgeRemoval(order: Order, isHeld: boolean, now: Date): Exclude<RetentionVerdict, 'kept'> {
  if (isHeld) return 'held'
  const until = requiredUntil(order)
  return until !== null && until > now ? 'required' : 'due'
}

/** Until when the law requires a closed order to be kept; null if it does not. */
export function requiredUntil(order: Order): Date | null {
  const minimum = findLegalMinimum(order)
  return minimum && addPeriod(findPeriodStart(order), { months: minimum.years * 12, days: 0 })
}

/** A corrected result of a regulated service restarts the periods of its order. */
function findPeriodStart({ statusUpdatedAt, services }: Order): Date {
  const regulated = services.filter(({ isDot }) => isDot)
  return new Date(Math.max(...[statusUpdatedAt, ...regulated.map((each) => each.statusUpdatedAt)].map(Number)))
}

/** Audit entries are pruned by whole months: returns the start of the first month to keep. */
export function pruneBefore(now: Date, period: Period): Date {
  const begin = subtractPeriod(now, period)
  return new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth(), 1))
}
