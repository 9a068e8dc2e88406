import { formatPhone } from '@order-testing/pages'
import type { Order } from '../../domain/orders/order.ts'

const HIDDEN = '•••'

/** Where messages go, so that their owner recognises it and nobody else learns it. */
export const maskDelivery = ({ delivery }: Order): string =>
  delivery.type === 'email' ? maskEmail(delivery.to) : maskPhone(delivery.phone)

/** The first two letters and the domain, such as `ma•••@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const name = email.slice(0, at)
  return `${name.slice(0, name.length > 3 ? 2 : 1)}${HIDDEN}${email.slice(at)}`
}

/** The last four digits, such as `(•••) •••-0199`. */
function maskPhone(phone: string): string {
  const shown = formatPhone(phone)
  const digits = shown.replaceAll(/\D/g, '')
  return shown === phone ? `${HIDDEN}${digits.slice(-4)}` : `(${HIDDEN}) ${HIDDEN}-${digits.slice(-4)}`
}
