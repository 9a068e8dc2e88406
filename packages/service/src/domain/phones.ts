import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { LRUCache } from 'lru-cache'

/**
 * A phone number in E.164, parsed as a US national number unless it has a country code; null if invalid. Only the length is
 * checked: new area codes appear faster than tables are updated, and fictional numbers are allowed (ruling 36).
 */
export function normalisePhone(text: string): string | null {
  const phone = readPhone(text)
  // E.164 has no extensions, and dropping one would change the number.
  return phone && phone.extension === null ? phone.number : null
}

/** A participant's number in E.164, with its extension as in RFC 3966. Invalid numbers are kept as sent. */
export function participantPhone(text: string): string {
  const phone = readPhone(text)
  if (!phone) return text
  return phone.extension === null ? phone.number : `${phone.number}${EXTENSION}${phone.extension}`
}

/** The number without its extension. */
export const withoutExtension = (phone: string) => phone.split(EXTENSION, 1)[0]!

const EXTENSION = ';ext='

interface Phone {
  number: string
  extension: string | null
}

/** Ten digits of North America, the most common form. They need no tables, and take less than remembering them would. */
const NORTH_AMERICAN = /^(?:\+1)?([2-9]\d{9})$/

function readPhone(text: string): Phone | null {
  const ten = NORTH_AMERICAN.exec(text)?.[1]
  return ten === undefined ? parsed.memo(text).phone : { number: `+1${ten}`, extension: null }
}

/** Parsing a number takes twenty microseconds, and the same requesters place orders again and again. */
const parsed = new LRUCache<string, { phone: Phone | null }>({
  max: 1_000,
  memoMethod: (text) => ({ phone: parsePhone(text) }),
})

function parsePhone(text: string): Phone | null {
  // Other parameters of RFC 3966 would change the meaning of the digits.
  if (/;(?!ext=\d+$)/.test(text)) return null
  const phone = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false })
  return phone?.isPossible() ? { number: phone.number, extension: phone.ext ?? null } : null
}
