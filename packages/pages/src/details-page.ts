import {
  describedBy,
  errorParagraph,
  errorSummary,
  input,
  isWrong,
  select,
  titleWith,
  type FieldSource,
} from './fields.ts'
import { countryName } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { noteParagraph, page, pageUrl, progress } from './layout.ts'
import { orderCard } from './order-card.ts'
import { textsIn } from './texts.ts'
import type { DetailsView, Frame, Language } from './views.ts'

/** Offered to everyone; a participant's own country is added if it is another. */
const COUNTRIES = ['US', 'CA', 'MX', 'PR', 'VI', 'GU', 'AS', 'MP']

/** The first step: who asks for what by when, and a form for the missing details. */
export function detailsPage(frame: Frame, view: DetailsView): string {
  const { language } = frame
  const texts = textsIn(language)
  const source: FieldSource = { language, values: view.values, errors: view.errors }
  const body = html`<div class="two">
    <div class="top">
      ${view.clinic === 'choose' ? progress('details', view, language) : ''} ${errorSummary(source)}
      <h1>${texts.greeting[view.clinic](view.firstName)}</h1>
      <p class="lead">${texts.whatNext[view.clinic]}</p>
    </div>
    <aside class="side stack">
      <h2 class="wide">${texts.yourTest}</h2>
      ${orderCard(view, language)}
    </aside>
    <div class="rest stack">
      ${noteParagraph(view.note, language)} ${whose(view, language)}
      <form class="fill" method="post" action="${pageUrl(frame)}" novalidate>
        <input type="hidden" name="step" value="details" />
        ${about(source, view)} ${contact(source)} ${address(source, view)} ${consent(source, view)}
        <button>${view.clinic === 'choose' ? texts.goOn : texts.finish}</button>
      </form>
    </div>
  </div>`
  const { brand, code } = view
  return page(frame, { title: titleWith(source, texts.steps.details), body, sheets: ['forms'], brand, code })
}

/** For whom the order is, and what to do if that is wrong. */
function whose({ name }: DetailsView, language: Language): Html {
  const texts = textsIn(language)
  return html`<details class="whose">
    <summary>
      <span><span class="hint">${texts.orderIsFor}</span> <b>${name}</b></span>
      <span>${texts.notYou}</span>
    </summary>
    <p>${texts.notYours(name)}</p>
  </details>`
}

function about(source: FieldSource, { asksBirthDate, asksIdentifier }: DetailsView): Html | null {
  if (!asksBirthDate && asksIdentifier === 'no') return null
  const texts = textsIn(source.language)
  return html`<fieldset>
    <legend>${texts.about}</legend>
    ${asksBirthDate ? input(source, 'birthDate', { type: 'date', autocomplete: 'bday', min: '1900-01-01' }) : ''}
    ${identifier(source, asksIdentifier)}
    ${asksIdentifier === 'no' ? '' : html`<p class="lock hint">${icon('lock')} ${texts.lock}</p>`}
    <details class="why">
      <summary>${texts.why}</summary>
      <p>${texts.whyAbout}</p>
    </details>
  </fieldset>`
}

function identifier(source: FieldSource, asks: DetailsView['asksIdentifier']): Html | null {
  const texts = textsIn(source.language)
  const issuedIn = input(source, 'identifierState', { isOptional: true })
  if (asks === 'no') return null
  if (asks === 'driverLicense') {
    return html`<div class="pair">
      ${input(source, 'identifierValue', { label: texts.licenseNumber, autocomplete: 'off' })} ${issuedIn}
    </div>`
  }
  const kinds: [string, string][] = [['', texts.choose], ...Object.entries(texts.identifiers)]
  return html`${select(source, 'identifierType', kinds)}
    <div class="pair">${input(source, 'identifierValue', { autocomplete: 'off' })} ${issuedIn}</div>`
}

function contact(source: FieldSource): Html {
  return html`<fieldset>
    <legend>${textsIn(source.language).contact}</legend>
    ${input(source, 'email', { type: 'email', autocomplete: 'email' })}
    ${input(source, 'phone', { type: 'tel', autocomplete: 'tel' })}
  </fieldset>`
}

function address(source: FieldSource, { clinic }: DetailsView): Html {
  const texts = textsIn(source.language)
  const { country = 'US' } = source.values
  const codes = COUNTRIES.includes(country) || !/^[A-Z]{2}$/.test(country) ? COUNTRIES : [...COUNTRIES, country]
  const countries = codes.map((code): [string, string] => [code, countryName(code, source.language)])
  return html`<fieldset>
    <legend>${texts.address}</legend>
    ${clinic === 'choose' ? html`<p class="hint">${texts.addressHint}</p>` : ''}
    ${input(source, 'line1', { autocomplete: 'address-line1' })}
    ${input(source, 'line2', { autocomplete: 'address-line2', isOptional: true })}
    ${input(source, 'city', { autocomplete: 'address-level2' })}
    <div class="pair even">
      ${input(source, 'state', { autocomplete: 'address-level1' })}
      ${input(source, 'postalCode', { autocomplete: 'postal-code' })}
    </div>
    ${select(source, 'country', countries, { autocomplete: 'country' })}
  </fieldset>`
}

function consent(source: FieldSource, { company, hasBackground }: DetailsView): Html {
  const texts = textsIn(source.language)
  return html`<div class="card${isWrong(source, 'consent') ? ' unmet' : ''}">
    ${errorParagraph(source, 'consent')}
    <div class="check">
      <input
        id="consent"
        name="consent"
        type="checkbox"
        value="yes"
        required${source.values.consent === 'yes' ? html` checked` : ''}${describedBy(source, 'consent')}
      />
      <label for="consent">${texts.consent(company)} ${hasBackground ? texts.consentBackground : ''}</label>
    </div>
  </div>`
}
