/** Shows enough of an e-mail address for its owner to recognize it: `ma•••@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 0 ? '•••' : `${email.slice(0, Math.min(2, at - 1))}•••${email.slice(at)}`
}

/** Shows the last four digits: `(•••) •••-0199`. */
export const maskPhone = (phone: string): string => `(•••) •••-${phone.replaceAll(/\D/g, '').slice(-4)}`
