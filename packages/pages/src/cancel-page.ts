import { formatMoment } from './formats.ts'
import { html } from './html.ts'
import { backLink, banner, hidden, page, pageUrl } from './layout.ts'
import { properName } from './names.ts'
import { whenOf } from './pass-facts.ts'
import { bookingTexts } from './texts.ts'
import type { Frame, PassView } from './views.ts'

/** Asks for confirmation, because opening a link must change nothing. */
export function cancelPage(frame: Frame, view: PassView): string {
  const { language } = frame
  const { reader, clinic, expiresAt } = view
  const texts = bookingTexts(view, language, reader)
  const deadline = expiresAt && formatMoment(expiresAt, language, clinic?.timezone ?? view.timezone)
  const next = view.choosesClinic ? texts.cancelNote : texts.cancelNoteFixed
  const body = html`<div class="column stack">
    <div class="top">
      ${backLink(pageUrl(frame), texts.backToPass)}
      <h1>${texts.cancelAsk}</h1>
    </div>
    <section class="card now">
      <h2 class="hint">${texts.bookedNow}</h2>
      <p class="when">${whenOf(view, language)}</p>
      ${clinic ? html`<p class="soft">${properName(clinic.name, language)}</p>` : ''}
      ${reader === 'requester' ? html`<p class="soft">${texts.forPerson(view.name)}</p>` : ''}
    </section>
    ${banner('alarm', html`<strong>${texts.stillDue(deadline)}</strong> ${texts.onlyFrees} ${next}`)}
    <div class="actions">
      <form method="post" action="${pageUrl(frame)}">
        ${hidden({ step: 'cancel', confirm: view.booking })}<button class="danger">${texts.cancelYes}</button>
      </form>
      <a class="button plain" href="${pageUrl(frame)}">${texts.cancelNo}</a>
      <a class="button link" href="${pageUrl(frame, { step: 'change' })}">${texts.cancelInstead}</a>
    </div>
  </div>`
  const { brand, code } = view
  return page(frame, { title: texts.cancel, body, sheets: ['pass'], brand, code })
}
