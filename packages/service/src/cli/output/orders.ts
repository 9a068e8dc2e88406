import type { Order } from '@order-testing/contract'
import type { OperatorOrder } from '@order-testing/contract/operator'
import { bold, dim, paintState } from './colors.ts'
import { escapeControls, sheet, table } from './table.ts'

/** An overview of an order, its services and its timeline. */
export function orderSheet(found: OperatorOrder): string {
  const { order } = found
  const facts: [string, string | null][] = [
    ['Order', `${order.code}  ${order.id}`],
    ['Status', `${order.status} since ${order.statusUpdatedAt}`],
    ['Placed', `${order.createdAt} through ${found.source} by ${nameOf(found.requester)} <${found.requester.email}>`],
    ['For', [order.company?.name, order.location?.name].filter(Boolean).join(', ')],
    ['Package', order.packages.map(({ name }) => name).join(', ')],
    ['Reason', order.otherTestReason ?? order.testReason],
    ['Agency', order.agency?.code ?? null],
    ['Participant', order.participant ? personText(order.participant) : 'hidden from this token'],
    ['Clinic', clinicText(found)],
    ['Expires', order.expiresAt],
    ['Cancelled', found.cancelReason],
  ]
  const known = facts.flatMap(([name, value]) => (value === null ? [] : [[name, escapeControls(value)]]))
  const painted = known.map(([name = '', value = '']) => [
    name,
    name === 'Status' ? paintState(value, order.status) : value,
  ])
  const agreed = found.agreements.length > 0 ? [agreementsText(found)] : []
  return [sheet(painted), servicesText(found), ...agreed, timelineText(found)].join('\n\n')
}

/** The new status of an order, and of the service that was changed. */
export function changedText(
  { order }: { order: Pick<Order, 'code' | 'status' | 'services'> },
  serviceId?: string,
): string {
  const service = order.services.find(({ id }) => id === serviceId)
  if (!service) return `Order ${order.code} is ${paintState(order.status)}.`
  return `Order ${order.code} is ${paintState(order.status)}: ${escapeControls(service.name)} is ${paintState(service.status)}.`
}

/** The status of an order, and its clinic and appointment. */
export const bookedText = (found: OperatorOrder) =>
  `Order ${found.order.code} is ${paintState(found.order.status)}. Clinic: ${escapeControls(clinicText(found))}.`

function servicesText({ order, services }: OperatorOrder): string {
  const rows = services.map((service, i) => {
    const { name, specimenId } = order.services.find(({ id }) => id === service.id) ?? {}
    return [
      String(i + 1),
      escapeControls(name ?? service.serviceId),
      paintState(service.status),
      specimenId ? `specimen ${escapeControls(specimenId)}` : 'no specimen',
      service.nextStatuses.length > 0 ? `next: ${service.nextStatuses.join(', ')}` : 'closed',
      service.id,
    ]
  })
  return `${bold('Services:')}\n\n${table(rows, { head: ['', 'Service', 'Status', 'Specimen', 'May become', 'Id'] })}`
}

/** With `--json` the texts are printed too. */
function agreementsText({ agreements }: OperatorOrder): string {
  const rows = agreements.map(({ kind, version, language, agreedAt, signature }) => [
    dim(agreedAt),
    kind,
    escapeControls(`${version}, ${language}`),
    signature ? escapeControls(`signed by ${signature.name} on ${signature.date}`) : '',
  ])
  return `${bold('Shown and agreed to:')}\n\n${table(rows)}`
}

function timelineText({ timeline }: OperatorOrder): string {
  const rows = timeline.map(({ at, summary, details }) => {
    const reason = typeof details['reason'] === 'string' ? ` Reason: ${details['reason']}` : ''
    return [dim(at), escapeControls(`${summary}${reason}`)]
  })
  return `${bold('Timeline, oldest first:')}\n\n${sheet(rows)}`
}

function clinicText({ order, isBooked, appointmentAt }: OperatorOrder): string {
  if (!order.clinic) return 'none yet'
  if (appointmentAt !== null) return `${order.clinic.name}, appointment ${appointmentAt}`
  return isBooked ? `${order.clinic.name}, booked` : order.clinic.name
}

const personText = (person: NonNullable<OperatorOrder['order']['participant']>) =>
  [nameOf(person), person.birthDate && `born ${person.birthDate}`, person.phone, person.email]
    .filter(Boolean)
    .join(', ')

const nameOf = (person: { firstName: string; middleName: string | null; lastName: string }) =>
  [person.firstName, person.middleName, person.lastName].filter(Boolean).join(' ')
