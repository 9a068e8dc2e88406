import { emailLink, phoneLink } from './brand.ts'
import { formatShortDay, formatMoment } from './formats.ts'
import { html, type Html, type Part } from './html.ts'
import { icon, type Icon } from './icons.ts'
import { hidden, page, pageUrl } from './layout.ts'
import { properName, sentenceWith } from './names.ts'
import { fact } from './order-card.ts'
import { requestsLink } from './requests-page.ts'
import { textsIn } from './texts.ts'
import type { Brand, Contact, Frame, Language, Notice, NoticeView } from './views.ts'

type Mood = 'calm' | 'late' | 'done'

const LOOKS: Record<Notice, readonly [Icon, Mood]> = {
  wrongLink: ['unlink', 'calm'],
  expiredLink: ['hourglass', 'late'],
  newLink: ['mail', 'calm'],
  cancelled: ['ban', 'calm'],
  expired: ['hourglass', 'late'],
  missed: ['calendar', 'late'],
  waiting: ['clock', 'calm'],
  withdrawn: ['done', 'done'],
  finished: ['done', 'done'],
  tooMany: ['hourglass', 'late'],
  tooLarge: ['file', 'late'],
  unreadable: ['file', 'late'],
  broken: ['alarm', 'late'],
}

/** What happened, what to do and whom to call. It says nothing about the person and the tests. */
export function noticePage(frame: Frame, view: NoticeView): string {
  const { language } = frame
  const { notice, reader, about } = view
  const [title, text] = textsIn(language, reader).notices[notice]
  const [symbol, mood] = LOOKS[notice]
  const brand = about?.brand ?? null
  const body = html`<div class="column stack">
    <div>
      <div class="disc ${mood}">${icon(symbol)}</div>
      <h1>${title}</h1>
      <p class="lead">${whatHappened(view, language)} ${text}</p>
    </div>
    ${action(frame, view)} ${brand && brand.contacts.length > 0 ? whoToContact(brand, language) : ''}
    ${about?.hasOthers ? requestsLink(frame) : ''}
  </div>`
  return page(frame, { title, body, brand, asks: brand?.contacts.length === 0 })
}

/** When it happened. */
function whatHappened({ notice, about }: NoticeView, language: Language): Part {
  const { hadUntil, pass } = textsIn(language)
  if (notice === 'expired' && about?.expiresAt)
    return html`${hadUntil} <b>${formatMoment(about.expiresAt, language, about.timezone)}</b>.`
  if (notice === 'cancelled' && about?.endedAt) {
    const day = formatShortDay(about.endedAt, language, about.timezone)
    return sentenceWith([about.brand.company], language, (company) => pass.canceledOn(company, day))
  }
  return null
}

/** The one thing to do, if there is one. */
function action(frame: Frame, { notice, reader, about }: NoticeView): Html | null {
  const { moreTime, moreTimeSubject, newLink } = textsIn(frame.language).pass
  if (notice === 'expiredLink')
    return html`<form method="post" action="${pageUrl(frame)}" class="actions">
      ${hidden({ step: 'newLink' })}<button>${icon('send')} ${newLink.ask}</button>
      <p class="hint">${newLink.hint}</p>
    </form>`
  const contact = about?.brand.contacts.find(({ email }) => email !== null)
  if (notice !== 'expired' || reader === 'requester' || !contact) return null
  const address = `mailto:${contact.email}?subject=${encodeURIComponent(moreTimeSubject)}`
  return html`<p class="actions">
    <a class="button" href="${address}">${sentenceWith([contact.name], frame.language, moreTime)}</a>
  </p>`
}

function whoToContact({ contacts }: Brand, language: Language): Html {
  return html`<section class="card">
    <h2>${textsIn(language).whoToContact}</h2>
    <ul class="facts">
      ${contacts.map((contact) => contactFacts(contact, language))}
    </ul>
  </section>`
}

function contactFacts(contact: Contact, language: Language): Html[] {
  const { phone, email } = contact
  const name = properName(contact.name, language)
  if (phone === null) return email === null ? [] : [fact('mail', name, emailLink(email))]
  const call = fact('phone', name, phoneLink(contact))
  return email === null ? [call] : [call, fact('mail', emailLink(email))]
}
