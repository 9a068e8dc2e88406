import { html, trusted, type Html, type Part } from './html.ts'
import { STYLE } from './style.ts'
import { otherLanguage, textsIn } from './texts.ts'
import type { Fields, Frame, Language, Note, Reader } from './views.ts'

/** To the letter: browsers compare what is inside with a hash. */
const STYLE_ELEMENT = trusted(`<style>${STYLE}</style>`)

/** A whole page. It loads nothing, and no other site learns its address. */
export function page(frame: Frame, { title, body }: { title: string; body: Part }): string {
  const { language } = frame
  const texts = textsIn(language)
  const whole = html`<!doctype html>
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
  return whole.text
}

/** The address of the participant's page, or of a step of it, in the language that was asked for. */
export function addressOf(frame: Frame, step: Fields = {}): string {
  const query = new URLSearchParams(given({ ...step, ...languageIn(frame) })).toString()
  return query === '' ? frame.path : `${frame.path}?${query}`
}

/** Values that are sent along unseen. */
export const hidden = (values: Fields): Html[] =>
  given(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)

/** The same for a form that leads to an address: a browser puts its fields in the place of what the address had. */
export const hiddenInAddress = (frame: Frame, values: Fields): Html[] => hidden({ ...values, ...languageIn(frame) })

/** What has become of something before this page, to stand at its top. */
export const noteOf = (note: Note | undefined, language: Language, reader?: Reader): Html | null =>
  note ? html`<p class="note" role="status">${textsIn(language, reader).notes[note]}</p>` : null

const languageIn = ({ language, isChosen }: Frame): Fields => (isChosen ? { lang: language } : {})

const given = (fields: Fields) =>
  Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)

/** What answers a form without an address of its own is asked for again with all that was sent: a link would lose it. */
function languageSwitch(frame: Frame): Html {
  const other = otherLanguage(frame.language)
  const name = textsIn(other).language
  const address = addressOf({ ...frame, language: other, isChosen: true }, frame.asked)
  if (!frame.posted)
    return html`<a class="link button" lang="${other}" hreflang="${other}" href="${address}">${name}</a>`
  return html`<form method="post" action="${address}">
    ${hidden(frame.posted)}<button class="link" lang="${other}">${name}</button>
  </form>`
}
