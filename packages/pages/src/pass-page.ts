import { clinicFacts } from './clinic.ts'
import { code128 } from './code128.ts'
import { bullets, html, type Html } from './html.ts'
import { pageUrl, noteParagraph, page } from './layout.ts'
import { capitalize, formatDateTime, textsIn } from './texts.ts'
import type { Frame, Language, PassView } from './views.ts'

/** The pass to show at the clinic: order code and barcode, where, when, and what to bring. */
export function passPage(frame: Frame, view: PassView): string {
  const { language } = frame
  const texts = textsIn(language)
  const body = html`<h1>${texts.passTitle}</h1>
    ${noteParagraph(view.note, language)} ${clinicOffNote(frame, view)}
    ${view.isClinicOff ? '' : html`<p class="screen">${texts.passHint}</p>`}
    <section class="card">
      <h2 class="center soft">${texts.orderCode}</h2>
      <p class="code">${view.code}</p>
      ${code128(view.code, texts.barcode(view.code))}
    </section>
    <section class="card pass">
      <dl>
        ${whenAndWhere(view, language)}
        <dt>${texts.bring}</dt>
        <dd>${bullets(texts.bringList)}</dd>
        <dt>${texts.forWhom}</dt>
        <dd>${view.name}</dd>
        <dt>${texts.whatIsOrdered}</dt>
        <dd>${bullets(view.services)}</dd>
        <dt>${texts.requestedBy}</dt>
        <dd>${view.company}</dd>
      </dl>
    </section>
    ${actions(frame, view)}`
  return page(frame, { title: `${texts.passTitle} ${view.code}`, body })
}

/** Asks for confirmation, because opening a link must change nothing. */
export function cancelPage(frame: Frame, view: PassView): string {
  const { language } = frame
  const texts = textsIn(language, view.reader)
  const deadline = view.expiresAt && formatDateTime(view.expiresAt, language, view.clinic?.timezone ?? null)
  const body = html`<h1>${texts.cancelAsk}</h1>
    <section class="card pass">
      <dl>
        <dt>${texts.when}</dt>
        <dd class="when">${formatWhen(view, language)}</dd>
        ${
          view.clinic
            ? html`<dt>${texts.where}</dt>
                <dd>${view.clinic.name}</dd>`
            : ''
        }
        ${
          view.reader === 'requester'
            ? html`<dt>${texts.forWhom}</dt>
                <dd>${view.name}</dd>`
            : ''
        }
      </dl>
    </section>
    <p>${texts.stillDue(deadline)} ${view.choosesClinic ? texts.cancelNote : texts.cancelNoteFixed}</p>
    <div class="actions">
      <form method="post" action="${pageUrl(frame)}">
        <input type="hidden" name="step" value="cancel" /><button>${texts.cancelYes}</button>
      </form>
      <a class="button plain" href="${pageUrl(frame)}">${texts.cancelNo}</a>
    </div>`
  return page(frame, { title: texts.steps.cancel, body })
}

/** The booking as entries of a description list. */
export function whenAndWhere(view: PassView, language: Language): Html {
  const { clinic } = view
  const texts = textsIn(language)
  return html`<dt>${texts.when}</dt>
    <dd class="when">${formatWhen(view, language)}</dd>
    ${
      clinic
        ? html`<dt>${texts.where}</dt>
            <dd class="clinic"><strong>${clinic.name}</strong>${clinicFacts(clinic, language)}</dd>`
        : ''
    }`
}

/** The appointment, or the deadline for walking in. */
export function formatWhen({ appointmentAt, expiresAt, clinic }: PassView, language: Language): string {
  const texts = textsIn(language)
  const timezone = clinic?.timezone ?? null
  if (appointmentAt) return capitalize(formatDateTime(appointmentAt, language, timezone))
  return expiresAt ? texts.anyTimeBy(formatDateTime(expiresAt, language, timezone)) : texts.anyTime
}

/** What to do about a clinic that is no longer active; null if the clinic is active. */
export function clinicOffText(view: PassView, language: Language): string | null {
  const { isClinicOff, choosesClinic, company, reader } = view
  if (!isClinicOff) return null
  const texts = textsIn(language, reader)
  return choosesClinic ? texts.clinicOff : texts.clinicOffFixed(company)
}

/** The same as a note at the top of a page, with a link for readers who can choose another clinic. */
export function clinicOffNote(frame: Frame, view: PassView): Html | null {
  const text = clinicOffText(view, frame.language)
  if (text === null) return null
  const change = html`<br /><a href="${pageUrl(frame, { step: 'change' })}">${textsIn(frame.language).change}</a>`
  return html`<p class="note"><strong>${text}</strong>${view.choosesClinic ? change : ''}</p>`
}

function actions(frame: Frame, view: PassView): Html {
  const { isOpen, appointmentAt, choosesClinic, isCancellable, isClinicOff } = view
  const texts = textsIn(frame.language)
  const file = (name: string) => pageUrl({ ...frame, path: `${frame.path}/${name}` })
  return html`<div class="actions screen">
    ${
      isOpen && appointmentAt && !isClinicOff
        ? html`<a class="button" href="${file('appointment.ics')}" download="appointment.ics">${texts.calendar}</a>`
        : ''
    }
    <a class="button plain" href="${file('pass.pdf')}">${texts.printable}</a>
    ${
      isOpen && (choosesClinic || !isClinicOff)
        ? html`<a class="button plain" href="${pageUrl(frame, { step: 'change' })}"
            >${choosesClinic ? texts.change : texts.changeTime}</a
          >`
        : ''
    }
    ${isCancellable ? html`<a class="button plain" href="${pageUrl(frame, { step: 'cancel' })}">${texts.cancel}</a>` : ''}
  </div>`
}
