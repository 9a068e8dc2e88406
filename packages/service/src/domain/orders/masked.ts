import type { Order as PresentedOrder } from '@order-testing/contract'
import { lastInitial, maskEmail, phoneEnding } from '../masks.ts'
import type { Order, Participant } from './order.ts'
import type { OrderView } from './view.ts'

type Presented = NonNullable<PresentedOrder['participant']>

/** First name, initial of the last name, and enough of the contacts to recognize them by somebody who knows them. */
export const maskPresented = (participant: Presented): Presented => ({
  address: null,
  birthDate: null,
  email: participant.email && maskEmail(participant.email),
  firstName: participant.firstName,
  lastName: lastInitial(participant.lastName),
  middleName: null,
  phone: participant.phone && `(•••) •••-${phoneEnding(participant.phone)}`,
  identifiers: (participant.identifiers ?? []).map((identifier) => ({
    ...identifier,
    value: `•••${identifier.value.length > 8 ? identifier.value.slice(-4) : ''}`,
  })),
})

/** First name and initial of the last name; everything else is hidden. */
export const maskToName = ({ firstName, lastName }: Participant): Presented => ({
  address: null,
  birthDate: null,
  email: null,
  firstName,
  lastName: lastInitial(lastName),
  middleName: null,
  phone: null,
})

/** A view with a masked participant. */
export const maskView = ({ order, participant }: OrderView): OrderView => ({
  order,
  participant: participant && JSON.stringify(maskPresented(JSON.parse(participant) as Presented)),
})

/** Where messages go, masked. */
export function maskDelivery({ delivery }: Order) {
  const { type } = delivery
  return type === 'email'
    ? { type, to: maskEmail(delivery.to) }
    : { type, phone: `(•••) •••-${phoneEnding(delivery.phone)}` }
}
