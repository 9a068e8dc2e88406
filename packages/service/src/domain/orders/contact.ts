import { normalisePhone, participantPhone } from '../phones.ts'
import { refuse } from '../refusal.ts'
import { changeTime } from './life.ts'
import type { Order } from './order.ts'
import { isClosed } from './statuses.ts'

/** New contacts of a participant; those that are absent stay as they are. */
export interface Contact {
  email?: string | undefined
  phone?: string | undefined
}

/** Changes how the participant is reached. Notifications follow, if they go to what is changed. */
export function changeContact(order: Order, { email, phone }: Contact, now: Date): Order {
  if (isClosed(order.status)) throw refuse('invalidState', `Order ${order.code} is already ${order.status}.`)
  if (email === undefined && phone === undefined)
    throw refuse('required', 'Send an e-mail address or a phone.', '/email')
  const participant = {
    ...order.participant,
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone: participantPhone(phone) }),
  }
  const delivery = deliveryTo(order, { email, phone })
  const isSame =
    participant.email === order.participant.email &&
    participant.phone === order.participant.phone &&
    !hasNewAddress(order, { delivery })
  return isSame ? order : { ...order, participant, delivery, updatedAt: changeTime(order, now) }
}

/** Whether notifications go to another address than before. */
export const hasNewAddress = (before: Pick<Order, 'delivery'>, after: Pick<Order, 'delivery'>): boolean =>
  addressOf(before) !== addressOf(after)

/** The contacts of an order, as the audit log keeps them. */
export const contactOf = ({ participant, delivery }: Order) => ({
  contact: { email: participant.email, phone: participant.phone, notifications: addressOf({ delivery }) },
})

const addressOf = ({ delivery }: Pick<Order, 'delivery'>) => (delivery.type === 'email' ? delivery.to : delivery.phone)

function deliveryTo({ delivery }: Order, { email, phone }: Contact): Order['delivery'] {
  if (delivery.type === 'email') return email === undefined ? delivery : { ...delivery, to: email }
  if (phone === undefined) return delivery
  const number = normalisePhone(phone)
  if (number !== null) return { ...delivery, phone: number }
  throw refuse(
    'invalidFormat',
    'Notifications go to this phone: expected a number in US national or E.164 format, such as +16305550100.',
    '/phone',
  )
}
