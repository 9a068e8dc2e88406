import type * as contract from '@order-testing/contract/operator'
import { showCounts } from '../../domain/figures/suppression.ts'
import { idFloor } from '../../domain/ids.ts'
import { hasOutcome, isBeforeCheckIn, isClosedWithoutResult } from '../../domain/orders/statuses.ts'
import { dayAfter, instantOf, localTime } from '../../domain/places/zones.ts'
import { refuse } from '../../domain/refusal.ts'
import type { FigureFilter, FigureStage, Spread } from '../../store/figures/figures.ts'
import { ok, type Operation } from '../operation.ts'
import type { OrderStatus } from '@order-testing/contract'

const DAY_MS = 86_400_000
const USUAL_DAYS = 14
const MOST_DAYS = 366
/** Kinds of tests whose results are shown. */
const MOST_KINDS = 40

export const readFigures: Operation<typeof contract.readFigures> = async ({ query }, { caller, store, now }) => {
  const { timezone = 'UTC', companyId, isDot } = query
  const { from, to, before } = periodOf(query, timezone, now())
  const filter: FigureFilter = { tenantId: caller.tenantId, from, to, companyId, isDot }
  const earlier = { ...filter, from: before, to: from }
  const dates = datesOf(from, to, timezone)
  return store.snapshot(async (tx) => {
    const [days, summary, summaryBefore, laboratories, positivity, clinics, deliveries] = await Promise.all([
      tx.figures.byDay(
        filter,
        dates.map((date) => startOf(date, timezone)),
      ),
      tx.figures.summary(filter),
      tx.figures.summary(earlier),
      tx.figures.laboratories(filter),
      tx.figures.positivity(filter),
      tx.figures.clinics(filter),
      tx.figures.deliveries(caller.tenantId, { first: idFloor('dlv', from), last: idFloor('dlv', to) }),
    ])
    const spreadOf = (stage: FigureStage) => ({
      ...presentSpread(summary.spread[stage]),
      medianBefore: summaryBefore.spread[stage].median,
    })
    return ok({
      object: 'figures',
      from: from.toISOString(),
      to: to.toISOString(),
      timezone,
      updatedAt: now().toISOString(),
      orders: { placed: summary.placed, placedBefore: summaryBefore.placed },
      result: spreadOf('toResult'),
      bookings: {
        booked: summary.booked,
        noShow: summary.noShow,
        bookedBefore: summaryBefore.booked,
        noShowBefore: summaryBefore.noShow,
      },
      deliveries: {
        delivered: deliveries.delivered,
        atFirstAttempt: deliveries.atOnce,
        failed: deliveries.failed,
        median: deliveries.median,
        percentile90: deliveries.most,
      },
      stages: STAGES.map(([stage, actor, column]) => ({ stage, actor, ...spreadOf(column) })),
      days: presentDays(days, dates),
      laboratories: laboratories.map(({ id, name, ...each }) => ({ id, name, ...presentSpread(each) })),
      positivity: showCounts(positivity, companyId).slice(0, MOST_KINDS),
      clinics,
    })
  })
}

const STAGES = [
  ['scheduling', 'participant', 'toScheduled'],
  ['checkIn', 'participant', 'toCheckedIn'],
  ['transport', 'courier', 'toLaboratory'],
  ['laboratory', 'laboratory', 'toReport'],
  ['review', 'reviewer', 'inReview'],
] as const satisfies [contract.Figures['stages'][number]['stage'], string, FigureStage][]

interface Query {
  from?: string | undefined
  to?: string | undefined
}

/** The period, and the beginning of the equally long one before it. */
function periodOf(query: Query, timezone: string, now: Date): { from: Date; to: Date; before: Date } {
  const today = localTime(now, timezone).date
  const last = query.to ?? today
  const first = query.from ?? dayAfter(last, 1 - USUAL_DAYS)
  const days = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1
  if (days < 1) throw refuse('invalidValue', '`to` is before `from`.', '/to')
  if (days > MOST_DAYS) throw refuse('invalidValue', `At most ${MOST_DAYS} days.`, '/from')
  return {
    from: startOf(first, timezone),
    to: startOf(dayAfter(last), timezone),
    before: startOf(dayAfter(first, -days), timezone),
  }
}

const startOf = (date: string, timezone: string) => instantOf(timezone, { date, time: '00:00' })

function datesOf(from: Date, to: Date, timezone: string): string[] {
  const last = localTime(new Date(to.getTime() - 1), timezone).date
  const dates = [localTime(from, timezone).date]
  while (dates.at(-1)! < last) dates.push(dayAfter(dates.at(-1)!))
  return dates
}

type DayRow = { day: number; status: string; count: number }

function presentDays(rows: DayRow[], dates: string[]): contract.Figures['days'] {
  const days = dates.map((date) => ({ date, ordered: 0, active: 0, final: 0, closed: 0 }))
  for (const { day, status, count } of rows) days[day - 1]![groupOf(status as OrderStatus)] += count
  return days
}

function groupOf(status: OrderStatus): 'ordered' | 'active' | 'final' | 'closed' {
  if (hasOutcome(status)) return 'final'
  if (isClosedWithoutResult(status)) return 'closed'
  return isBeforeCheckIn(status) && status !== 'scheduled' ? 'ordered' : 'active'
}

const presentSpread = ({ count, median, most }: Spread) => ({ count, median, percentile90: most })
