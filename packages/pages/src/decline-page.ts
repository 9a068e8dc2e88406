import { phoneLink } from './brand.ts'
import { formatMoment } from './formats.ts'
import { html, type Html, type Part } from './html.ts'
import { icon } from './icons.ts'
import { backLink, page, pageUrl } from './layout.ts'
import { properName, sentenceWith } from './names.ts'
import { textsIn } from './texts.ts'
import type { DeclineView } from './views-details.ts'
import type { Brand, Frame, Language } from './views.ts'

/** What happens if somebody does not agree, a way to say so, and what happened after they did. */
export function declinePage(frame: Frame, view: DeclineView): string {
  const { language } = frame
  const { order, declinedAt } = view
  const { form } = textsIn(language)
  const body = declinedAt ? told(frame, view, declinedAt) : ask(frame, view)
  const title = declinedAt ? form.declinedTitle : form.declineTitle
  return page(frame, { title, body, sheets: ['forms'], brand: order.brand, code: order.code })
}

function ask(frame: Frame, view: DeclineView): Html {
  const { language } = frame
  const { what, order } = view
  const { form, optional } = textsIn(language)
  return html`<div class="column stack">
    ${backLink(backTo(frame, view), form.declineBack[what])}
    <h1>${form.declineTitle}</h1>
    <p class="lead">${form.declineLead[what]}</p>
    <section class="card">
      <h2>${form.declineMeans}</h2>
      ${facts(namedFacts(view, language))}
    </section>
    <form class="fill" method="post" action="${pageUrl(frame)}">
      <input type="hidden" name="step" value="decline" />
      <div class="field">
        <label for="helpNote">${form.declineWhy} <span>(${optional})</span></label>
        <textarea id="helpNote" name="helpNote" rows="3" maxlength="1000"></textarea>
      </div>
      <div class="actions">
        <button>${form.declineSend}</button>
        <a class="button plain" href="${backTo(frame, view)}">${form.declineBack[what]}</a>
      </div>
    </form>
    ${talk(order.brand, language)}
  </div>`
}

function told(frame: Frame, view: DeclineView, at: Date): Html {
  const { language } = frame
  const { order, what } = view
  const { form } = textsIn(language)
  return html`<div class="column stack">
    <div class="hail">
      <span class="disc calm">${icon('mail')}</span>
      <h1>${form.declinedTitle}</h1>
    </div>
    <p class="lead">${sentenceWith([order.company], language, form.declinedLead)}</p>
    <section class="card">
      <p class="hint sent">${form.sentAt(formatMoment(at, language, order.timezone))}</p>
      ${facts(form.declinedFacts)}
    </section>
    <a class="button plain" href="${backTo(frame, view)}">${form.declineBack[what]}</a>
    ${talk(order.brand, language)}
  </div>`
}

const backTo = (frame: Frame, { what }: DeclineView) =>
  pageUrl(frame, { step: what === 'consent' ? 'check' : 'authorization' })

const namedFacts = ({ what, order: { company } }: DeclineView, language: Language): Part[] => {
  const factsOf = textsIn(language).form.declineFacts[what]
  return factsOf(company).map((_, i) => sentenceWith([company], language, (name) => factsOf(name)[i]!))
}

const facts = (sentences: readonly Part[]): Html =>
  html`<ul class="facts">
    ${sentences.map(
      (sentence) =>
        html`<li>
          ${icon('info')}
          <div>${sentence}</div>
        </li>`,
    )}
  </ul>`

/** Whom to call before deciding. */
function talk({ contacts }: Brand, language: Language): Html | null {
  const contact = contacts.find(({ phone }) => phone !== null)
  if (!contact) return null
  const { form } = textsIn(language)
  return html`<p>${form.talkFirst} ${properName(contact.name, language)}, ${phoneLink(contact)}.</p>`
}
