import { doubleMetaphone } from 'double-metaphone'
import { LRUCache } from 'lru-cache'
import { lastTen, plain } from '../matching/score.ts'
import { fold, wordsOf } from '../text.ts'
import type { Order } from './order.ts'

/** What an order can be found by. The store keeps keyed hashes of these keys, one row each. */
export function searchKeysOf(order: Order): string[] {
  const { participant, externalId, services } = order
  const { emails, phones } = contactsOf(order)
  const words = wordsOf([participant.firstName, participant.middleName, participant.lastName].join(' '))
  return [
    ...new Set([
      ...words.slice(0, MOST_WORDS).flatMap((word) => [nameKey(word), ...soundKeys(word)]),
      ...(participant.birthDate === null ? [] : [birthKey(participant.birthDate)]),
      ...emails.map((email) => emailKey(email)),
      ...phones.map((phone) => phoneKey(phone)),
      ...(externalId === null ? [] : prefixKeys('external', externalId)),
      ...services.flatMap(({ specimenId }) => (specimenId === null ? [] : prefixKeys('specimen', specimenId))),
    ]),
  ]
}

/** Names of up to 255 characters could have more words than anybody searches for. */
const MOST_WORDS = 12

/** The participant's own contacts, and those that notifications go to: an order by link may have only the latter. */
export function contactsOf({ participant, delivery }: Pick<Order, 'participant' | 'delivery'>): {
  emails: string[]
  phones: string[]
} {
  const emails = [participant.email, delivery.type === 'email' ? delivery.to : null]
  const phones = [participant.phone, delivery.type === 'mobile' ? delivery.phone : null]
  return {
    emails: emails.filter((email) => email !== null).map((email) => fold(email.trim())),
    phones: phones.map((phone) => lastTen(phone)).filter((digits) => digits !== ''),
  }
}

export const nameKey = (word: string) => `name ${word}`
export const birthKey = (date: string) => `born ${date}`
export const emailKey = (email: string) => `email ${fold(email)}`
export const phoneKey = (digits: string) => `phone ${digits.slice(-10)}`

/** Names that sound alike share a key. A single consonant, such as that of Lee, would fit too many names. */
export const soundKeys = (word: string) => soundsOf(word).map((sound) => `sound ${sound}`)

export const soundsOf = (word: string): string[] => sounds.memo(word)

const SHORTEST_SOUND = 2

/** Many people share a name. */
const sounds = new LRUCache<string, string[]>({
  max: 5_000,
  memoMethod: (word) => [...new Set(doubleMetaphone(word))].filter(({ length }) => length >= SHORTEST_SOUND),
})

type Identified = 'external' | 'specimen'

/** Prefixes are kept at every second length, which halves their number; the order itself tells whether the next character fits. */
const PREFIX = { shortest: 4, step: 2, longest: 24 }

/** The keys of an identifier, for each kept prefix. One that is too short is found as a whole. */
export function prefixKeys(kind: Identified, id: string): string[] {
  const text = identifierText(id)
  if (text.length < PREFIX.shortest) return [`${kind} ${text}`]
  const count = Math.floor((Math.min(text.length, PREFIX.longest) - PREFIX.shortest) / PREFIX.step) + 1
  return Array.from({ length: count }, (_, i) => `${kind} ${text.slice(0, PREFIX.shortest + i * PREFIX.step)}`)
}

/** The key that every identifier with this prefix has: that of the longest kept prefix. */
export const prefixKey = (kind: Identified, prefix: string): string => prefixKeys(kind, prefix).at(-1)!

/** An identifier as it is compared: without case and punctuation, unless there is nothing else. */
export const identifierText = (id: string) => plain(id) || id.trim()
