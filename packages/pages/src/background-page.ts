import { inItsLanguage, paragraphsOf } from './agreement.ts'
import { declinedBanner } from './check-page.ts'
import { errorSummary, input, titleWith, type FieldSource } from './fields.ts'
import { formatLongDate } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { backLink, page, pageUrl } from './layout.ts'
import { textsIn } from './texts.ts'
import type { AgreementView, AuthorizationView, DisclosureView } from './views-details.ts'
import type { Frame, Language } from './views.ts'

/** The disclosure, on a page with nothing else (15 USC 1681b(b)(2)): only its text and a button. */
export function disclosurePage(frame: Frame, { order: { brand }, text }: DisclosureView): string {
  const { language } = frame
  const { form, goOn } = textsIn(language)
  const shown = text[language]
  const body = html`<div class="column stack">
    ${sample(shown, language)}
    <h1${inItsLanguage(shown, language)}>${textsIn(shown.language).form.disclosureTitle}</h1>
    ${words(shown, language)}
    <form class="fill" method="post" action="${pageUrl(frame)}">
      <button name="step" value="disclosure:${shown.hash}">${goOn}</button>
    </form>
  </div>`
  return page(frame, { title: form.disclosureTitle, body, sheets: ['forms'], brand, isAlone: true })
}

/** The authorization, signed with the typed name. */
export function authorizationPage(frame: Frame, view: AuthorizationView): string {
  const { language } = frame
  const { order, text, date, email } = view
  const { form } = textsIn(language)
  const shown = text[language]
  const source: FieldSource = { language, values: view.values, errors: view.errors }
  const body = html`<div class="column stack">
    ${backLink(pageUrl(frame, { step: 'disclosure' }), form.disclosure)} ${errorSummary(source)}
    ${declinedBanner(view, language, order.timezone)} ${sample(shown, language)}
    <h1>${form.authorizationTitle}</h1>
    ${words(shown, language)}
    <form id="fill" class="fill" method="post" action="${pageUrl(frame)}" novalidate>
      <input type="hidden" name="step" value="authorization" />
      <input type="hidden" name="shown" value="${shown.hash}" />
      ${input(source, 'signature', { autocomplete: 'name', hint: form.signatureHint })}
      <div>
        <p class="label">${form.date}</p>
        <p>${formatLongDate(date, language)}</p>
      </div>
      <p class="lock hint">${icon('mail')} ${form.copyTo(email)}</p>
      <button>${form.sign}</button>
    </form>
    <p class="away"><a href="${pageUrl(frame, { step: 'decline' })}">${form.disagree}</a></p>
    <details class="why">
      <summary>${form.rights}</summary>
      <p>${form.rightsText}</p>
    </details>
  </div>`
  const title = titleWith(source, form.authorizationTitle)
  return page(frame, { title, body, sheets: ['forms'], brand: order.brand, code: order.code, form: 'fill' })
}

const sample = ({ isSample }: AgreementView, language: Language): Html | null =>
  isSample ? html`<p class="chip sample">${textsIn(language).form.sample}</p>` : null

const words = (text: AgreementView, language: Language): Html =>
  html`<div class="words" ${inItsLanguage(text, language)}>
    ${paragraphsOf(text.text).map((each) => html`<p>${each}</p>`)}
  </div>`
