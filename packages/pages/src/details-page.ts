import { errorParagraph, errorSummary, input, isWrong, select, titleWith, type FieldSource } from './fields.ts'
import { countryName } from './formats.ts'
import { html, type Html, type Part } from './html.ts'
import { sentenceWith } from './names.ts'
import { icon } from './icons.ts'
import { backLink, hidden, noteParagraph, page, pageUrl, progress } from './layout.ts'
import { orderCard } from './order-card.ts'
import { SHOW_SCRIPT } from './show-script.ts'
import { textsIn } from './texts.ts'
import type { DetailsView } from './views-details.ts'
import type { Frame, Language, OrderView } from './views.ts'

/** Offered to everyone; a participant's own country is added if it is another. */
const COUNTRIES = ['US', 'CA', 'MX', 'PR', 'VI', 'GU', 'AS', 'MP']

/** One of the short pages that ask for what is missing. */
export function detailsPage(frame: Frame, view: DetailsView): string {
  const { language } = frame
  const { step, isFirst, clinic, brand, code } = view
  const texts = textsIn(language)
  const source: FieldSource = { language, values: view.values, errors: view.errors }
  const isGreeting = isFirst && view.errors.length === 0
  const heading = isGreeting ? texts.greeting[clinic](view.firstName) : titleOf(view, language)
  const body = html`<div class="two">
    <div class="top">
      ${detailsProgress(view, language)}
      ${view.back === null ? '' : backLink(pageUrl(frame, { step: view.back }), texts.form.back)}
      ${errorSummary(source)}
      <h1>${heading}</h1>
      ${view.errors.length > 0 ? '' : lead(view, language)}
    </div>
    ${orderAside(view, language, isGreeting)}
    <div class="rest stack">
      ${noteParagraph(view.note, language)} ${step === 'you' || isFirst ? whose(view, language) : ''}
      <form id="fill" class="fill" method="post" action="${pageUrl(frame)}" novalidate>
        ${hidden({ step, seen: view.seen })} ${FIELDS[step](source, view)}
        <button>${texts.goOn}</button>
      </form>
    </div>
  </div>`
  const title = titleWith(source, titleOf(view, language))
  const script = asksNumber(view) ? { script: SHOW_SCRIPT } : {}
  return page(frame, { title, body, sheets: ['forms'], brand, code, form: 'fill', ...script })
}

/** Who comes to book a test sees the order first on a narrow screen. */
function lead(view: DetailsView, language: Language): Html {
  const { isFirst, clinic } = view
  const text = isFirst ? textsIn(language).form.first[clinic] : leadOf(view, language)
  return html`<p class="lead${isFirst && clinic === 'choose' ? ' wide' : ''}">${text}</p>`
}

/** The order beside the form; on a narrow screen only where it is new. */
export const orderAside = (
  view: OrderView & Partial<Pick<DetailsView, 'clinic'>>,
  language: Language,
  isNew: boolean,
): Html =>
  html`<aside class="side stack${isNew ? '' : ' wide'}">
    <h2 class="wide">${textsIn(language).yourTest}</h2>
    ${orderCard(view, language, view.clinic !== 'none')}
    <p class="hint wide">${textsIn(language).form.resume}</p>
  </aside>`

/** For whom the order is, and what to do if that is wrong. */
export function whose({ name }: OrderView, language: Language): Html {
  const texts = textsIn(language)
  return html`<details class="whose">
    <summary>
      <span><span class="hint">${texts.orderIsFor}</span> <b>${name}</b></span>
      <span>${texts.notYou}</span>
    </summary>
    <p>${texts.notYours(name)}</p>
  </details>`
}

function detailsProgress(view: DetailsView, language: Language): Html | null {
  const { part, clinic } = view
  if (clinic !== 'choose') return null
  const { form } = textsIn(language)
  const shown = part ? { text: form.part(part.at, part.of), done: part.at / part.of } : { text: '', done: 1 }
  return progress('details', view, language, shown)
}

const titleOf = ({ step, clinic }: DetailsView, language: Language) => {
  const { form } = textsIn(language)
  return step === 'address' && clinic !== 'choose' ? form.homeTitle : form.titles[step]
}

function leadOf({ step, clinic }: DetailsView, language: Language): string | null {
  const { form } = textsIn(language)
  if (step === 'contact' && clinic === 'none') return form.contactForNews
  return step === 'address' && clinic !== 'choose' ? null : form.leads[step]
}

const asksNumber = ({ step, asks, enteredIdentifier }: DetailsView) =>
  step === 'you' && asks.includes('identifier') && enteredIdentifier === null

const FIELDS = {
  you: (source: FieldSource, view: DetailsView): Html => {
    const { asks, clinic } = view
    const { form } = textsIn(source.language)
    return html`${asks.includes('birthDate') ? birthDate(source) : ''}
    ${asks.includes('identifier') ? identifier(source, view) : ''}
    ${why(form.why, clinic === 'none' ? form.whyYouForCheck : form.whyYou)}`
  },
  contact: (source: FieldSource, { asks, clinic, brand }: DetailsView): Html => {
    const { form } = textsIn(source.language)
    const hint = clinic === 'none' ? form.phoneHintForCheck : form.phoneHint
    return html`<div>
        ${asks.includes('email') ? input(source, 'email', { type: 'email', autocomplete: 'email' }) : ''}
        ${asks.includes('phone') ? input(source, 'phone', { type: 'tel', autocomplete: 'tel', hint }) : ''}
      </div>
      ${clinic === 'none' ? '' : why(form.who, sentenceWith([brand.company], source.language, form.whoText))}`
  },
  address: (source: FieldSource, view: DetailsView): Html => address(source, view),
}

const why = (question: string, answer: Part): Html =>
  html`<details class="why">
    <summary>${question}</summary>
    <p>${answer}</p>
  </details>`

function birthDate(source: FieldSource): Html {
  const boxes = ['birthMonth', 'birthDay', 'birthYear'] as const
  const all = [...boxes, 'birthDate'] as const
  const wrong = all.find((field) => isWrong(source, field))
  // An error of the whole date belongs to the first box.
  const shown: FieldSource = {
    ...source,
    errors: source.errors.map((error) => (error.field === 'birthDate' ? { ...error, field: 'birthMonth' } : error)),
  }
  const box = (field: (typeof boxes)[number], autocomplete: string, maxlength: number) =>
    html`<div class="box">
      <label for="${field}">${textsIn(source.language).labels[field]}</label>
      <input
        id="${field}"
        name="${field}"
        type="text"
        inputmode="numeric"
        autocomplete="${autocomplete}"
        maxlength="${maxlength}"
        size="${maxlength}"
        value="${source.values[field] ?? ''}"
        required${isWrong(shown, field) ? html` aria-invalid="true" aria-describedby="${field}-error"` : ''}
      />
    </div>`
  return html`<fieldset class="${wrong === undefined ? 'date' : 'date wrong'}">
    <legend>${textsIn(source.language).labels.birthDate}</legend>
    ${wrong === undefined ? '' : boxes.map((field) => errorOf(source, shown, field))}
    <div class="boxes">
      ${box('birthMonth', 'bday-month', 2)} ${box('birthDay', 'bday-day', 2)} ${box('birthYear', 'bday-year', 4)}
    </div>
  </fieldset>`
}

/** The error of the whole date has the words of the whole date, at the first box. */
function errorOf(source: FieldSource, shown: FieldSource, field: 'birthMonth' | 'birthDay' | 'birthYear'): Html | null {
  if (field !== 'birthMonth' || !isWrong(source, 'birthDate')) return errorParagraph(shown, field)
  return errorParagraph(source, 'birthDate', 'birthMonth')
}

function identifier(source: FieldSource, view: DetailsView): Html {
  const { form } = textsIn(source.language)
  const lock = view.clinic === 'none' ? form.lockForCheck : form.lock
  return html`<div class="identifier">
    ${view.enteredIdentifier === null ? identifierFields(source, view) : entered(source, view, view.enteredIdentifier)}
    <p class="lock hint">${icon('lock')} ${lock}</p>
  </div>`
}

/** What was entered is never shown again. */
function entered(source: FieldSource, view: DetailsView, masked: string): Html {
  const { form } = textsIn(source.language)
  const type = view.identifier === 'driverLicense' ? 'driverLicense' : (source.values.identifierType ?? '')
  return html`<div class="kept">
    <p>
      <span class="hint">${form.identifiers[type] ?? form.otherIdentifier}</span>
      <b>${masked}</b>
    </p>
    <button class="link" name="edit" value="identifier" formnovalidate>${form.change}</button>
  </div>`
}

function identifierFields(source: FieldSource, { identifier: kind, issuers }: DetailsView): Html {
  const texts = textsIn(source.language)
  const { form } = texts
  const data = { show: form.show, hide: form.hide }
  const isLicense = kind === 'driverLicense'
  const isSsn = source.values.identifierType === 'ssn' && !isLicense
  const label = isLicense ? form.licenseNumber : isSsn ? form.identifiers['ssn']! : texts.labels.identifierValue
  const hint = isLicense ? {} : { hint: isSsn ? form.ssnHint : form.ssnNote }
  const number = input(source, 'identifierValue', { type: 'password', autocomplete: 'off', label, data, ...hint })
  const kinds: [string, string][] = [['', texts.choose], ...Object.entries(form.identifiers)]
  const states: [string, string][] = [['', texts.choose], ...issuers]
  const issuer = html`<div class="issuer">${select(source, 'identifierState', states, { isOptional: true })}</div>`
  return html`<div class="pair">
      ${isLicense ? '' : select(source, 'identifierType', kinds)} ${number} ${isLicense ? issuer : ''}
    </div>
    ${isLicense ? '' : issuer}
    <template id="show"
      ><button type="button" class="show">${icon('eye')} <span>${form.show}</span></button></template
    >`
}

function address(source: FieldSource, { clinic, regions }: DetailsView): Html {
  const texts = textsIn(source.language)
  const { form } = texts
  const { country = 'US' } = source.values
  const isHome = country === 'US'
  const label = isHome ? texts.labels.state : country === 'CA' ? form.province : form.region
  const states: [string, string][] = [['', texts.choose], ...(regions ?? [])]
  const region = { autocomplete: 'address-level1', label }
  const code = isHome ? { inputmode: 'numeric' as const } : { label: form.postalCode }
  return html`<div>
      ${input(source, 'line1', { autocomplete: 'address-line1' })}
      ${input(source, 'line2', { autocomplete: 'address-line2', isOptional: true })}
      ${input(source, 'city', { autocomplete: 'address-level2' })}
      <div class="pair place">
        ${regions ? select(source, 'state', states, region) : input(source, 'state', region)}
        ${input(source, 'postalCode', { autocomplete: 'postal-code', ...code })}
      </div>
    </div>
    ${countries(source, country)} ${why(form.why, clinic === 'none' ? form.whyAddressForCheck : form.whyAddress)}`
}

/** Another country has other fields, which the button fetches. */
function countries(source: FieldSource, country: string): Html {
  const { form } = textsIn(source.language)
  const codes = COUNTRIES.includes(country) || !/^[A-Z]{2}$/.test(country) ? COUNTRIES : [...COUNTRIES, country]
  const choices = codes.map((code): [string, string] => [code, countryName(code, source.language)])
  const isOpen = country !== 'US' || isWrong(source, 'country')
  return html`<details class="why abroad" ${isOpen ? html` open` : ''}>
    <summary>${form.outside}</summary>
    <div>
      ${select(source, 'country', choices, { autocomplete: 'country' })}
      <button class="plain" name="edit" value="country" formnovalidate>${form.useCountry}</button>
    </div>
  </details>`
}
