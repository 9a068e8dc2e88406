import { favicon, footer, whoAsks } from './brand.ts'
import { FONT } from './font.ts'
import { html, trusted, type Html, type Part as Markup } from './html.ts'
import { icon, shapesFor, type Icon } from './icons.ts'
import { SHEETS, STYLE, type Sheet } from './style.ts'
import { accentStyle } from './style/accent.ts'
import { languageCodes, languageFile } from './languages/index.ts'
import { textsIn } from './texts.ts'
import type { Brand, Fields, Frame, Language, Note, OrderView, Reader } from './views.ts'

interface Content {
  title: string
  body: Markup
  /** The style sheets beside the common one. */
  sheets?: Sheet[]
  brand: Brand | null
  /** The order's code, for people who call. */
  code?: string
  /** Whether the footer says whom to ask. */
  asks?: boolean
  /** The id of a form: the language switch keeps what was typed into it. */
  form?: string
  /** A script that the content security policy allows by hash. */
  script?: string
  /** A page with nothing but its text: no footer, no link. */
  isAlone?: boolean
}

/** A complete page. It loads nothing but our font and the logo, and sends no referrer. */
export function page(frame: Frame, content: Content): string {
  const { title, sheets = [], brand, script } = content
  const { language } = frame
  const shown = contentOf(frame, content)
  const document = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <title>${title}</title>
        <link rel="preload" href="${FONT.path}" as="font" type="font/woff2" crossorigin />
        ${favicon(brand)} ${STYLE_ELEMENT} ${sheets.map((name) => SHEET_ELEMENTS[name])} ${accentElement(brand)}
      </head>
      <body>
        ${shapesFor(shown.text)} ${shown} ${script === undefined ? '' : trusted(`<script>${script}</script>`)}
      </body>
    </html> `
  return document.text
}

function contentOf(frame: Frame, { body, brand, code, asks, form, isAlone = false }: Content): Html {
  const { language } = frame
  if (isAlone)
    return html`<header class="band screen">
        <div class="in">${whoAsks(brand, language, { isAlone })}</div>
      </header>
      <main id="content" class="in">${body}</main>`
  return html`<a class="skip" href="#content">${textsIn(language).skip}</a>
    ${form === undefined ? '' : firstButton(form, language)}
    <header class="band screen">
      <div class="in">
        ${whoAsks(brand, language)} ${form === undefined ? languageLinks(frame) : languageButtons(frame, form)}
      </div>
    </header>
    <main id="content" class="in">${body}</main>
    ${footer(brand, language, { code, asks })}`
}

/** Enter uses the first button of a form, which must not be the language switch. */
const firstButton = (form: string, language: Language): Html =>
  html`<button class="skip" form="${form}" tabindex="-1" aria-hidden="true">${textsIn(language).goOn}</button>`

/** Buttons of the form, so that what was typed is sent along and kept. */
const languageButtons = ({ language }: Frame, form: string): Html[] =>
  otherLanguages(language).map(
    (other) =>
      html`<button class="link" form="${form}" name="lang" value="${other}" lang="${other}" formnovalidate>
        ${languageFile(other).name}
      </button>`,
  )

const otherLanguages = (language: Language): Language[] => languageCodes().filter((other) => other !== language)

/** The style sheets of all pages, which the content security policy allows by hash. They must not change by a byte. */
export const PAGE_STYLES: readonly string[] = [STYLE, ...Object.values(SHEETS)]

const STYLE_ELEMENT = trusted(`<style>${STYLE}</style>`)
const SHEET_ELEMENTS = Object.fromEntries(
  Object.entries(SHEETS).map(([name, css]) => [name, trusted(`<style>${css}</style>`)]),
) as Record<Sheet, Html>

function accentElement(brand: Brand | null): Html | null {
  const style = accentStyle(brand?.accent ?? null)
  return style === null ? null : trusted(`<style>${style}</style>`)
}

/** The URL of the participant's page or one of its steps, in the chosen language. */
export function pageUrl(frame: Frame, step: Fields = {}): string {
  const query = new URLSearchParams(definedEntries({ ...step, ...languageField(frame) })).toString()
  return query === '' ? frame.path : `${frame.path}?${query}`
}

export const hidden = (values: Fields): Html[] =>
  definedEntries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)

/** For GET forms, whose fields replace the query of the URL. */
export const hiddenWithLanguage = (frame: Frame, values: Fields): Html[] =>
  hidden({ ...values, ...languageField(frame) })

export const noteParagraph = (note: Note | undefined, language: Language, reader?: Reader): Html | null =>
  note ? html`<div role="status">${banner(NOTE_KINDS[note], textsIn(language, reader).notes[note])}</div>` : null

type BannerKind = 'info' | 'good' | 'warn' | 'alarm'

const NOTE_KINDS: Record<Note, BannerKind> = {
  lost: 'warn',
  cookies: 'warn',
  elsewhere: 'warn',
  overtaken: 'info',
  cancelled: 'good',
}
const BANNER_ICONS: Record<BannerKind, Icon> = { info: 'info', good: 'done', warn: 'alarm', alarm: 'alarm' }

export const banner = (kind: BannerKind, text: Markup): Html =>
  html`<div class="note ${kind}">
    ${icon(BANNER_ICONS[kind])}
    <div>${text}</div>
  </div>`

export const backLink = (address: string, text: string): Html =>
  html`<a class="back" href="${address}">${icon('back')} ${text}</a>`

type Step = 'details' | 'clinic' | 'time'

/** How much of the current step is done, in words and as a fraction. */
interface Part {
  text: string
  done: number
}

/** How far the participant has come. Requesters skip the details. */
export function progress(current: Step, { reader }: Pick<OrderView, 'reader'>, language: Language, part?: Part): Html {
  const texts = textsIn(language, reader)
  const steps = (['details', 'clinic', 'time'] as const).filter(
    (step) => reader === 'participant' || step !== 'details',
  )
  const at = steps.indexOf(current)
  const items = steps.map((step, i) =>
    i === at
      ? html`<li aria-current="step" ${part ? html` class="p${Math.round(part.done * 6)}"` : ''}>
          ${texts.progress[step]} ${part ? html`<span>${part.text}</span>` : ''}
        </li>`
      : html`<li${i < at ? html` class="done"` : ''}>${texts.progress[step]}</li>`,
  )
  return html`<p class="hide">${texts.stepOf(at + 1, steps.length)}</p>
    <ol class="progress">
      ${items}
    </ol>`
}

const languageField = ({ language, isChosen }: Frame): Fields => (isChosen ? { lang: language } : {})

const definedEntries = (fields: Fields) =>
  Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)

/** The response to a POST is requested again with the same form data, which a link would lose. */
const languageLinks = (frame: Frame): Html[] =>
  otherLanguages(frame.language).map((other) => {
    const { name } = languageFile(other)
    const address = pageUrl({ ...frame, language: other, isChosen: true }, frame.asked)
    if (!frame.posted)
      return html`<a class="link button" lang="${other}" hreflang="${other}" href="${address}">${name}</a>`
    return html`<form method="post" action="${address}">
      ${hidden(frame.posted)}<button class="link" lang="${other}">${name}</button>
    </form>`
  })
