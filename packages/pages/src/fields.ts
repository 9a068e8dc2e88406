import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { textsIn } from './texts.ts'
import type { Field, FieldError, Language, Reader, Values } from './views.ts'

/** The language, entered values and errors of a form. */
export interface FieldSource {
  language: Language
  /** Default: the participant. */
  reader?: Reader
  values: Values
  errors: FieldError[]
}

interface Input {
  type?: 'text' | 'email' | 'tel' | 'date' | 'time'
  autocomplete?: string
  label?: string
  isOptional?: boolean
  inputmode?: 'numeric'
  min?: string
  max?: string
}

export function input(source: FieldSource, field: Field, options: Input = {}): Html {
  const { type = 'text', autocomplete, inputmode, isOptional = false, min, max } = options
  return withLabel(
    source,
    field,
    options,
    html`<input
      id="${field}"
      name="${field}"
      type="${type}"
      value="${source.values[field] ?? ''}"
      ${attribute('autocomplete', autocomplete)}${attribute('inputmode', inputmode)}${attribute('min', min)}${attribute('max', max)}${isOptional ? '' : html` required`}${describedBy(source, field)}
    />`,
  )
}

export function select(
  source: FieldSource,
  field: Field,
  choices: [value: string, name: string][],
  options: Input = {},
): Html {
  const chosen = source.values[field] ?? ''
  const list = choices.map(
    ([value, name]) => html`<option value="${value}" ${value === chosen ? html` selected` : ''}>${name}</option>`,
  )
  return withLabel(
    source,
    field,
    options,
    html`<select
      id="${field}"
      name="${field}"
      ${attribute('autocomplete', options.autocomplete)}
      required${describedBy(source, field)}
    >
      ${list}
    </select>`,
  )
}

/** All errors at the top of the page, linked to their fields. The browser moves the focus here. */
export function errorSummary(source: FieldSource): Html | null {
  const { language, errors } = source
  if (errors.length === 0) return null
  const items = errors.map((error) => html`<li><a href="#${error.field}">${errorText(error, source)}</a></li>`)
  return html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="summary-title">
    <h2 id="summary-title">${icon('error')} ${textsIn(language).errorTitle(errors.length)}</h2>
    <ul>
      ${items}
    </ul>
  </div>`
}

/** The title of a page, which says first if something is wrong. */
export const titleWith = ({ language, errors }: FieldSource, title: string): string =>
  errors.length > 0 ? `${textsIn(language).error}: ${title}` : title

/** The error message above a field. */
export function errorParagraph(source: FieldSource, field: Field): Html | null {
  const error = source.errors.find((each) => each.field === field)
  return error ? html`<p class="error" id="${field}-error">${icon('error')} ${errorText(error, source)}</p>` : null
}

export const isWrong = ({ errors }: FieldSource, field: Field): boolean => errors.some((each) => each.field === field)

/** The ARIA attributes that tie a field to its error. */
export const describedBy = (source: FieldSource, field: Field): Html | null =>
  isWrong(source, field) ? html` aria-invalid="true" aria-describedby="${field}-error"` : null

function withLabel(source: FieldSource, field: Field, { label, isOptional }: Input, control: Html): Html {
  const texts = textsIn(source.language)
  const note = isOptional ? html` <span>(${texts.optional})</span>` : ''
  return html`<div class="field${isWrong(source, field) ? ' wrong' : ''}">
    <label for="${field}">${label ?? texts.labels[field]}${note}</label>
    ${errorParagraph(source, field)} ${control}
  </div>`
}

function errorText({ field, fault }: FieldError, { language, reader }: FieldSource): string {
  const texts = textsIn(language, reader)
  const general = fault === 'tooLong' ? texts.tooLong : texts.notAccepted
  return texts.faults[field][fault] ?? `${texts.labels[field]}: ${general}`
}

const attribute = (name: string, value: string | undefined) => (value === undefined ? '' : html` ${name}="${value}"`)
