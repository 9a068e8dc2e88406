export const HIDDEN = '•••'

/** `ma•••@example.com`: enough to recognize an address, too little to learn it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const name = Array.from(email.slice(0, Math.max(at, 0)))
  return at <= 0 ? HIDDEN : `${name.slice(0, name.length > 3 ? 2 : 1).join('')}${HIDDEN}${email.slice(at)}`
}

/** The last four digits of a phone number, without its extension. */
export const phoneEnding = (phone: string): string => (phone.split(/;|ext|x/i)[0] ?? '').replaceAll(/\D/g, '').slice(-4)

/** `L.`: how a last name is shown where a person is only to be recognized; empty if there is none. */
export function lastInitial(lastName: string): string {
  const [first] = Array.from(lastName.trim())
  return first === undefined ? '' : `${first}.`
}

/** `Maria L.` */
export const shortName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  [firstName.trim(), lastInitial(lastName)].filter(Boolean).join(' ')
