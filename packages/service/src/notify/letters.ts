import { spoken, spokenBriefly, spokenPhone, type Language } from '@order-testing/pages'
import { recipientOf, type MessageKind } from '../domain/notifications/plan.ts'
import type { Order } from '../domain/orders/order.ts'
import { canChooseClinic } from '../domain/bookings/bookings.ts'
import { needsDetails } from '../domain/participants/stage.ts'
import { letterPage } from './letter-page.ts'
import type { LetterTexts, Told } from './letter-texts.ts'
import { en } from './letters-en.ts'
import { ALSO_IN_SPANISH, es } from './letters-es.ts'
import { inPlainLetters } from './plain-letters.ts'
import { shownName } from './shown-names.ts'

/** A message in words, for a mail client and for a telephone. */
export interface Letter {
  language: Language
  subject: string
  text: string
  html: string
  /** For a text message: short, and with the address at its end. */
  short: string
}

const TEXTS: Record<Language, LetterTexts> = { en, es }

export const letterTextsIn = (language: Language): LetterTexts => TEXTS[language]

export interface LetterFacts {
  order: Order
  /** The page of whom it is for; null where there is nothing left to do or see. */
  link: string | null
  /** Where appointments are told in local time; UTC where it is not known. */
  timezone: string | undefined
}

/**
 * What a message says: who asks, by when and where, and nothing of what is tested or of the person. A mail may be read by
 * others, and on a locked screen. It speaks the language that the participant has shown; until then English, and says in
 * Spanish that the page does too.
 */
export function letterOf(kind: MessageKind, { order, link, timezone }: LetterFacts): Letter {
  const recipient = recipientOf(kind)
  const shown = recipient === 'participant' ? order.language : undefined
  const language = shown ?? 'en'
  const texts = letterTextsIn(language)
  const told = toldOf(order, (at) => spoken(at, language, timezone ?? null))
  const brief = briefly(toldOf(order, (at) => spokenBriefly(at, language, timezone ?? null)))
  const { subject, lines, button } = texts.says[kind](told)
  const greeted = [texts.hello(shownName(order[recipient].firstName)), ...lines, texts.orderCode[recipient](order.code)]
  const footer = texts.footer(told.company)
  const action = link === null ? null : { button, link: shown ? `${link}?lang=${language}` : link }
  const other = link === null || shown ? null : { ...OTHER, link: `${link}?lang=${OTHER.language}` }
  const text = [
    ...greeted,
    ...(action ? [`${action.button}:\n${action.link}`] : []),
    ...(other ? [`${other.text}:\n${other.link}`] : []),
    footer,
  ]
  const short = [
    ...texts.says[kind](brief).lines,
    ...(action ? [texts.orderCode[recipient](order.code)] : []),
    ...(other ? [`${other.text}:`] : []),
    ...(action ? [action.link] : []),
  ]
  return {
    language,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: letterPage({ language, subject, preview: lines.join(' '), paragraphs: greeted, action, other, footer }),
    short: inPlainLetters(short.join(' ')),
  }
}

const OTHER = { language: 'es', text: ALSO_IN_SPANISH } as const

function toldOf(order: Order, when: (at: Date) => string): Told {
  const { code, company, participant, clinic, expiresAt, appointmentAt } = order
  const { line1, line2, city, state, postalCode } = clinic?.address ?? {}
  const address = [line1, line2, city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return {
    code,
    company: calm(company.name, 80),
    participant: shownName(participant.firstName) || code,
    until: expiresAt && when(expiresAt),
    appointment: appointmentAt && when(appointmentAt),
    clinic: clinic && {
      name: calm(clinic.name, 80),
      address: calm(address, 200),
      phone: clinic.phone && spokenPhone(calm(clinic.phone, 40)),
    },
    choosesClinic: canChooseClinic(order, 'participant'),
    isBooked: order.isBooked,
    isUnfinished: needsDetails(order),
  }
}

/** A text message says where to go by the name alone: the page has the rest. */
const briefly = (told: Told): Told => ({
  ...told,
  clinic: told.clinic && { name: told.clinic.name, address: '', phone: null },
})

/**
 * The name of a company or clinic, which operators choose, as it may stand in a subject and a sentence: on one line,
 * without marks that change the direction of what follows, and not longer than anybody reads.
 */
function calm(name: string, most: number): string {
  const line = name
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\p{Cs}\u202A-\u202E\u2066-\u2069]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const letters = Array.from(line)
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : line
}
