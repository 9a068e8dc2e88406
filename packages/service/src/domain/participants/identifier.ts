import type { Participant } from '../orders/order.ts'

type Identifier = Participant['identifiers'][number]

/** The types the form offers. The API accepts more. */
export const IDENTIFIER_TYPES: ReadonlySet<string> = new Set([
  'driverLicense',
  'stateId',
  'passport',
  'ssn',
  'employeeId',
])

/** How many digits a Social Security number has, if it has neither nine nor the last four (ruling 37); else undefined. */
export function wrongDigits(type: string | undefined, value: string): number | undefined {
  if (type !== 'ssn' || value.trim() === '') return undefined
  const plain = value.replaceAll(/[\s.-]/g, '')
  return /^(\d{9}|\d{4})$/.test(plain) ? undefined : plain.replaceAll(/\D/g, '').length
}

/** The last four characters, or fewer of a short number: never more than half of it. */
export function maskIdentifier(value: string): string {
  const plain = value.replaceAll(/[^\p{L}\p{N}]/gu, '')
  const shown = Math.min(4, Math.floor(plain.length / 2))
  return `•••${shown === 0 ? '' : plain.slice(-shown)}`
}

/** The identifier that pages name: the license if there is one. */
export const shownIdentifier = (identifiers: readonly Identifier[]): Identifier | undefined =>
  identifiers.find(({ type }) => type === 'driverLicense') ?? identifiers[0]
