import type { Order, OrderParticipant } from '@order-testing/client/operator'

/** A participant as lists and pages show them until somebody asks for more. */
export interface MaskedParticipant {
  /** First name and last initial. */
  name: string
  birthDate: string | null
  phone: string | null
  email: string | null
  identifiers: { type: string; value: string }[]
}

/** An order without anything that identifies its participant: this is what the console keeps in memory. */
export type ListedOrder = Omit<Order, 'participant'> & {
  participant: MaskedParticipant | null
  /** In which the times of the order are shown; lists have it, the order of a page has it beside it. */
  timezone?: string
  /** The booked time, in lists. */
  appointmentAt?: string | null
}

const DOT = '•'

export function maskOrder({ participant, ...order }: Order): ListedOrder {
  return { ...order, participant: participant ? maskParticipant(participant) : null }
}

export function maskParticipant(person: OrderParticipant): MaskedParticipant {
  return {
    name: shortName(person),
    birthDate: '••••-••-••',
    phone: person.phone === null ? null : `(•••) •••-${person.phone.replace(/\D/g, '').slice(-4)}`,
    email: person.email === null ? null : maskEmail(person.email),
    identifiers: (person.identifiers ?? []).map(({ type, value, issuingState }) => ({
      type,
      value: [issuingState, DOT.repeat(4), value.replace(/\W/g, '').slice(-4)].filter(Boolean).join(' '),
    })),
  }
}

export const shortName = ({ firstName, lastName }: Pick<OrderParticipant, 'firstName' | 'lastName'>): string =>
  [plainName(firstName), initialOf(lastName)].filter(Boolean).join(' ')

/** `L.`, by whole characters: half of an emoji is no character. */
export function initialOf(name: string): string {
  const [first] = graphemes.segment(plainName(name))
  return first === undefined ? '' : `${first.segment}.`
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Controls that turn the direction of a text around would turn around what is written beside a name, too. */
export const plainName = (name: string): string =>
  name.replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\p{Cc}]/gu, '').trim()

function maskEmail(address: string): string {
  const [name = '', host = ''] = address.split('@')
  return `${Array.from(name).slice(0, 1).join('')}${DOT.repeat(4)}@${host}`
}
