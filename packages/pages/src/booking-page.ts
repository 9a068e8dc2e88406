import { bullets, html, type Html } from './html.ts'
import { pageUrl, noteParagraph, page } from './layout.ts'
import { clinicOffNote, whenAndWhere } from './pass-page.ts'
import { formatDateTime, textsIn } from './texts.ts'
import type { Frame, Language, OrderView, PassView } from './views.ts'

/** A booking as the requester sees it. Only the participant gets a pass. */
export function bookingPage(frame: Frame, view: PassView): string {
  const { language } = frame
  const texts = textsIn(language, 'requester')
  const body = html`<h1>${texts.passTitle}</h1>
    ${noteParagraph(view.note, language, 'requester')} ${clinicOffNote(frame, view)}
    ${view.isClinicOff ? '' : html`<p>${texts.passHint}</p>`}
    <section class="card pass">
      <dl>
        ${whenAndWhere(view, language)}
        <dt>${texts.forWhom}</dt>
        <dd>${view.name}</dd>
        <dt>${texts.whatIsOrdered}</dt>
        <dd>${bullets(view.services)}</dd>
        <dt>${texts.orderCode}</dt>
        <dd>${view.code}</dd>
      </dl>
    </section>
    ${view.isOpen ? actions(frame) : ''}`
  return page(frame, { title: texts.passTitle, body })
}

/** For whom the requester chooses a clinic, what is ordered and by when. */
export function requestCard({ name, company, services, expiresAt }: OrderView, language: Language): Html {
  const texts = textsIn(language, 'requester')
  return html`<section class="card">
    <h2>${texts.forPerson(name)}</h2>
    <p>${texts.askedBy(company)} ${expiresAt ? texts.byWhen(formatDateTime(expiresAt, language, null)) : ''}</p>
    <h3>${texts.whatIsOrdered}</h3>
    ${bullets(services)}
  </section>`
}

function actions(frame: Frame): Html {
  const texts = textsIn(frame.language, 'requester')
  return html`<div class="actions">
    <a class="button plain" href="${pageUrl(frame, { step: 'change' })}">${texts.change}</a>
    <a class="button plain" href="${pageUrl(frame, { step: 'cancel' })}">${texts.cancel}</a>
  </div>`
}
