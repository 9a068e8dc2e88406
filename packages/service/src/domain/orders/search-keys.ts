import { doubleMetaphone } from 'double-metaphone'
import { LRUCache } from 'lru-cache'
import { lastTen, plain } from '../matching/score.ts'
import { fold, wordsOf } from '../text.ts'
import type { Order } from './order.ts'

/** What an order can be found by as a whole. The store keeps keyed hashes of these keys, one row each. */
export function searchKeysOf(order: Order): string[] {
  const { participant } = order
  const { emails, phones } = contactsOf(order)
  const names = [participant.firstName, participant.middleName ?? '', participant.lastName]
  return [
    ...new Set([
      ...names.flatMap((name) => nameKeys.memo(name)),
      ...(participant.birthDate === null ? [] : [birthKey(participant.birthDate)]),
      ...emails.map((email) => emailKey(email)),
      ...phones.map((phone) => phoneKey(phone)),
    ]),
  ]
}

/** An identifier that is found by its beginning. */
export interface PrefixedId {
  kind: 'externalId' | 'specimenId'
  text: string
}

/** What an order can be found by from its beginning. The store keeps a code of each, which shows no character. */
export const prefixedIdsOf = ({ externalId, services }: Order): PrefixedId[] => [
  ...(externalId === null ? [] : [{ kind: 'externalId', text: identifierText(externalId) } as const]),
  ...services.flatMap(({ specimenId }) =>
    specimenId === null ? [] : [{ kind: 'specimenId', text: identifierText(specimenId) } as const],
  ),
]

/** Names of up to 255 characters could have more words than anybody searches for. */
const MOST_WORDS = 8

/** Many people share a name, and folding one takes longer than the rest of the keys. */
const nameKeys = new LRUCache<string, string[]>({
  max: 2_000,
  memoMethod: (name) =>
    wordsOf(name)
      .slice(0, MOST_WORDS)
      .flatMap((word) => [nameKey(word), ...soundKeys(word)]),
})

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
  max: 2_000,
  memoMethod: (word) => [...new Set(doubleMetaphone(word))].filter(({ length }) => length >= SHORTEST_SOUND),
})

/** An identifier as it is compared: without case and punctuation, unless there is nothing else. */
export const identifierText = (id: string) => plain(id) || id.trim()
