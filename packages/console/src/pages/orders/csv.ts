import type { ListedOrder } from '../../api/masking.ts'
import type { Words } from '../../languages/en.ts'

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
  return `\uFEFF${[head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

/** A cell that begins like a formula would be run by the spreadsheet: an apostrophe makes it text. */
export function cell(value: string): string {
  const safe = /^\s*[=+\-@]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
