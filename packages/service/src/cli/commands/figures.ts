import { Option, type Command } from 'commander'
import type { Figures } from '@order-testing/contract/operator'
import { Api, withService, type ApiOptions } from '../api.ts'
import { withExamples } from '../help.ts'
import { show } from '../output/print.ts'
import { escapeControls, table } from '../output/table.ts'

interface FigureOptions extends ApiOptions {
  from?: string
  to?: string
  timezone?: string
  company?: string
  dot?: boolean
}

export function define(figures: Command): void {
  withExamples(
    withService(figures),
    'ots figures',
    'ots figures --from 2027-01-01 --to 2027-01-31 --timezone America/Chicago',
    'ots figures --company acme --dot --json',
  )
    .option('--from <date>', 'the first day (default: 14 days before --to)')
    .option('--to <date>', 'the last day (default: today)')
    .option('--timezone <zone>', 'IANA zone in which days begin (default: UTC)')
    .option('--company <id>', 'only orders of this company')
    .addOption(new Option('--dot', 'only regulated tests'))
    .action(async ({ from, to, timezone, company: companyId, dot: isDot, ...options }: FigureOptions) => {
      const query = { from, to, timezone, companyId, isDot: isDot && 'true' }
      show(await new Api(options).ask('readFigures', { query }), figuresText)
    })
}

const figuresText = (figures: Figures) => {
  const { orders, result, bookings, deliveries, stages, laboratories, clinics } = figures
  const blocks = [
    [
      ['Orders placed', String(orders.placed), `${orders.placedBefore} before`],
      ['Order to result', span(result.median), `90 % within ${span(result.percentile90)}`],
      ['No-shows', String(bookings.noShow), `of ${bookings.booked} booked`],
      ['Delivered at once', String(deliveries.atFirstAttempt), `of ${deliveries.delivered + deliveries.failed}`],
    ],
    [['STAGE', 'ACTS', 'MEDIAN', '90 %', 'BEFORE'], ...stages.map((each) => [each.stage, each.actor, ...spans(each)])],
    [
      ['LABORATORY', 'TESTS', 'MEDIAN', '90 %'],
      ...laboratories.map(({ name, count, median, percentile90 }) => [
        escapeControls(name),
        String(count),
        span(median),
        span(percentile90),
      ]),
    ],
    [
      ['CLINIC', 'BOOKED', 'NO-SHOW'],
      ...clinics.map(({ name, booked, noShow }) => [escapeControls(name), String(booked), String(noShow)]),
    ],
  ]
  return blocks
    .filter((rows) => rows.length > 1)
    .map((rows) => table(rows))
    .join('\n\n')
}

const spans = ({ median, percentile90, medianBefore }: Figures['stages'][number]) =>
  [median, percentile90, medianBefore].map(span)

/** Two units at most, such as `1 d 4 h`. */
function span(seconds: number | null): string {
  if (seconds === null) return '-'
  const units = [
    ['d', Math.floor(seconds / 86_400)],
    ['h', Math.floor(seconds / 3600) % 24],
    ['min', Math.floor(seconds / 60) % 60],
    ['s', seconds % 60],
  ] as const
  const first = units.findIndex(([, count]) => count > 0)
  const shown = first === -1 ? units.slice(-1) : units.slice(first, first + 2).filter(([, count]) => count > 0)
  return shown.map(([unit, count]) => `${count} ${unit}`).join(' ')
}
