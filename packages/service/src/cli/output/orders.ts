import type { OperatorOrder } from '@order-testing/contract/operator'
import { table, visible } from './table.ts'

/** All about an order that a person needs at once. */
export function orderSheet(shown: OperatorOrder): string {
  const { order } = shown
  const facts: [string, string | null][] = [
    ['Order', `${order.code}  ${order.id}`],
    ['Status', `${order.status} since ${order.statusUpdatedAt}`],
    ['Placed', `${order.createdAt} through ${shown.source} by ${nameOf(shown.requester)} <${shown.requester.email}>`],
    ['For', [order.company?.name, order.location?.name].filter(Boolean).join(', ')],
    ['Package', order.packages.map(({ name }) => name).join(', ')],
    ['Reason', order.otherTestReason ?? order.testReason],
    ['Agency', order.agency?.code ?? null],
    ['Participant', order.participant ? personText(order.participant) : 'not shown to this token'],
    ['Clinic', clinicText(shown)],
    ['Expires', order.expiresAt],
    ['Cancelled', shown.cancelReason],
  ]
  const known = facts.flatMap(([name, value]) => (value === null ? [] : [[name, visible(value)]]))
  return [table(known), servicesText(shown), timelineText(shown)].join('\n\n')
}

/** What became of an order, and of the service that was changed. */
export function changedText({ order }: OperatorOrder, serviceId?: string): string {
  const service = order.services.find(({ id }) => id === serviceId)
  const told = service ? `${visible(service.name)} is ${service.status}, ` : ''
  return `Order ${order.code}: ${told}${service ? 'the order' : 'it'} is ${order.status}.`
}

/** Where and when the participant of an order is expected. */
export const bookedText = (shown: OperatorOrder) =>
  `Order ${shown.order.code}: it is ${shown.order.status}. Clinic: ${visible(clinicText(shown))}.`

function servicesText({ order, services }: OperatorOrder): string {
  const rows = services.map((service, i) => {
    const { name, specimenId } = order.services.find(({ id }) => id === service.id) ?? {}
    return [
      String(i + 1),
      visible(name ?? service.serviceId),
      service.status,
      specimenId ? `specimen ${visible(specimenId)}` : 'no specimen',
      service.nextStatuses.length > 0 ? `next: ${service.nextStatuses.join(', ')}` : 'takes no more changes',
      service.id,
    ]
  })
  return `Services:\n\n${table(rows)}`
}

function timelineText({ timeline }: OperatorOrder): string {
  const rows = timeline.map(({ at, summary, details }) => {
    const reason = typeof details['reason'] === 'string' ? ` Reason: ${details['reason']}` : ''
    return [at, visible(`${summary}${reason}`)]
  })
  return `Time line, first to last:\n\n${table(rows)}`
}

function clinicText({ order, isBooked, appointmentAt }: OperatorOrder): string {
  if (!order.clinic) return 'none yet'
  if (appointmentAt !== null) return `${order.clinic.name}, expected ${appointmentAt}`
  return isBooked ? `${order.clinic.name}, booked` : order.clinic.name
}

const personText = (person: NonNullable<OperatorOrder['order']['participant']>) =>
  [nameOf(person), person.birthDate && `born ${person.birthDate}`, person.phone, person.email]
    .filter(Boolean)
    .join(', ')

const nameOf = ({
  firstName,
  middleName,
  lastName,
}: Record<'firstName' | 'lastName', string> & { middleName: string | null }) =>
  [firstName, middleName, lastName].filter(Boolean).join(' ')
