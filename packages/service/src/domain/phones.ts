import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * A telephone number in E.164, read as a national one of the United States unless it names its country; null for what
 * is none. Numbers are judged by their length: area codes are opened faster than any table of them is kept, and
 * fictional numbers are fine (ruling 36).
 */
export function normalisePhone(text: string): string | null {
  const phone = readPhone(text)
  // E.164 has no extensions, and leaving one out would make it another number.
  return phone && phone.extension === null ? phone.number : null
}

/** A participant's number: E.164, an extension behind it as RFC 3966 writes it; what is no such number stays as sent. */
export function participantPhone(text: string): string {
  const phone = readPhone(text)
  if (!phone) return text
  return phone.extension === null ? phone.number : `${phone.number}${EXTENSION}${phone.extension}`
}

/** The number alone, without its extension. */
export const withoutExtension = (phone: string) => phone.split(EXTENSION, 1)[0]!

const EXTENSION = ';ext='

interface Phone {
  number: string
  extension: string | null
}

/** Reading others takes long, and those who place orders do so again. */
const read = new Map<string, Phone | null>()
const REMEMBERED = 1_000

function readPhone(text: string): Phone | null {
  const known = read.get(text)
  if (known !== undefined) return known
  const phone = parsePhone(text)
  if (read.size >= REMEMBERED) read.clear()
  read.set(text, phone)
  return phone
}

/** Ten digits of North America, as most write them. They need no tables, which take twenty microseconds. */
const NORTH_AMERICAN = /^(?:\+1)?([2-9]\d{9})$/

function parsePhone(text: string): Phone | null {
  const ten = NORTH_AMERICAN.exec(text)?.[1]
  if (ten !== undefined) return { number: `+1${ten}`, extension: null }
  // Other parameters of RFC 3966 would change what the digits mean.
  if (/;(?!ext=\d+$)/.test(text)) return null
  const phone = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false })
  return phone?.isPossible() ? { number: phone.number, extension: phone.ext ?? null } : null
}
