import { formatPhone } from '@order-testing/pages'
import type { Order } from '../../domain/orders/order.ts'
import { HIDDEN, maskEmail } from '../../domain/masks.ts'

/** Where messages go, so that their owner recognises it and nobody else learns it. */
export const maskDelivery = ({ delivery }: Order): string =>
  delivery.type === 'email' ? maskEmail(delivery.to) : maskPhone(delivery.phone)

/** The last four digits, such as `(•••) •••-0199`. */
export function maskPhone(phone: string): string {
  const shown = formatPhone(phone)
  const digits = shown.replaceAll(/\D/g, '')
  return shown === phone ? `${HIDDEN}${digits.slice(-4)}` : `(${HIDDEN}) ${HIDDEN}-${digits.slice(-4)}`
}
