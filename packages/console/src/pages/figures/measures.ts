import type { Figures } from '@order-testing/client/operator'
import type { Words } from '../../languages/en.ts'
import type { Tone } from '../../parts/statuses.ts'
import * as times from '../../parts/times.ts'

/** Fewer cases say nothing about the next ones. */
export const FEW = 20

/** Half a percentage point is the least that is worth a color. */
const NOTABLE_POINTS = 0.5

export interface Tile {
  label: string
  value: string
  change: string
  tone: Tone
}

export interface StageRow {
  name: string
  actor: string
  count: number
  median: number | null
  tail: number | null
  before: number | null
}

/** `2 d 6 h`, `41 s` */
export function span(words: Words, seconds: number | null): string {
  if (seconds === null) return words.none
  return seconds < 60 ? words.figures.seconds(seconds) : times.duration(words, seconds * 1000)
}

/** A share of few cases would say more than they do. */
export function share(words: Words, part: number, of: number): string {
  return of < FEW ? words.none : percent(words, (part / of) * 100)
}

/** The five figures at the top. `earlier` are the figures of as many days before. */
export function tilesOf(words: Words, now: Figures, earlier: Figures | undefined): Tile[] {
  const { figures } = words
  const { orders, result, bookings, deliveries } = now
  const days = now.days.length
  const first = ({ delivered, atFirstAttempt }: Figures['deliveries']) => ratio(atFirstAttempt, delivered)
  const noShow = ratio(bookings.noShow, bookings.booked)
  return [
    { label: figures.placed, value: orders.placed.toLocaleString(words.locale), ...growth(words, orders, days) },
    {
      label: figures.resultMedian,
      value: result.count < FEW ? words.none : span(words, result.median),
      ...fewOr(words, result.count, () => pace(words, result.median, result.medianBefore, days)),
    },
    {
      label: figures.resultTail,
      value: result.count < FEW ? words.none : span(words, result.percentile90),
      ...fewOr(words, result.count, () => pace(words, result.percentile90, earlier?.result.percentile90 ?? null, days)),
    },
    {
      label: figures.noShow,
      value: share(words, bookings.noShow, bookings.booked),
      ...fewOr(words, bookings.booked, () =>
        points(words, {
          now: noShow,
          before: ratio(bookings.noShowBefore, bookings.bookedBefore),
          days,
          isLow: true,
        }),
      ),
    },
    {
      label: figures.firstTime,
      value: share(words, deliveries.atFirstAttempt, deliveries.delivered),
      ...fewOr(words, deliveries.delivered, () =>
        points(words, { now: first(deliveries), before: earlier && first(earlier.deliveries), days, isLow: false }),
      ),
    },
  ]
}

/** The stages in their order, and the way to the receivers. */
export function stagesOf(words: Words, { stages, deliveries }: Figures, earlier: Figures | undefined): StageRow[] {
  const { figures, actors } = words
  const rows = stages.map(({ stage, actor, count, median, percentile90, medianBefore }) => ({
    name: figures.stages[stage as keyof typeof figures.stages] ?? stage,
    actor: actors[actor as keyof typeof actors] ?? actor,
    count,
    median,
    tail: percentile90,
    before: medianBefore,
  }))
  const delivery = {
    name: figures.stages.delivery,
    actor: actors.operator,
    count: deliveries.delivered,
    median: deliveries.median,
    tail: deliveries.percentile90,
    before: earlier?.deliveries.median ?? null,
  }
  return [...rows, delivery]
}

/** What matters about the stages, in a sentence or two. */
export function stageSentence(words: Words, rows: readonly StageRow[]): { text: string; isSlower: boolean } {
  const { figures } = words
  const longest = longestOf(rows)
  if (!longest)
    return { text: rows.some(({ count }) => count > 0) ? figures.tooFew : figures.noStages, isSlower: false }
  const { name, tail, median, before } = longest
  const change = median === null || before === null ? 0 : median - before
  const text = [figures.longest(name, span(words, tail))]
  if (change !== 0) text.push((change > 0 ? figures.medianSlower : figures.medianFaster)(span(words, Math.abs(change))))
  return { text: text.join(' '), isSlower: change > 0 }
}

export const longestOf = (rows: readonly StageRow[]): StageRow | undefined =>
  rows.filter(({ tail, count }) => tail !== null && count >= FEW).toSorted((a, b) => b.tail! - a.tail!)[0]

const percent = (words: Words, value: number) =>
  words.figures.percent(value.toLocaleString(words.locale, { maximumFractionDigits: 1 }))

const ratio = (part: number, of: number) => (of < FEW ? undefined : (part / of) * 100)

const signed = (words: Words, value: number) =>
  value.toLocaleString(words.locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })

type Change = Pick<Tile, 'change' | 'tone'>

function growth({ figures, locale }: Words, { placed, placedBefore }: Figures['orders'], days: number): Change {
  if (placedBefore === 0) return { change: figures.nothingBefore(days), tone: 'neutral' }
  const rate = (placed / placedBefore - 1) * 100
  const text = rate.toLocaleString(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
  return { change: figures.change(figures.percent(text), days), tone: 'neutral' }
}

function pace(words: Words, now: number | null, earlier: number | null, days: number): Change {
  const { figures } = words
  if (now === null || earlier === null) return { change: figures.nothingBefore(days), tone: 'neutral' }
  const change = now - earlier
  if (change === 0) return { change: figures.same, tone: 'neutral' }
  const text = span(words, Math.abs(change))
  return change > 0 ? { change: figures.slower(text), tone: 'warn' } : { change: figures.faster(text), tone: 'good' }
}

/** Says how few there are, where they are too few to be compared. */
const fewOr = ({ figures }: Words, count: number, compare: () => Change): Change =>
  count < FEW ? { change: figures.onlyFew(count), tone: 'neutral' } : compare()

interface Compared {
  now: number | undefined
  before: number | undefined
  days: number
  /** Whether low is good. */
  isLow: boolean
}

function points(words: Words, { now, before, days, isLow }: Compared): Change {
  const { figures } = words
  if (now === undefined || before === undefined) return { change: figures.nothingBefore(days), tone: 'neutral' }
  const change = now - before
  const isNotable = Math.abs(change) >= NOTABLE_POINTS
  const tone = !isNotable ? 'neutral' : change < 0 === isLow ? 'good' : 'warn'
  return { change: figures.points(signed(words, change)), tone }
}
