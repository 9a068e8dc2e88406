import { fold, wordsOf } from '../text.ts'
import type { Order } from './order.ts'
import { contactsOf, identifierText, soundsOf } from './search-keys.ts'
import type { Reading, SearchTerm } from './search-query.ts'

/** The members of an order that a search can match. */
export const MATCHED_MEMBERS = [
  'id',
  'code',
  'specimenId',
  'externalId',
  'firstName',
  'middleName',
  'lastName',
  'birthDate',
  'email',
  'phone',
] as const
export type MatchedMember = (typeof MATCHED_MEMBERS)[number]

export interface SearchHit {
  order: Order
  matchedOn: MatchedMember[]
  /** How far the order is from what was entered; 0 if it is exactly that. */
  distance: number
}

/** Whole values come before prefixes, and those before names that only sound alike. */
const DISTANCE = { equal: 0, prefix: 1, sound: 2 }

interface Fit {
  member: MatchedMember
  distance: number
}

/** Compares an order with every term of a query; null if it does not fit one of them. */
export function judgeHit(order: Order, terms: readonly SearchTerm[]): SearchHit | null {
  const fits = terms.map((term) => term.flatMap((reading) => fitsOf(order, reading)))
  if (terms.length === 0 || fits.some((each) => each.length === 0)) return null
  const found = fits.map((each) => {
    const best = Math.min(...each.map(({ distance }) => distance))
    return { best, members: each.filter(({ distance }) => distance === best).map(({ member }) => member) }
  })
  const members = new Set(found.flatMap((each) => each.members))
  return {
    order,
    matchedOn: MATCHED_MEMBERS.filter((member) => members.has(member)),
    distance: found.reduce((sum, { best }) => sum + best, 0),
  }
}

/** The closest first, and the newest of those. */
export const compareHits = (a: SearchHit, b: SearchHit) =>
  a.distance - b.distance || (a.order.id < b.order.id ? 1 : a.order.id > b.order.id ? -1 : 0)

const NAMES = ['firstName', 'middleName', 'lastName'] as const

function fitsOf(order: Order, reading: Reading): Fit[] {
  switch (reading.kind) {
    case 'id':
      return order.id === reading.text ? [equal('id')] : []
    case 'code':
      return prefixFit('code', order.code, reading.text)
    case 'externalId':
      return order.externalId === null ? [] : prefixFit('externalId', identifierText(order.externalId), reading.text)
    case 'specimenId':
      return order.services.flatMap(({ specimenId }) =>
        specimenId === null ? [] : prefixFit('specimenId', identifierText(specimenId), reading.text),
      )
    case 'name':
      return NAMES.flatMap((member) => nameFit(member, order.participant[member], reading.word))
    case 'birthDate':
      return order.participant.birthDate === reading.date ? [equal('birthDate')] : []
    case 'email':
      return contactsOf(order).emails.includes(fold(reading.email)) ? [equal('email')] : []
    default:
      return contactsOf(order).phones.includes(reading.digits.slice(-10)) ? [equal('phone')] : []
  }
}

const equal = (member: MatchedMember): Fit => ({ member, distance: DISTANCE.equal })

/** Identifiers with fewer characters than a kept prefix are found as a whole. */
function prefixFit(member: MatchedMember, text: string, prefix: string): Fit[] {
  if (text === prefix) return [equal(member)]
  return text.startsWith(prefix) ? [{ member, distance: DISTANCE.prefix }] : []
}

function nameFit(member: MatchedMember, name: string | null, word: string): Fit[] {
  const words = wordsOf(name ?? '')
  if (words.includes(word)) return [equal(member)]
  const sounds = new Set(soundsOf(word))
  const isAlike = words.some((each) => soundsOf(each).some((sound) => sounds.has(sound)))
  return isAlike ? [{ member, distance: DISTANCE.sound }] : []
}
