import { html, trusted, type Html, type Part } from './html.ts'
import { STYLE } from './style.ts'
import { otherLanguage, textsIn } from './texts.ts'
import type { Frame } from './views.ts'

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

/** The address of the participant's page, or of another step of it, in the language that was asked for. */
export function addressOf({ path, language, isChosen }: Frame, step?: Frame['step']): string {
  const query = [...(step ? [`step=${step}`] : []), ...(isChosen ? [`lang=${language}`] : [])]
  return query.length > 0 ? `${path}?${query.join('&')}` : path
}

/** Values that are sent along unseen. */
export const hidden = (values: Record<string, string | undefined>): Html[] =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)

/** An answer to a form is asked for again with all that was sent: a mere link would lose it. */
function languageSwitch(frame: Frame): Html {
  const other = otherLanguage(frame.language)
  const name = textsIn(other).language
  const address = addressOf({ ...frame, language: other, isChosen: true }, frame.step)
  if (!frame.posted)
    return html`<a class="link button" lang="${other}" hreflang="${other}" href="${address}">${name}</a>`
  return html`<form method="post" action="${address}">
    ${hidden(frame.posted)}<button class="link" lang="${other}">${name}</button>
  </form>`
}
