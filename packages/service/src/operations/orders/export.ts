import type { Order as PresentedOrder } from '@order-testing/contract'
import type * as contract from '@order-testing/contract/operator'
import { csvLine } from '../../domain/csv.ts'
import { shortName } from '../../domain/masks.ts'
import { statusesOf } from '../../domain/orders/status-filter.ts'
import type { OrderView } from '../../domain/orders/view.ts'
import { auditEntry } from '../audit/audit.ts'
import type { Operation } from '../operation.ts'

const COLUMNS = [
  'id',
  'code',
  'status',
  'participant',
  'company',
  'location',
  'packages',
  'agency',
  'testReason',
  'clinic',
  'createdAt',
  'statusUpdatedAt',
  'expiresAt',
  'externalId',
]

/** An export leaves the service, so it is recorded although it shows no participant in full. */
export const exportOrders: Operation<typeof contract.exportOrders> = ({ query }, context) =>
  context.store.transaction(async (tx) => {
    const { limit, before, ...filter } = query
    const { statusNot, ...rest } = filter
    const { rows } = await tx.orderList.page(context.caller, {
      ...rest,
      status: statusesOf(filter),
      before,
      limit,
      page: 1,
    })
    const after = { ...filter, before, orders: rows.length }
    const subject = { type: 'order', id: 'export' }
    await tx.audit.append([auditEntry({ action: 'order.export', subject, after }, context)])
    const text = [csvLine(COLUMNS), ...rows.map(({ view }) => csvLine(cellsOf(view)))].join('')
    return { status: 200, bytes: Buffer.from(text), type: 'text/csv' }
  })

function cellsOf({ order: text, participant }: OrderView): (string | null)[] {
  const order = JSON.parse(text) as PresentedOrder
  const person = participant && (JSON.parse(participant) as { firstName: string; lastName: string })
  return [
    order.id,
    order.code,
    order.status,
    person ? shortName(person) : null,
    order.company?.name ?? null,
    order.location?.name ?? null,
    order.packages.map(({ name }) => name).join(', '),
    order.agency?.code ?? null,
    order.testReason,
    order.clinic?.name ?? null,
    order.createdAt,
    order.statusUpdatedAt,
    order.expiresAt,
    order.externalId,
  ]
}
