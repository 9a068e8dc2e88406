import type * as contract from '@order-testing/contract/operator'
import { hideSmall } from '../../domain/figures/suppression.ts'
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

export const readFigures: Operation<typeof contract.readFigures> = async ({ query }, { caller, store, now }) => {
  const { timezone = 'UTC', companyId, isDot } = query
  const { from, to, before } = periodOf(query, timezone, now())
  const filter: FigureFilter = { tenantId: caller.tenantId, from, to, companyId, isDot }
  const earlier = { ...filter, from: before, to: from }
  return store.snapshot(async (tx) => {
    const [
      days,
      daysBefore,
      spread,
      spreadBefore,
      laboratories,
      positivity,
      clinics,
      booked,
      bookedBefore,
      deliveries,
    ] = await Promise.all([
      tx.figures.byDay(filter, timezone),
      tx.figures.byDay(earlier, timezone),
      tx.figures.spread(filter),
      tx.figures.spread(earlier),
      tx.figures.laboratories(filter),
      tx.figures.positivity(filter),
      tx.figures.clinics(filter),
      tx.figures.bookings(filter),
      tx.figures.bookings(earlier),
      tx.figures.deliveries(caller.tenantId, { first: idFloor('dlv', from), last: idFloor('dlv', to) }),
    ])
    const spreadOf = (stage: FigureStage) => ({
      ...presentSpread(spread[stage]),
      medianBefore: spreadBefore[stage].median,
    })
    return ok({
      object: 'figures',
      from: from.toISOString(),
      to: to.toISOString(),
      timezone,
      updatedAt: now().toISOString(),
      orders: { placed: sumOf(days), placedBefore: sumOf(daysBefore) },
      result: spreadOf('toResult'),
      bookings: { ...booked, bookedBefore: bookedBefore.booked, noShowBefore: bookedBefore.noShow },
      deliveries: {
        delivered: deliveries.delivered,
        atFirstAttempt: deliveries.atOnce,
        failed: deliveries.failed,
        median: deliveries.median,
        percentile90: deliveries.most,
      },
      stages: STAGES.map(([stage, actor, column]) => ({ stage, actor, ...spreadOf(column) })),
      days: presentDays(days, datesOf(from, to, timezone)),
      laboratories: laboratories.map(({ id, name, ...each }) => ({ id, name, ...presentSpread(each) })),
      positivity: positivity.map((each) => ({
        ...each,
        tests: hideSmall(each.tests),
        positive: hideSmall(each.positive),
      })),
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
  const startOf = (date: string) => instantOf(timezone, { date, time: '00:00' })
  return { from: startOf(first), to: startOf(dayAfter(last)), before: startOf(dayAfter(first, -days)) }
}

function datesOf(from: Date, to: Date, timezone: string): string[] {
  const last = localTime(new Date(to.getTime() - 1), timezone).date
  const dates = [localTime(from, timezone).date]
  while (dates.at(-1)! < last) dates.push(dayAfter(dates.at(-1)!))
  return dates
}

type DayRow = { date: string; status: string; count: number }

function presentDays(rows: DayRow[], dates: string[]): contract.Figures['days'] {
  const counts = new Map(dates.map((date) => [date, { ordered: 0, active: 0, final: 0, closed: 0 }]))
  for (const { date, status, count } of rows) {
    const day = counts.get(date)
    if (day) day[groupOf(status as OrderStatus)] += count
  }
  return [...counts].map(([date, groups]) => ({ date, ...groups }))
}

function groupOf(status: OrderStatus): 'ordered' | 'active' | 'final' | 'closed' {
  if (hasOutcome(status)) return 'final'
  if (isClosedWithoutResult(status)) return 'closed'
  return isBeforeCheckIn(status) && status !== 'scheduled' ? 'ordered' : 'active'
}

const sumOf = (rows: DayRow[]) => rows.reduce((sum, { count }) => sum + count, 0)

const presentSpread = ({ count, median, most }: Spread) => ({ count, median, percentile90: most })
