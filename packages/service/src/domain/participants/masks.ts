/** `m•••@example.com`: enough to recognize an address, too little to learn it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at <= 0 ? '•••' : `${Array.from(email)[0]}•••${email.slice(at)}`
}

/** The last four digits of a phone number, without its extension. */
export const phoneEnding = (phone: string): string => (phone.split(/;|ext|x/i)[0] ?? '').replaceAll(/\D/g, '').slice(-4)
