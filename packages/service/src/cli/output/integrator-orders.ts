import type { Order } from '@order-testing/contract'
import { dim, paintState } from './colors.ts'
import { escapeControls, pageTable, sheet, table, type Found } from './table.ts'

export const orderListing = (found: Found<Order>) =>
  pageTable(found, ['order', 'orders'], {
    head: ['Order', 'Status', 'Created', 'Participant', 'Package', 'Id'],
    row: (order) => [
      order.code,
      paintState(order.status),
      dim(order.createdAt),
      nameOf(order),
      packageOf(order),
      order.id,
    ],
    empty: 'No orders.',
  })

/** An overview of an order as integrators see it. */
export function summarySheet(order: Order): string {
  const facts: [string, string | null][] = [
    ['Order', `${order.code}  ${order.id}`],
    ['Status', `${order.status} since ${order.statusUpdatedAt}`],
    ['For', [order.company?.name, order.location?.name].filter(Boolean).join(', ')],
    ['Package', packageOf(order)],
    ['Participant', nameOf(order)],
    ['Clinic', order.clinic?.name ?? null],
    ['Expires', order.expiresAt],
    ['External id', order.externalId],
  ]
  const services = order.services.map(({ name, status, specimenId }) => [
    escapeControls(name),
    paintState(status),
    specimenId === null ? 'no specimen' : `specimen ${escapeControls(specimenId)}`,
  ])
  const known = facts.flatMap(([name, value]) => (value === null ? [] : [[name, escapeControls(value)]]))
  const painted = known.map(([name = '', value = '']) => [
    name,
    name === 'Status' ? paintState(value, order.status) : value,
  ])
  return `${sheet(painted)}\n\n${table(services)}`
}

export const placedText = (order: Order) =>
  order.matched
    ? `Order ${order.code} is on file already: ${order.id} (score ${order.matched.score}).`
    : `Order ${order.code} was placed: ${order.id}`

/** One change of an order. */
export function changeLine(order: Order, before: string | undefined): string {
  const status =
    before === undefined || before === order.status
      ? paintState(order.status)
      : `${before} → ${paintState(order.status)}`
  const services = order.services
    .map(({ name, status: each }) => `${escapeControls(name)} ${paintState(each)}`)
    .join(', ')
  return `${dim(order.updatedAt)}  ${order.code}  ${status}  (${services})`
}

const packageOf = ({ packages }: Order) => escapeControls(packages.map(({ name }) => name).join(', '))

const nameOf = ({ participant }: Order) =>
  participant ? escapeControls(`${participant.firstName} ${participant.lastName}`) : 'participant hidden'
