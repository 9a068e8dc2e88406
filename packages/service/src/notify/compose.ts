import { formatDateTime, formatPhone, formatShortDateTime, withPeriod, type Language } from '@order-testing/pages'
import { canChooseClinic, servicesToAttend } from '../domain/bookings/bookings.ts'
import { recipientOf, type PersonKind } from '../domain/notifications/plan.ts'
import type { Order } from '../domain/orders/order.ts'
import { knownZone } from '../domain/places/zone-of.ts'
import { dayAfter, localTime } from '../domain/places/zones.ts'
import { needsDetails } from '../domain/participants/stage.ts'
import { displayName, truncate } from './display-name.ts'
import { toGsmText } from './gsm-text.ts'
import { renderMailPage } from './mail-page.ts'
import { en } from './texts-en.ts'
import { ALSO_IN_SPANISH, es } from './texts-es.ts'
import type { Button, NotificationFacts, NotificationTexts } from './texts.ts'

/** A composed notification, for both channels. */
export interface Content {
  language: Language
  subject: string
  text: string
  html: string
  /** The text message: short, with the link last. */
  short: string
}

export interface ComposeInput {
  order: Order
  /** The recipient's page; null if there is nothing left to do or see. */
  link: string | null
  /** The zone of all times (ruling 56). UTC is named. */
  zone: string
  now: Date
}

const TEXTS: Record<Language, NotificationTexts> = { en, es }

export const notificationTextsIn = (language: Language): NotificationTexts => TEXTS[language]

/**
 * Composes a notification. It may be read by others, or on a locked screen, so it says who asks, by when and where, but
 * nothing about the test or the person. It is in the language the participant has used; until one is known, in English with
 * a link to the Spanish page.
 */
export function composeNotification(kind: PersonKind, { order, link, zone, now }: ComposeInput): Content {
  const recipient = recipientOf(kind)
  const known = recipient === 'participant' ? order.language : undefined
  const language = known ?? 'en'
  const texts = notificationTextsIn(language)
  const timezone = knownZone(zone)
  const day = dayOf(order.appointmentAt, now, zone)
  const facts = factsOf(order, texts, day, (at) => formatDateTime(at, language, timezone))
  const shortFacts = withoutAddress(factsOf(order, texts, day, (at) => formatShortDateTime(at, language, timezone)))
  const [subject, ...sentences] = texts.kinds[kind](facts)
  const lines = sentences.map(withPeriod)
  const orderCode = texts.orderCode[recipient](order.code)
  const paragraphs = [texts.hello(displayName(order[recipient].firstName)), ...lines, orderCode]
  const footer = texts.footer(facts.company)
  const button = texts.buttons[buttonOf(kind, facts)]
  const action = link === null ? null : { button, link: known ? `${link}?lang=${language}` : link }
  const other = link === null || known ? null : { ...OTHER, link: `${link}?lang=${OTHER.language}` }
  const text = [
    ...paragraphs,
    ...(action ? [`${action.button}:\n${action.link}`] : []),
    ...(other ? [`${other.text}:\n${other.link}`] : []),
    footer,
  ]
  const short = [
    ...texts.kinds[kind](shortFacts).slice(1).map(withPeriod),
    ...(action ? [orderCode] : []),
    ...(other ? [`${other.text}:`] : []),
    ...(action ? [action.link] : []),
  ]
  return {
    language,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: renderMailPage({ language, subject, preview: lines.join(' '), paragraphs, action, other, footer }),
    short: toGsmText(short.join(' ')),
  }
}

const OTHER = { language: 'es', text: ALSO_IN_SPANISH } as const

function buttonOf(kind: PersonKind, { isBooked, isUnfinished, needsBooking }: NotificationFacts): Button {
  if (recipientOf(kind) === 'requester') return 'chooseClinic'
  if (kind === 'bookingWithdrawn') return 'seeNext'
  if (kind.startsWith('booking') || (kind === 'reminder' && isBooked)) return isUnfinished ? 'fillIn' : 'openPass'
  return needsBooking ? 'book' : 'fillIn'
}

/** Whether an appointment is today or tomorrow, in local time. */
function dayOf(appointmentAt: Date | null, now: Date, zone: string): NotificationFacts['day'] {
  const today = localTime(now, zone).date
  const date = appointmentAt && localTime(appointmentAt, zone).date
  if (date === today) return 'today'
  return date === dayAfter(today) ? 'tomorrow' : null
}

function factsOf(
  order: Order,
  texts: NotificationTexts,
  day: NotificationFacts['day'],
  format: (at: Date) => string,
): NotificationFacts {
  const { code, company, participant, clinic, expiresAt, appointmentAt, isBooked } = order
  const { line1, line2, city, state, postalCode } = clinic?.address ?? {}
  const address = [line1, line2, city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return {
    code,
    company: toOneLine(company.name, 80),
    participant: displayName(participant.firstName) || code,
    by: expiresAt ? ` ${texts.by(format(expiresAt))}` : '',
    soonOrBy: expiresAt ? texts.by(format(expiresAt)) : texts.soon,
    appointment: appointmentAt && format(appointmentAt),
    day,
    clinic: clinic && {
      name: toOneLine(clinic.name, 80),
      address: toOneLine(address, 200),
      phone: clinic.phone && formatPhone(toOneLine(clinic.phone, 40)),
    },
    choosesClinic: canChooseClinic(order, 'participant'),
    isBooked,
    needsBooking: !isBooked && servicesToAttend(order).length > 0,
    isUnfinished: needsDetails(order),
  }
}

/** A text message names the clinic only; the page has the rest. */
const withoutAddress = (facts: NotificationFacts): NotificationFacts => ({
  ...facts,
  clinic: facts.clinic && { name: facts.clinic.name, address: '', phone: null },
})

/** Makes a name from the catalog safe for a subject line: no line breaks, no marks that change the text direction. */
export const toOneLine = (name: string, maxLength: number): string =>
  truncate(
    name
      .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .replaceAll(/[\p{Cs}\u202A-\u202E\u2066-\u2069]/gu, '')
      .replaceAll(/\s+/gu, ' ')
      .trim(),
    maxLength,
  )
