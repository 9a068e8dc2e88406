import { describedBy, errorParagraph, errorSummary, input, select, type FieldSource } from './fields.ts'
import { bullets, html, type Html } from './html.ts'
import { pageUrl, noteParagraph, page } from './layout.ts'
import { countryName, formatDateTime, textsIn } from './texts.ts'
import type { DetailsView, Frame, Language } from './views.ts'

/** Offered to everyone; a participant's own country is added if it is another. */
const COUNTRIES = ['US', 'CA', 'MX', 'PR', 'VI', 'GU', 'AS', 'MP']

/** The first step: who asks for what by when, and a form for the missing details. */
export function detailsPage(frame: Frame, view: DetailsView): string {
  const { language } = frame
  const texts = textsIn(language)
  const source: FieldSource = { language, values: view.values, errors: view.errors }
  const title = texts.steps.details
  const body = html`${errorSummary(source)}
    ${view.clinic === 'choose' ? html`<p class="soft">${texts.stepOf(1, 3)}</p>` : ''}
    <h1>${title}</h1>
    ${noteParagraph(view.note, language)} ${introduction(view, language)}
    <form class="card" method="post" action="${pageUrl(frame)}" novalidate>
      <input type="hidden" name="step" value="details" />
      ${about(source, view)} ${contact(source)} ${address(source, view)} ${consent(source, view)}
      <button>${view.clinic === 'choose' ? texts.goOn : texts.finish}</button>
    </form>`
  return page(frame, { title: view.errors.length > 0 ? `${texts.errorTitle}: ${title}` : title, body })
}

function introduction({ company, name, services, expiresAt, clinic }: DetailsView, language: Language): Html {
  const texts = textsIn(language)
  return html`<section class="card">
    <h2>${texts.greeting[clinic](name)}</h2>
    <p>${texts.askedBy(company)} ${expiresAt ? texts.byWhen(formatDateTime(expiresAt, language, null)) : ''}</p>
    <p>${texts.whatNext[clinic]}</p>
    <h3>${texts.whatIsOrdered}</h3>
    ${bullets(services)}
    <p class="soft">${texts.notYours(name)}</p>
  </section>`
}

function about(source: FieldSource, { asksBirthDate, asksIdentifier }: DetailsView): Html | null {
  if (!asksBirthDate && asksIdentifier === 'no') return null
  const texts = textsIn(source.language)
  return html`<fieldset>
    <legend>${texts.about}</legend>
    ${asksBirthDate ? input(source, 'birthDate', { type: 'date', autocomplete: 'bday', min: '1900-01-01' }) : ''}
    ${identifier(source, asksIdentifier)}
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
    <div class="pair">
      ${input(source, 'state', { autocomplete: 'address-level1' })}
      ${input(source, 'postalCode', { autocomplete: 'postal-code' })}
    </div>
    ${select(source, 'country', countries, { autocomplete: 'country' })}
  </fieldset>`
}

function consent(source: FieldSource, { company, hasBackground }: DetailsView): Html {
  const texts = textsIn(source.language)
  return html`${errorParagraph(source, 'consent')}
    <div class="check">
      <input
        id="consent"
        name="consent"
        type="checkbox"
        value="yes"
        required${source.values.consent === 'yes' ? html` checked` : ''}${describedBy(source, 'consent')}
      />
      <label for="consent">${texts.consent(company)} ${hasBackground ? texts.consentBackground : ''}</label>
    </div>`
}
