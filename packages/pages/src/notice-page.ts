import { emailLink, phoneLink } from './brand.ts'
import { formatMoment } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon, type Icon } from './icons.ts'
import { page } from './layout.ts'
import { properName } from './names.ts'
import { fact } from './order-card.ts'
import { textsIn } from './texts.ts'
import type { Brand, Frame, Language, Notice, NoticeView } from './views.ts'

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
  broken: ['alarm', 'late'],
}

/** What happened, what to do and whom to call. It says nothing about the person and the tests. */
export function noticePage(frame: Frame, { notice, reader, about }: NoticeView): string {
  const { language } = frame
  const [title, text] = textsIn(language, reader).notices[notice]
  const [symbol, mood] = LOOKS[notice]
  const brand = about?.brand ?? null
  const body = html`<div class="column stack">
    <div>
      <div class="disc ${mood}">${icon(symbol)}</div>
      <h1>${title}</h1>
      <p class="lead">${notice === 'expired' ? deadline(about, language) : ''} ${text}</p>
    </div>
    ${brand && brand.contacts.length > 0 ? whoToContact(brand, language) : ''}
  </div>`
  return page(frame, { title, body, brand, asks: brand?.contacts.length === 0 })
}

function deadline(about: NoticeView['about'], language: Language): Html | null {
  if (!about?.expiresAt) return null
  const when = formatMoment(about.expiresAt, language, about.timezone)
  return html`${textsIn(language).hadUntil} <b>${when}</b>.`
}

function whoToContact({ contacts }: Brand, language: Language): Html {
  return html`<section class="card">
    <h2>${textsIn(language).whoToContact}</h2>
    <ul class="facts">
      ${contacts.map(
        (contact) =>
          html`${contact.phone === null ? '' : fact('phone', properName(contact.name, language), phoneLink(contact))}
          ${contact.email === null ? '' : fact('mail', contact.phone === null ? properName(contact.name, language) : emailLink(contact.email), contact.phone === null ? emailLink(contact.email) : null)}`,
      )}
    </ul>
  </section>`
}
