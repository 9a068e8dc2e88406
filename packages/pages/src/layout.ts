import { html, trusted, type Html, type Part } from './html.ts'
import { STYLE } from './style.ts'
import { otherLanguage, textsIn } from './texts.ts'
import type { Fields, Frame, Language, Note, Reader } from './views.ts'

/** Must not change a byte: the content security policy holds its hash. */
const STYLE_ELEMENT = trusted(`<style>${STYLE}</style>`)

/** A complete page. It loads nothing, and sends no referrer. */
export function page(frame: Frame, { title, body }: { title: string; body: Part }): string {
  const { language } = frame
  const texts = textsIn(language)
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
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <a class="skip" href="#content">${texts.skip}</a>
        <header class="screen">${languageSwitch(frame)}</header>
        <main id="content">${body}</main>
      </body>
    </html> `
  return document.text
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
  note ? html`<p class="note" role="status">${textsIn(language, reader).notes[note]}</p>` : null

const languageField = ({ language, isChosen }: Frame): Fields => (isChosen ? { lang: language } : {})

const definedEntries = (fields: Fields) =>
  Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)

/** The response to a POST is requested again with the same form data, which a link would lose. */
function languageSwitch(frame: Frame): Html {
  const other = otherLanguage(frame.language)
  const name = textsIn(other).language
  const address = pageUrl({ ...frame, language: other, isChosen: true }, frame.asked)
  if (!frame.posted)
    return html`<a class="link button" lang="${other}" hreflang="${other}" href="${address}">${name}</a>`
  return html`<form method="post" action="${address}">
    ${hidden(frame.posted)}<button class="link" lang="${other}">${name}</button>
  </form>`
}
