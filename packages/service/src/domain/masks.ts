export const HIDDEN = '•••'

/** `ma•••@example.com`: enough to recognize an address, too little to learn it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const name = Array.from(email.slice(0, Math.max(at, 0)))
  return at <= 0 ? HIDDEN : `${name.slice(0, name.length > 3 ? 2 : 1).join('')}${HIDDEN}${email.slice(at)}`
}

/** The last four digits of a phone number, without its extension. */
export const phoneEnding = (phone: string): string => (phone.split(/;|ext|x/i)[0] ?? '').replaceAll(/\D/g, '').slice(-4)
