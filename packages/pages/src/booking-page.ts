import { clinicOffNote } from './booking-words.ts'
import { formatMoment } from './formats.ts'
import { html, type Html } from './html.ts'
import { sentenceWith } from './names.ts'
import { icon } from './icons.ts'
import { noteParagraph, page, pageUrl } from './layout.ts'
import { fact, serviceName } from './order-card.ts'
import { factsOf, placeFacts } from './pass-facts.ts'
import { requestsLink } from './requests-page.ts'
import { bookingTexts, textsIn } from './texts.ts'
import type { Frame, Language, OrderView, PassView } from './views.ts'

/** A booking as the requester sees it. Only the participant gets a pass. */
export function bookingPage(frame: Frame, view: PassView): string {
  const { language } = frame
  const texts = bookingTexts(view, language, 'requester')
  const services = html`<ul>
    ${view.services.map((service) => html`<li>${serviceName(service, language)}</li>`)}
  </ul>`
  const facts = [
    ...placeFacts(view, language),
    { name: texts.forWhom, value: view.name, isHalf: true },
    { name: texts.orderCode, value: view.code, isHalf: true },
    { name: texts.whatIsOrdered, value: services },
  ]
  const body = html`<div class="column stack">
    ${noteParagraph(view.note, language, 'requester')} ${clinicOffNote(frame, view)}
    <div class="top">
      <div class="hail">
        ${view.isClinicOff ? '' : html`<span class="tick">${icon('check')}</span>`}
        <h1>${texts.passTitle}</h1>
      </div>
      ${view.isClinicOff ? '' : html`<p class="lead">${texts.passHint}</p>`}
    </div>
    <section class="pass plainpass">${factsOf(facts)}</section>
    ${view.isOpen ? actions(frame, view) : ''} ${view.hasOthers ? requestsLink(frame) : ''}
  </div>`
  const { brand, code } = view
  return page(frame, { title: texts.passTitle, body, sheets: ['pass'], brand, code })
}

/** For whom the requester chooses a clinic, what is ordered and by when. */
export function requestCard({ name, company, services, expiresAt, timezone }: OrderView, language: Language): Html {
  const texts = textsIn(language, 'requester')
  const due = expiresAt && texts.byWhen(formatMoment(expiresAt, language, timezone))
  return html`<ul class="card facts ruled column">
    ${fact('idCard', texts.forPerson(name), sentenceWith([company], language, texts.askedBy))}
    ${services.map((service) => fact('tube', serviceName(service, language)))} ${due ? fact('calendar', due) : ''}
  </ul>`
}

function actions(frame: Frame, view: PassView): Html {
  const texts = bookingTexts(view, frame.language, 'requester')
  return html`<div class="plans">
    <p>
      <a class="button link" href="${pageUrl(frame, { step: 'change' })}">${texts.change}</a>
      <a class="button link bad" href="${pageUrl(frame, { step: 'cancel' })}">${texts.cancel}</a>
    </p>
  </div>`
}
