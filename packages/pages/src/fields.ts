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
  type?: 'text' | 'email' | 'tel' | 'date' | 'time' | 'password'
  autocomplete?: string
  label?: string
  isOptional?: boolean
  inputmode?: 'numeric'
  /** A sentence below the label. */
  hint?: string
  maxlength?: number
  /** Names of data attributes with their values. */
  data?: Record<string, string>
  min?: string
  max?: string
  step?: number
}

export function input(source: FieldSource, field: Field, options: Input = {}): Html {
  const { type = 'text', autocomplete, inputmode, isOptional = false, min, max, step, maxlength, data = {} } = options
  return withLabel(
    source,
    field,
    options,
    html`<input
      id="${field}"
      name="${field}"
      type="${type}"
      value="${source.values[field] ?? ''}"
      ${attribute('autocomplete', autocomplete)}${attribute('inputmode', inputmode)}${attribute('min', min)}${attribute('max', max)}${attribute('step', step?.toString())}${attribute('maxlength', maxlength?.toString())}${Object.entries(data).map(([name, value]) => attribute(`data-${name}`, value))}${isOptional ? '' : html` required`}${describedBy(source, field, options.hint !== undefined)}
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
      ${attribute('autocomplete', options.autocomplete)}${options.isOptional ? '' : html` required`}${describedBy(source, field, options.hint !== undefined)}
    >
      ${list}
    </select>`,
  )
}

/** All errors at the top of the page, linked to their fields. The browser moves the focus here. */
export function errorSummary(source: FieldSource): Html | null {
  const { language, errors } = source
  if (errors.length === 0) return null
  const items = errors.map(
    (error) => html`<li><a href="#${anchorOf(error.field)}">${errorText(error, source)}</a></li>`,
  )
  return html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="summary-title">
    <h2 id="summary-title">${icon('error')} ${textsIn(language).errorTitle(errors.length)}</h2>
    <ul>
      ${items}
    </ul>
  </div>`
}

/** The date of birth has three boxes, and begins with the first. */
const anchorOf = (field: Field) => (field === 'birthDate' ? 'birthMonth' : field)

/** The title of a page, which says first if something is wrong. */
export const titleWith = ({ language, errors }: FieldSource, title: string): string =>
  errors.length > 0 ? `${textsIn(language).error}: ${title}` : title

/** The error message above a field. */
export function errorParagraph(source: FieldSource, field: Field, anchor: Field = field): Html | null {
  const error = source.errors.find((each) => each.field === field)
  return error ? html`<p class="error" id="${anchor}-error">${icon('error')} ${errorText(error, source)}</p>` : null
}

export const isWrong = ({ errors }: FieldSource, field: Field): boolean => errors.some((each) => each.field === field)

/** The ARIA attributes that tie a field to its error and its hint. */
export function describedBy(source: FieldSource, field: Field, hasHint = false): Html | null {
  const wrong = isWrong(source, field)
  const ids = [...(wrong ? [`${field}-error`] : []), ...(hasHint ? [`${field}-hint`] : [])]
  if (ids.length === 0) return null
  return html`${wrong ? html` aria-invalid="true"` : ''} aria-describedby="${ids.join(' ')}"`
}

function withLabel(source: FieldSource, field: Field, { label, isOptional, hint }: Input, control: Html): Html {
  const texts = textsIn(source.language)
  const note = isOptional ? html` <span>(${texts.optional})</span>` : ''
  return html`<div class="field${isWrong(source, field) ? ' wrong' : ''}">
    <label for="${field}">${label ?? texts.labels[field]}${note}</label>
    ${hint === undefined ? '' : html`<p class="hint" id="${field}-hint">${hint}</p>`} ${errorParagraph(source, field)}
    ${control}
  </div>`
}

function errorText({ field, fault, count }: FieldError, { language, reader }: FieldSource): string {
  const texts = textsIn(language, reader)
  if (count !== undefined) return texts.form.ssnDigits(count)
  const general = fault === 'tooLong' ? texts.tooLong : texts.notAccepted
  return texts.faults[field][fault] ?? `${texts.labels[field]}: ${general}`
}

const attribute = (name: string, value: string | undefined) => (value === undefined ? '' : html` ${name}="${value}"`)
