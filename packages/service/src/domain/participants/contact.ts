import { changeTime, restate } from '../orders/life.ts'
import type { Order, Participant } from '../orders/order.ts'
import { normalisePhone } from '../phones.ts'
import { fold } from '../text.ts'
import { withDelivery } from './form.ts'

/** Where notifications go after the participant has given their contacts: to the new address or number, if it is one. */
export function deliveryFor(order: Order, { email, phone }: Pick<Participant, 'email' | 'phone'>): Order['delivery'] {
  const { delivery } = order
  const before = withDelivery(order)
  if (delivery.type === 'email')
    return email === null || fold(email) === fold(before.email ?? '') ? delivery : { ...delivery, to: email }
  const number = phone === null || phone === before.phone ? null : normalisePhone(phone)
  return number === null ? delivery : { ...delivery, phone: number }
}

/** Changes an e-mail address that is on file, before the other details are complete. */
export function withEmail(order: Order, email: string | null, now: Date): Order {
  const known = withDelivery(order).email
  if (email === null || known === null || email === known) return order
  const delivery = deliveryFor(order, { email, phone: null })
  return restate({ ...order, participant: { ...order.participant, email }, delivery }, changeTime(order, now))
}
