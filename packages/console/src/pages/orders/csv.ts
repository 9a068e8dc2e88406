import type { ListedOrder } from '../../api/masking.ts'
import type { Words } from '../../languages/en.ts'
import { csvFile } from '../../parts/csv.ts'

/** A file for spreadsheets. Participants stay masked, and findings under review are not in it. */
export function csvOf(orders: readonly ListedOrder[], { orders: { fields }, statuses }: Words): string {
  const head = [
    fields.code,
    fields.status,
    fields.participant,
    fields.company,
    '',
    fields.package,
    fields.booking,
    fields.created,
    fields.expires,
    fields.externalId,
  ]
  const rows = orders.map((order) => [
    order.code,
    statuses[order.status] ?? order.status,
    order.participant?.name ?? '',
    order.company?.name ?? '',
    order.location?.name ?? '',
    order.packages.map(({ name }) => name).join(', '),
    order.clinic?.name ?? '',
    order.createdAt,
    order.expiresAt ?? '',
    order.externalId ?? '',
  ])
  return csvFile([head, ...rows])
}
