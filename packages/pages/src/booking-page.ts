import { bullets, html, type Html } from './html.ts'
import { addressOf, noteOf, page } from './layout.ts'
import { clinicOffNote, whenAndWhere } from './pass-page.ts'
import { spoken, textsIn } from './texts.ts'
import type { Frame, Language, OrderView, PassView } from './views.ts'

/** What a requester sees of a booking: where and when, for whom and what. Only the participant gets a pass. */
export function bookingPage(frame: Frame, view: PassView): string {
  const { language } = frame
  const texts = textsIn(language, 'requester')
  const body = html`<h1>${texts.passTitle}</h1>
    ${noteOf(view.note, language, 'requester')} ${clinicOffNote(frame, view)}
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

/** For whom a clinic is to be chosen, what is to be done there and by when. */
export function requestCard({ name, company, services, expiresAt }: OrderView, language: Language): Html {
  const texts = textsIn(language, 'requester')
  return html`<section class="card">
    <h2>${texts.forPerson(name)}</h2>
    <p>${texts.askedBy(company)} ${expiresAt ? texts.byWhen(spoken(expiresAt, language, null)) : ''}</p>
    <h3>${texts.whatIsOrdered}</h3>
    ${bullets(services)}
  </section>`
}

function actions(frame: Frame): Html {
  const texts = textsIn(frame.language, 'requester')
  return html`<div class="actions">
    <a class="button plain" href="${addressOf(frame, { step: 'change' })}">${texts.change}</a>
    <a class="button plain" href="${addressOf(frame, { step: 'cancel' })}">${texts.cancel}</a>
  </div>`
}
