import {
  ENGLISH,
  findLanguage,
  languageCodes,
  languageFile,
  withPeriod,
  type Brand,
  type Button,
  type Language,
  type NotificationFacts,
  type NotificationTexts,
} from '@order-testing/pages'
import { recipientOf, type PersonKind } from '../domain/notifications/plan.ts'
import type { Order } from '../domain/orders/order.ts'
import { attachmentsOf, logoOf, type Attachment } from './attachments.ts'
import { toOneLine } from './display-name.ts'
import { factsOf } from './facts.ts'
import { toGsmText } from '../domain/notifications/gsm-text.ts'
import { renderMailPage, type MailPage } from './mail-page.ts'
import { toPlainText } from './plain-text.ts'
import { rowsOf, telUrl, type Value } from './rows.ts'

/** A composed notification, for both channels. */
export interface Content {
  language: Language
  /** Whose name stands beside the sender's address, if any. */
  sender?: string
  subject: string
  text: string
  html: string
  /** The text message: short, with one link. */
  short: string
  attachments: Attachment[]
}

export interface ComposeInput {
  order: Order
  /** The recipient's page; null if there is nothing left to do or see. */
  link: string | null
  /** The zone of all times (ruling 56). UTC is named. */
  zone: string
  now: Date
  /** Who asks, and whom to ask. */
  brand?: Brand
  /** Whether it is the first text message about the order. */
  isFirst?: boolean
  /** For somebody else's information: without link and attachments. */
  isCopy?: boolean
  /** The appointment that is gone, for its entry in calendars. */
  goneAt?: Date | null
}

/**
 * Composes a notification. It may be read by others, or on a locked screen, so it says who asks, by when and where, but
 * nothing about the test or the person. It is in the language the participant has used; until one is known, in English with
 * links to the page in other languages.
 */
export function composeNotification(kind: PersonKind, input: ComposeInput): Content {
  const { order, isCopy = false } = input
  const recipient = recipientOf(kind)
  const known = recipient === 'participant' ? findLanguage(order.language) : undefined
  const language = known ?? ENGLISH
  const texts = languageFile(language).notifications
  const brand = safeBrand(order, input.brand)
  const context = { ...input, recipient, language, texts }
  const facts = factsOf(context)
  const wording = texts.kinds[kind](facts)
  const subject = plainSpaces(isCopy ? texts.copySubject(wording.subject) : wording.subject)
  const link = isCopy ? null : input.link
  const button = buttonOf(kind, facts)
  const action =
    link === null ? null : { button: texts.buttons[button], link: known ? `${link}?lang=${language}` : link }
  const others = link === null || known ? [] : otherPages(link, language)
  const logo = logoOf(brand.logo)
  const lines = wording.lines.map(withPeriod)
  const rows = rowsOf(kind, facts, context)
  const mail: MailPage = {
    language,
    subject,
    title: wording.title,
    preview: [...lines, ...rows.slice(0, 2).map(({ label, values }) => `${label}: ${values[0]!.text}.`)].join(' '),
    brand: { ...brand, logo: logo.source },
    names: [brand.company, brand.tenant, facts.clinic],
    hasTick: order.isBooked && (kind === 'booking' || kind === 'clinicChosen'),
    note: isCopy ? texts.copyNote(facts.participant) : null,
    lines,
    rows,
    action,
    buttonFails: texts.buttonFails,
    others,
    after:
      action && kind.startsWith('booking') && facts.isBooked && facts.choosesClinic
        ? [texts.plansChanged(facts.deadline)]
        : [],
    help: helpOf(kind, { brand, texts, code: facts.code, isCopy }),
    footer: [texts.sentBy(brand.tenant, brand.company), ...(action ? [texts.keepLink] : [])],
    privacy: brand.privacyUrl === null ? null : { text: texts.privacy, href: brand.privacyUrl },
  }
  return {
    language,
    sender:
      brand.tenant === '' || brand.tenant === brand.company ? brand.company : texts.sender(brand.company, brand.tenant),
    subject,
    text: toPlainText(mail),
    html: renderMailPage(mail),
    short: toGsmText(shortOf({ texts, short: wording.short, button, action, others, brand, isFirst: input.isFirst })),
    attachments: [...logo.attachments, ...(isCopy ? [] : attachmentsOf(kind, { ...context, brand, action, facts }))],
  }
}

/** The page in the other languages, each named in its own. */
const otherPages = (link: string, language: Language): MailPage['others'] =>
  languageCodes()
    .filter((other) => other !== language)
    .map((other) => ({
      language: other,
      text: languageFile(other).notifications.alsoHere,
      link: `${link}?lang=${other}`,
    }))

/** A subject of ASCII characters needs no encoding. */
export const plainSpaces = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, ' ')

const LONGEST_SENDER = 40

/** Who sends, what it is about, one labeled link, and how to stop. */
function shortOf({
  texts,
  short,
  button,
  action,
  others,
  brand,
  isFirst = false,
}: {
  texts: NotificationTexts
  short: string
  button: Button
  action: MailPage['action']
  others: MailPage['others']
  brand: Brand
  isFirst?: boolean | undefined
}): string {
  const label = `${texts.shortButtons[button]}${others.length > 0 ? ` (${others.map(({ text }) => text.toLowerCase()).join(', ')})` : ''}`
  return [
    `${toOneLine(brand.company, LONGEST_SENDER)}: ${withPeriod(short)}`,
    ...(action ? [`${label}: ${action.link}`] : []),
    ...(isFirst ? [texts.optOut] : []),
  ].join(' ')
}

function buttonOf(kind: PersonKind, { isBooked, isUnfinished, needsBooking }: NotificationFacts): Button {
  if (recipientOf(kind) === 'requester') return isBooked ? 'seeBooking' : 'chooseClinic'
  if (kind === 'bookingWithdrawn') return 'seeNext'
  if (isBooked && kind !== 'link') return isUnfinished ? 'fillIn' : 'openPass'
  return needsBooking ? 'book' : 'fillIn'
}

/** Names from the catalog, safe for headers and texts. */
function safeBrand({ company }: Order, brand: Brand | undefined): Brand {
  const none = { tenant: '', company: company.name, logo: null, accent: null, privacyUrl: null, contacts: [] }
  const given = brand ?? none
  const contacts = given.contacts.map(({ name, phone, email }) => ({
    name: toOneLine(name, 80),
    phone: phone && toOneLine(phone, 40),
    email,
  }))
  return { ...given, tenant: toOneLine(given.tenant, 80), company: toOneLine(given.company, 80), contacts }
}

/** Kinds that ask for something before anything is booked. A stranger's mail that asks for data should be doubted. */
const ASKING = new Set<PersonKind>(['link', 'linkAgain', 'reminder', 'clinicRequest', 'clinicLinkAgain'])

function helpOf(
  kind: PersonKind,
  { brand, texts, code, isCopy }: { brand: Brand; texts: NotificationTexts; code: string; isCopy: boolean },
): MailPage['help'] {
  const [contact] = brand.contacts
  const values: Value[] = contact
    ? [
        { text: contact.name },
        ...(contact.phone ? [{ text: contact.phone, href: telUrl(contact.phone) }] : []),
        ...(contact.email ? [{ text: contact.email, href: `mailto:${contact.email}` }] : []),
      ]
    : [{ text: brand.company }]
  const isAsking = ASKING.has(kind) && !isCopy && contact !== undefined && brand.tenant !== ''
  if (!isAsking) return { title: null, before: '', sentence: texts.questions, values }
  const sentence = (who: string) => texts.toBeSure(who, code)
  return { title: texts.isThisReal, before: texts.whoSends(brand.tenant, brand.company), sentence, values }
}
