import { figuresOf, isCounted, type ServiceFigures } from '../../domain/figures/service-figures.ts'
import type { Order } from '../../domain/orders/order.ts'
import { givenRows } from '../db/arrays.ts'
import { sql, type Statement } from '../db/sql.ts'

/** The figures of a service with those of its order. */
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

/** The figures of all services of an order. */
export const figureRows = (tenantId: string, order: Order): FigureRow[] =>
  figuresOf(order).map((figures) => rowOf(tenantId, order, figures))

/** The figures of a new order. Nothing is counted of most services yet. */
export const firstFigureRows = (tenantId: string, order: Order): FigureRow[] =>
  figuresOf(order).flatMap((figures) => (isCounted(figures) ? [rowOf(tenantId, order, figures)] : []))

/** Names every column: spreading the figures takes as long as reading the order. */
const rowOf = (tenantId: string, order: Order, figures: ServiceFigures): FigureRow => ({
  tenantId,
  orderId: order.id,
  placeInOrder: figures.place,
  companyId: order.company.id,
  placedAt: order.createdAt,
  orderStatus: order.status,
  testReason: order.testReason,
  clinicId: order.clinic?.id ?? null,
  status: figures.status,
  category: figures.category,
  isDot: figures.isDot,
  labId: figures.lab?.id ?? null,
  labName: figures.lab?.name ?? null,
  wasBooked: figures.wasBooked,
  toScheduled: figures.toScheduled,
  toCheckedIn: figures.toCheckedIn,
  toLaboratory: figures.toLaboratory,
  toReport: figures.toReport,
  inReview: figures.inReview,
  toResult: figures.toResult,
})

/** Held while figures are computed from orders that were read, or removed with their orders. */
export const FIGURES_LOCK = sql`hashtext('order testing service figures')`

/** The columns of `givenFigures`. */
export const FIGURE_COLUMNS = sql`
  tenant_id, order_id, place, company_id, placed_at, order_status, status, category, is_dot, test_reason, lab_id, lab_name, clinic_id,
  was_booked, to_scheduled, to_checked_in, to_laboratory, to_report, in_review, to_result`

/** The values of `FIGURE_COLUMNS`, from parameters. */
export const givenFigures = (rows: readonly FigureRow[]): Statement => sql`
  select tenant_id, order_id, place_in_order, company_id, placed_at, order_status, status, category, is_dot, test_reason, lab_id,
    lab_name, clinic_id, was_booked, to_scheduled, to_checked_in, to_laboratory, to_report, in_review, to_result
  from ${givenRows(rows, COLUMNS)}`

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
