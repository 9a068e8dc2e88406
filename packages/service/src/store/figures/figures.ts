import type { ServiceFigures } from '../../domain/figures/service-figures.ts'
import type { Order } from '../../domain/orders/order.ts'
import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import { contentColumns, openOrder, type ContentRow } from '../orders/rows.ts'
import type { Keyring } from '../sealing/keyring.ts'

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

const STAGES = ['toScheduled', 'toCheckedIn', 'toLaboratory', 'toReport', 'inReview', 'toResult'] as const
export type FigureStage = (typeof STAGES)[number]

/** No company keeps the others waiting. */
const OF_COMPANY = 100

/** Figures of services, kept by a worker and aggregated when they are read. */
export const figures = (db: Db, keyring: Keyring) => ({
  /** A batch of orders that changed since the figures were last updated, and the positions to go on from. */
  async changed(most: number): Promise<{ tenantId: string; companyId: string; position: string; order: Order }[]> {
    const rows = await db<(ContentRow & { tenantId: string; companyId: string; position: string })[]>`
      select p.tenant_id, p.company_id, p.position::text, ${contentColumns()} from (
        select c.tenant_id, c.id as company_id, next.position, next.order_id
        from companies c
        left join figure_positions done on done.tenant_id = c.tenant_id and done.company_id = c.id
        cross join lateral (
          select position, order_id from order_positions
          where tenant_id = c.tenant_id and company_id = c.id and position > coalesce(done.position, 0)
          order by position limit ${OF_COMPANY}) next
        order by c.tenant_id, c.id, next.position limit ${most}) p
      join orders o on o.tenant_id = p.tenant_id and o.id = p.order_id`
    return rows.map(({ tenantId, companyId, position, ...row }) => ({
      tenantId,
      companyId,
      position,
      order: openOrder(keyring, tenantId, row),
    }))
  },

  /** Replaces the figures of orders. */
  async put(rows: FigureRow[]): Promise<void> {
    await db`
      with given as materialized (select * from ${givenRows(rows, COLUMNS)}),
      gone as (
        delete from service_figures f using given
        where f.tenant_id = given.tenant_id and f.order_id = given.order_id
          and not exists (
            select from given other
            where other.tenant_id = f.tenant_id and other.order_id = f.order_id and other.place_in_order = f.place))
      insert into service_figures (tenant_id, order_id, place, company_id, placed_at, order_status, status, category, is_dot,
        test_reason, lab_id, lab_name, clinic_id, was_booked, to_scheduled, to_checked_in, to_laboratory, to_report, in_review,
        to_result)
      select tenant_id, order_id, place_in_order, company_id, placed_at, order_status, status, category, is_dot, test_reason,
        lab_id, lab_name, clinic_id, was_booked, to_scheduled, to_checked_in, to_laboratory, to_report, in_review, to_result
      from given
      on conflict (tenant_id, order_id, place) do update set
        order_status = excluded.order_status, status = excluded.status, lab_id = excluded.lab_id,
        lab_name = excluded.lab_name, clinic_id = excluded.clinic_id, was_booked = excluded.was_booked,
        to_scheduled = excluded.to_scheduled, to_checked_in = excluded.to_checked_in,
        to_laboratory = excluded.to_laboratory, to_report = excluded.to_report, in_review = excluded.in_review,
        to_result = excluded.to_result`
  },

  async advance(positions: { tenantId: string; companyId: string; position: string }[]): Promise<void> {
    await db`
      insert into figure_positions (tenant_id, company_id, position)
      select tenant_id, company_id, max(position::bigint)
      from ${givenRows(positions, { text: ['tenantId', 'companyId', 'position'] })} group by 1, 2
      on conflict (tenant_id, company_id) do update set position = excluded.position`
  },

  /** True for one worker at a time, until its transaction ends. */
  async isTurn(): Promise<boolean> {
    const [isTurn] = await db.values`select pg_try_advisory_xact_lock(hashtext('order testing service figures'))::text`
    return isTurn === 'true'
  },

  /** Orders placed on each day in a time zone, by the group of their status. */
  byDay: (filter: FigureFilter, timezone: string) => db<{ date: string; status: string; count: number }[]>`
    select to_char(placed_at at time zone ${timezone}, 'YYYY-MM-DD') as date, order_status as status, count(*)::int as count
    from service_figures where ${within(filter)} and place = 1 group by 1, 2 order by 1`,

  async spread(filter: FigureFilter): Promise<Record<FigureStage, Spread>> {
    const rows = await db<({ stage: FigureStage } & Spread)[]>`
      select stage.name as stage, count(stage.seconds)::int as count,
        round(percentile_cont(0.5) within group (order by stage.seconds))::int as median,
        round(percentile_cont(0.9) within group (order by stage.seconds))::int as most
      from service_figures f cross join lateral (values
        ('toScheduled', f.to_scheduled), ('toCheckedIn', f.to_checked_in), ('toLaboratory', f.to_laboratory),
        ('toReport', f.to_report), ('inReview', f.in_review), ('toResult', f.to_result)) as stage (name, seconds)
      where ${within(filter)} and stage.seconds is not null group by 1`
    const none = { count: 0, median: null, most: null }
    const found = STAGES.map((name) => [name, rows.find(({ stage }) => stage === name) ?? none])
    return Object.fromEntries(found) as Record<FigureStage, Spread>
  },

  laboratories: (filter: FigureFilter) => db<({ id: string; name: string } & Spread)[]>`
    select lab_id as id, max(lab_name) as name, count(*)::int as count,
      round(percentile_cont(0.5) within group (order by to_report))::int as median,
      round(percentile_cont(0.9) within group (order by to_report))::int as most
    from service_figures where ${within(filter)} and lab_id is not null and to_report is not null
    group by 1 order by count desc, id limit 20`,

  /** Drug and alcohol tests with a result, and those that count as positive. */
  positivity: (filter: FigureFilter) => db<{ isDot: boolean; testReason: string; tests: number; positive: number }[]>`
    select is_dot, test_reason, count(*)::int as tests,
      count(*) filter (where status in ('positive', 'adulterated', 'substituted', 'fail'))::int as positive
    from service_figures where ${within(filter)} and category in ('drug', 'alcohol') and to_result is not null
      and status in ('negative', 'negativeDilute', 'positive', 'adulterated', 'substituted', 'pass', 'fail')
    group by 1, 2 order by tests desc, 1, 2 limit 40`,

  clinics: (filter: FigureFilter) => db<{ id: string; name: string; booked: number; noShow: number }[]>`
    select f.clinic_id as id, coalesce(c.name, f.clinic_id) as name, f.booked, f.no_show from (
      select clinic_id, count(*)::int as booked, count(*) filter (where status = 'noShow')::int as no_show
      from service_figures where ${within(filter)} and was_booked and clinic_id is not null
      group by 1 order by no_show desc, booked desc, clinic_id limit 20) f
    left join clinics c on c.tenant_id = ${filter.tenantId} and c.id = f.clinic_id
    order by f.no_show desc, f.booked desc, f.clinic_id`,

  bookings: (filter: FigureFilter) => db.only<{ booked: number; noShow: number }>`
    select count(*)::int as booked, count(*) filter (where status = 'noShow')::int as no_show
    from service_figures where ${within(filter)} and was_booked`,

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

export interface FigureRow extends Omit<ServiceFigures, 'place' | 'lab'> {
  tenantId: string
  orderId: string
  placeInOrder: number
  companyId: string
  placedAt: Date
  orderStatus: string
  testReason: string
  labId: string | null
  labName: string | null
  clinicId: string | null
}

const COLUMNS: Record<string, (keyof FigureRow)[]> = {
  text: [
    'tenantId',
    'orderId',
    'companyId',
    'orderStatus',
    'status',
    'category',
    'testReason',
    'labId',
    'labName',
    'clinicId',
  ],
  integer: ['placeInOrder', 'toScheduled', 'toCheckedIn', 'toLaboratory', 'toReport', 'inReview', 'toResult'],
  timestamptz: ['placedAt'],
  boolean: ['isDot', 'wasBooked'],
}

const within = ({ tenantId, from, to, companyId, isDot }: FigureFilter): Statement => sql`
  tenant_id = ${tenantId} and placed_at >= ${from} and placed_at < ${to}
    ${companyId === undefined ? sql`` : sql`and company_id = ${companyId}`}
    ${isDot === undefined ? sql`` : sql`and is_dot = ${isDot}`}`
