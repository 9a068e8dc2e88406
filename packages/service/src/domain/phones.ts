import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * A telephone number in E.164, read as a national one of the United States unless it names its country; null for what
 * is none. Only its form is checked: area codes are opened faster than any table of them is kept.
 */
export function normalisePhone(text: string): string | null {
  const known = read.get(text)
  if (known !== undefined) return known || null
  const number = readPhone(text)
  if (read.size >= REMEMBERED) read.clear()
  read.set(text, number ?? '')
  return number
}

/** Numbers read before, the empty text for what is none: those who place orders do so again, and reading takes long. */
const read = new Map<string, string>()
const REMEMBERED = 1_000

function readPhone(text: string): string | null {
  const phone = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false })
  // E.164 has no extensions, and leaving one out would make it another number.
  if (!phone?.isPossible() || phone.ext !== undefined || text.includes(';')) return null
  const { countryCallingCode, nationalNumber, number } = phone
  return countryCallingCode === '1' && !NORTH_AMERICAN.test(nationalNumber) ? null : number
}

const NORTH_AMERICAN = /^[2-9]\d{9}$/
