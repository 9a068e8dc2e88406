import type { CompanyCount } from '../../domain/figures/suppression.ts'
import { STAGES } from '../../domain/figures/service-figures.ts'
import type { Order } from '../../domain/orders/order.ts'
import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { identifiers, sql, type Statement } from '../db/sql.ts'
import { contentColumns, openOrder, type ContentRow } from '../orders/rows.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { FIGURE_COLUMNS, FIGURES_LOCK, figureRows, givenFigures } from '../orders/figure-rows.ts'

export interface FigureFilter {
  tenantId: string
  from: Date
  to: Date
  companyId?: string | undefined
  isDot?: boolean | undefined
}

/** Half of the durations are at most `median`, nine of ten at most `most`; in seconds. */
export interface Spread {
  count: number
  median: number | null
  most: number | null
}

export type FigureStage = (typeof STAGES)[number]

export interface FigureSummary {
  /** Orders. */
  placed: number
  /** Services of orders that had a booking, and those of them whose participant did not come. */
  booked: number
  noShow: number
  spread: Record<FigureStage, Spread>
}

export interface CompanyKey {
  tenantId: string
  companyId: string
}

/** Figures of services, kept by a worker and aggregated when they are read. */
export const figures = (db: Db, keyring: Keyring) => ({
  /** Companies whose orders changed since their figures were last updated, the longest ago first. */
  behind: (most: number) => db<CompanyKey[]>`
    select c.tenant_id, c.id as company_id
    from companies c left join figure_positions done on done.tenant_id = c.tenant_id and done.company_id = c.id
    where exists (
      select from order_positions p
      where p.tenant_id = c.tenant_id and p.company_id = c.id and p.position > coalesce(done.position, 0))
    order by coalesce(done.position, 0) limit ${most}`,

  /**
   * The last changes of the next orders of these companies, and the positions to go on from. The order is null if its figures came
   * with the change, or if it has been removed.
   */
  async changed(
    companies: readonly CompanyKey[],
    mostOfEach: number,
  ): Promise<(CompanyKey & { position: string; order: Order | null })[]> {
    const rows = await db<((ContentRow | { id: null }) & CompanyKey & { position: string })[]>`
      select p.tenant_id, p.company_id, p.position::text, ${contentColumns()} from (
        select next.tenant_id, next.company_id, next.position, next.order_id
        from ${givenRows(companies, { text: ['tenantId', 'companyId'] })}
        left join figure_positions done on done.tenant_id = given.tenant_id and done.company_id = given.company_id
        -- Tenant and company are those of the table: with given ones, the planner would look up orders by their id alone.
        cross join lateral (
          select tenant_id, company_id, position, case when position is distinct from figures_at then order_id end as order_id
          from order_positions
          where tenant_id = given.tenant_id and company_id = given.company_id and position > coalesce(done.position, 0)
          order by position limit ${mostOfEach}) next) p
      -- By key: the limit keeps the planner from joining the whole table.
      left join lateral (
        select ${contentColumns()} from orders o where o.tenant_id = p.tenant_id and o.id = p.order_id limit 1) o on true`
    return rows.map(({ tenantId, companyId, position, ...row }) => ({
      tenantId,
      companyId,
      position,
      order: row.id === null ? null : openOrder(keyring, tenantId, row),
    }))
  },

  /** Adds or replaces the figures of orders, whose services stay the same. */
  async put(changed: { tenantId: string; order: Order | null }[]): Promise<void> {
    const rows = changed.flatMap(({ tenantId, order }) => (order ? figureRows(tenantId, order) : []))
    if (rows.length === 0) return
    await db`
      insert into service_figures (${FIGURE_COLUMNS}) ${givenFigures(rows)}
      on conflict (tenant_id, order_id, place) do update set
        order_status = excluded.order_status, status = excluded.status, lab_id = excluded.lab_id,
        lab_name = excluded.lab_name, clinic_id = excluded.clinic_id, was_booked = excluded.was_booked,
        to_scheduled = excluded.to_scheduled, to_checked_in = excluded.to_checked_in,
        to_laboratory = excluded.to_laboratory, to_report = excluded.to_report, in_review = excluded.in_review,
        to_result = excluded.to_result`
  },

  async advance(positions: (CompanyKey & { position: string })[]): Promise<void> {
    await db`
      insert into figure_positions (tenant_id, company_id, position)
      select tenant_id, company_id, max(position::bigint)
      from ${givenRows(positions, { text: ['tenantId', 'companyId', 'position'] })} group by 1, 2
      on conflict (tenant_id, company_id) do update set position = excluded.position`
  },

  /** True for one worker at a time, until its transaction ends, while no order is being removed. */
  async isTurn(): Promise<boolean> {
    const [isTurn] = await db.values`select pg_try_advisory_xact_lock(${FIGURES_LOCK})::text`
    return isTurn === 'true'
  },

  /**
   * Orders placed on each day by their status; days are numbered from 1, in the order of their beginnings. `offset 0` hides that
   * they are computed from times: for that many values the planner would sort instead of hash.
   */
  byDay: (filter: FigureFilter, beginnings: readonly Date[]) => db<{ day: number; status: string; count: number }[]>`
    select day, status, count(*)::int as count
    from (
      select width_bucket(placed_at, ${beginnings.map((at) => at.toISOString())}::timestamptz[]) as day, order_status as status
      from service_figures where ${within(filter)} and place = 1 offset 0) placed
    group by 1, 2 order by 1`,

  /** What is counted and measured over all services of a period, in one pass. */
  async summary(filter: FigureFilter): Promise<FigureSummary> {
    const { placed, booked, noShow, counts, ...found } = await db.only<
      Omit<FigureSummary, 'spread'> & Record<FigureStage, number[] | null> & { counts: number[] }
    >`
      select count(*) filter (where place = 1)::int as placed, count(*) filter (where was_booked)::int as booked,
        count(*) filter (where was_booked and status = 'noShow')::int as no_show,
        array[count(to_scheduled), count(to_checked_in), count(to_laboratory), count(to_report), count(in_review),
          count(to_result)]::int[] as counts,
        ${medianAndMost('to_scheduled')}, ${medianAndMost('to_checked_in')}, ${medianAndMost('to_laboratory')},
        ${medianAndMost('to_report')}, ${medianAndMost('in_review')}, ${medianAndMost('to_result')}
      from service_figures where ${within(filter)}`
    const spreads = STAGES.map((stage, i) => {
      const [median = null, most = null] = found[stage] ?? []
      return [stage, { count: counts[i]!, median, most }]
    })
    return { placed, booked, noShow, spread: Object.fromEntries(spreads) as Record<FigureStage, Spread> }
  },

  laboratories: (filter: FigureFilter) => db<({ id: string; name: string } & Spread)[]>`
    select lab_id as id, max(lab_name) as name, count(*)::int as count,
      round(percentile_cont(0.5) within group (order by to_report))::int as median,
      round(percentile_cont(0.9) within group (order by to_report))::int as most
    from service_figures where ${within(filter)} and lab_id is not null and to_report is not null
    group by 1 order by count desc, id limit 20`,

  /** Drug and alcohol tests with a result, and those that count as positive, of all companies. */
  positivity: (filter: FigureFilter) => db<CompanyCount[]>`
    select company_id, is_dot, test_reason, count(*)::int as tests,
      count(*) filter (where status in ('positive', 'adulterated', 'substituted', 'fail'))::int as positive
    from service_figures where ${within({ ...filter, companyId: undefined })} and category in ('drug', 'alcohol') and to_result is not null
      and status in ('negative', 'negativeDilute', 'positive', 'adulterated', 'substituted', 'pass', 'fail')
    group by 1, 2, 3`,

  clinics: (filter: FigureFilter) => db<{ id: string; name: string; booked: number; noShow: number }[]>`
    select f.clinic_id as id, coalesce(c.name, f.clinic_id) as name, f.booked, f.no_show from (
      select clinic_id, count(*)::int as booked, count(*) filter (where status = 'noShow')::int as no_show
      from service_figures where ${within(filter)} and was_booked and clinic_id is not null
      group by 1 order by no_show desc, booked desc, clinic_id limit 20) f
    left join clinics c on c.tenant_id = ${filter.tenantId} and c.id = f.clinic_id
    order by f.no_show desc, f.booked desc, f.clinic_id`,

  /** Deliveries whose ids begin within the period. Ids sort by creation time. */
  deliveries: (tenantId: string, { first, last }: { first: string; last: string }) =>
    db.only<{ delivered: number; atOnce: number; failed: number } & Omit<Spread, 'count'>>`
      select count(*) filter (where state = 'delivered')::int as delivered,
        count(*) filter (where state = 'delivered' and attempts = 1)::int as at_once,
        count(*) filter (where state = 'failed')::int as failed,
        round(percentile_cont(0.5) within group (order by extract(epoch from ended_at - created_at)))::int as median,
        round(percentile_cont(0.9) within group (order by extract(epoch from ended_at - created_at)))::int as most
      from deliveries where tenant_id = ${tenantId} and id >= ${first} and id < ${last} and state in ('delivered', 'failed')`,
})

/** The median and the ninth decile of a column, in its name; null without values. */
const medianAndMost = (column: string): Statement => sql`
  (percentile_cont(array[0.5, 0.9]) within group (order by ${identifiers(column)}))::int[] as ${identifiers(column)}`

const within = ({ tenantId, from, to, companyId, isDot }: FigureFilter): Statement => sql`
  tenant_id = ${tenantId} and placed_at >= ${from} and placed_at < ${to}
    ${companyId === undefined ? sql`` : sql`and company_id = ${companyId}`}
    ${isDot === undefined ? sql`` : sql`and is_dot = ${isDot}`}`
