import { formatMoment } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { banner, hidden, page, pageUrl } from './layout.ts'
import { textsIn } from './texts.ts'
import type { Frame, IdentityView, Language } from './views.ts'

/** Asks for something that only the participant knows, before a new device shows the pass. */
export function identityPage(frame: Frame, view: IdentityView): string {
  if (view.lockedUntil) return lockedPage(frame, view, view.lockedUntil)
  const { language } = frame
  const { error, pass } = textsIn(language)
  const texts = pass.identity
  const message = faultText(view, language)
  const heading = texts.title(view.firstName)
  const body = html`<div class="column stack">
    ${message === null ? '' : summary(message, view, language)}
    <div>
      <div class="disc own">${icon('lock')}</div>
      <h1>${heading}</h1>
      <p class="lead">${texts.lead}</p>
    </div>
    <form class="fill" method="post" action="${pageUrl(frame)}">
      ${hidden({ step: 'identify', next: view.step })}
      ${view.asks === 'birthDate' ? birthDate(message, language) : lastName(message, language)}
      <button>${texts.goOn}</button>
      <p class="hint">${texts.tries}</p>
    </form>
  </div>`
  const title = message === null ? heading : `${error}: ${heading}`
  return page(frame, { title, body, sheets: ['forms', 'pass'], brand: view.brand })
}

/** No answer is looked at, so none is asked for. */
function lockedPage(frame: Frame, { brand, timezone, step }: IdentityView, until: Date): string {
  const { language } = frame
  const texts = textsIn(language).pass.identity.locked
  const body = html`<div class="column stack">
    <div>
      <div class="disc own">${icon('lock')}</div>
      <h1>${texts.title}</h1>
    </div>
    ${banner('warn', html`<strong>${texts.until(formatMoment(until, language, timezone))}</strong> ${texts.why}`)}
    <p>${texts.next}</p>
    <p><a class="button plain" href="${pageUrl(frame, { step })}">${texts.again}</a></p>
  </div>`
  return page(frame, { title: texts.title, body, sheets: ['forms', 'pass'], brand })
}

function faultText({ fault, asks }: IdentityView, language: Language): string | null {
  const { faults } = textsIn(language).pass.identity
  if (fault === null) return null
  if (fault !== 'incomplete') return faults[fault]
  return asks === 'birthDate' ? faults.incompleteBirthDate : faults.incompleteLastName
}

/** The browser moves the focus here. */
const summary = (message: string, { asks }: IdentityView, language: Language): Html =>
  html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="summary-title">
    <h2 id="summary-title">${icon('error')} ${textsIn(language).errorTitle(1)}</h2>
    <ul>
      <li><a href="#${asks === 'birthDate' ? 'birthMonth' : 'lastName'}">${message}</a></li>
    </ul>
  </div>`

function birthDate(message: string | null, language: Language): Html {
  const texts = textsIn(language).pass.identity
  const box = (name: string, label: string, autocomplete: string, digits: number) =>
    html`<div class="field">
      <label for="${name}">${label}</label>
      <input
        id="${name}"
        name="${name}"
        type="text"
        inputmode="numeric"
        autocomplete="${autocomplete}"
        maxlength="${digits}"
        required${described(message)}
      />
    </div>`
  return html`<fieldset class="${message === null ? '' : 'wrong'}">
    <legend class="label">${texts.birthDate}</legend>
    ${errorParagraph(message)}
    <div class="boxes">
      ${box('birthMonth', texts.month, 'bday-month', 2)} ${box('birthDay', texts.day, 'bday-day', 2)}
      ${box('birthYear', texts.year, 'bday-year', 4)}
    </div>
  </fieldset>`
}

const lastName = (message: string | null, language: Language): Html =>
  html`<div class="field ${message === null ? '' : 'wrong'}">
    <label for="lastName">${textsIn(language).pass.identity.lastName}</label>
    ${errorParagraph(message)}
    <input id="lastName" name="lastName" type="text" autocomplete="family-name" required${described(message)} />
  </div>`

const errorParagraph = (message: string | null) =>
  message === null ? '' : html`<p class="error" id="answer-error">${icon('error')} ${message}</p>`

const described = (message: string | null) =>
  message === null ? '' : html` aria-invalid="true" aria-describedby="answer-error"`
