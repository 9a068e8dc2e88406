import { directionsUrl, formatPhone, type NotificationFacts } from '@order-testing/pages'
import { isForBooked, recipientOf, type PersonKind } from '../domain/notifications/plan.ts'
import type { Order, OrderClinic } from '../domain/orders/order.ts'
import { toOneLine } from './display-name.ts'
import { fullTime, type FactsInput } from './facts.ts'

/** A part of a mail's table. Each value is a line, unless it follows the one before. */
export interface Row {
  label: string
  values: Value[]
}

export interface Value {
  text: string
  href?: string | undefined
  isStrong?: boolean | undefined
  /** Whether it is a name or an address, which stays English. */
  isName?: boolean | undefined
  follows?: boolean | undefined
}

/** When and where to go, by when, what to bring: the facts of a mail at a glance. */
export function rowsOf(kind: PersonKind, facts: NotificationFacts, input: FactsInput): Row[] {
  const { order, texts } = input
  const { rows: labels } = texts
  const isOver = kind === 'cancellation' || kind === 'clinicNotNeeded'
  const isForOther = recipientOf(kind) === 'requester'
  const goesThere = !isForOther && (facts.needsBooking || facts.isBooked)
  const row = (label: string, text: string, isStrong = false): Row => ({ label, values: [{ text, isStrong }] })
  const isBooked = isForBooked(kind, order)
  return [
    ...(isBooked ? bookingRows(order, input) : []),
    ...(!isOver && !isBooked && order.expiresAt
      ? [row(goesThere || isForOther ? labels.goBy : labels.finishBy, fullTime(order.expiresAt, input), true)]
      : []),
    ...(isForOther ? [row(labels.forWhom, facts.participant)] : []),
    row(labels.code, facts.code, isBooked),
    ...(goesThere && !isOver ? [row(labels.bring, texts.photoId), row(labels.cost, texts.noCost)] : []),
  ]
}

/** The clinic's address by line, for display and for maps. */
export function addressLines({ address }: OrderClinic): string[] {
  const { line1, line2, city, state, postalCode } = address ?? {}
  const place = [city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return [line1, line2, place].flatMap((line) => (line ? [toOneLine(line, 100)] : []))
}

function bookingRows({ clinic, appointmentAt, isArrival }: Order, input: FactsInput): Row[] {
  const { texts } = input
  const when = appointmentAt ? fullTime(appointmentAt, input) : texts.walkIn
  return [
    { label: isArrival ? texts.rows.arrival : texts.rows.when, values: [{ text: when, isStrong: true }] },
    ...(clinic ? [{ label: texts.rows.where, values: placeOf(clinic, texts.directions) }] : []),
  ]
}

function placeOf(clinic: OrderClinic, directions: string): Value[] {
  const name = toOneLine(clinic.name, 80)
  const address = addressLines(clinic)
  const phone = clinic.phone === null ? null : toOneLine(clinic.phone, 40)
  return [
    { text: name, isStrong: true, isName: true },
    ...address.map((text) => ({ text, isName: true })),
    ...(address.length > 0 ? [{ text: directions, href: directionsUrl({ name, address }) }] : []),
    ...(phone === null ? [] : [{ text: formatPhone(phone), href: telUrl(phone), follows: address.length > 0 }]),
  ]
}

export const telUrl = (phone: string) => `tel:${phone.replaceAll(/[^\d+*#,;]/g, '')}`
