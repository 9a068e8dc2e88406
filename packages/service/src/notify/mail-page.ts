import {
  adjustAccent,
  DARK,
  formatPhone,
  html,
  languageFile,
  LIGHT,
  markNames,
  properName,
  sentenceWith,
  trusted,
  type Brand,
  type Html,
  type Language,
  type Part,
} from '@order-testing/pages'
import type { Row, Value } from './rows.ts'

/** A mail in parts, for its page and its plain text. */
export interface MailPage {
  language: Language
  subject: string
  title: string
  /** What mail clients show beside the subject. */
  preview: string
  /** Who asks; null in mails to clinics. */
  brand: Brand | null
  /** Names in its sentences that stay English. */
  names: readonly string[]
  /** Whether to mark the title as good news. */
  hasTick: boolean
  /** What to know before reading, such as that it is a copy. */
  note: string | null
  lines: string[]
  rows: Row[]
  action: { button: string; link: string } | null
  buttonFails: string
  /** Links to the page in other languages, each worded in its own. */
  others: { language: Language; text: string; link: string }[]
  after: string[]
  /** Whom to ask. The sentence is built around the contact. */
  help: { title: string | null; before: string; sentence: (contact: string) => string; values: Value[] } | null
  footer: string[]
  privacy: { text: string; href: string } | null
}

/** The parts that a mail may lack. */
export const PLAIN_MAIL = {
  brand: null,
  names: [],
  hasTick: false,
  note: null,
  rows: [],
  action: null,
  buttonFails: '',
  others: [],
  after: [],
  help: null,
  privacy: null,
} satisfies Partial<MailPage>

/**
 * Uses only tables and inline styles, which all mail clients support, and loads nothing but a hosted logo. Many clients take
 * only the body into a page of their own, so the body repeats title and language.
 */
export function renderMailPage(mail: MailPage): string {
  const { language, subject, preview, title, brand, note, lines, rows, action, others, after, help } = mail
  const accent = adjustAccent(brand?.accent ?? LIGHT.accent)
  const mark = (text: string) => markNames(text, mail.names, language)
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no" />
        <title>${subject}</title>
        ${darkStyle(accent.dark.accent)}
      </head>
      <body class="page" style="background:${LIGHT.bg};margin:0;padding:0">
        <div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preview}${PADDING}</div>
        <div role="article" aria-label="${subject}" lang="${language}" dir="ltr">
          <table role="presentation" class="page" width="100%" ${TABLE} bgcolor="${LIGHT.bg}">
            <tr>
              <td align="center" style="padding:24px 12px">
                <table role="presentation" width="560" ${TABLE} style="max-width:560px;width:100%">
                  ${brand && header(brand, accent.light.accent, language)}
                  <tr>
                    <td class="card" bgcolor="${LIGHT.surface}" style="${CARD}">
                      ${note && noteLine(mark(note))} ${heading(mark(title), mail.hasTick)}
                      ${lines.map((line) => html`<p style="margin:0 0 16px">${mark(line)}</p>`)}
                      ${rows.length > 0 ? table(rows, accent.light.accent, language) : ''}
                      ${action && button(action, mail.buttonFails, accent.light.accent)}
                      ${others.map((other) => otherLanguage(other, accent.light.accent))}
                      ${after.map((line) => html`<p style="margin:16px 0 0">${mark(line)}</p>`)}
                      ${help && helpBox(help, { accent: accent.light.accent, hasLine: action !== null, mark })}
                    </td>
                  </tr>
                  <tr>
                    <td class="soft" align="center" style="${FOOTER}">${footer(mail, mark)}</td>
                  </tr>
                </table>
              </td>
            </tr>
          </table>
        </div>
      </body>
    </html> `
  return page.text
}

const TABLE = trusted('cellpadding="0" cellspacing="0" border="0"')
const FONT = "font-family:'Public Sans',system-ui,-apple-system,'Segoe UI',Arial,Helvetica,sans-serif"
const WRAP = 'overflow-wrap:anywhere;word-break:break-word'
const CARD = `background:${LIGHT.surface};border:1px solid ${LIGHT.line};border-radius:16px;color:${LIGHT.text};${FONT};font-size:17px;line-height:26px;padding:28px 24px;text-align:left;${WRAP}`
const TITLE = 'font-size:24px;font-weight:bold;line-height:30px;margin:0 0 16px'
const FOOTER = `color:${LIGHT.muted};${FONT};font-size:13px;line-height:18px;padding:16px 24px;${WRAP}`
const SMALL = `color:${LIGHT.muted};font-size:15px;line-height:22px`

/** For mail clients that support style elements; others show the light colors of the attributes. */
const darkStyle = (accent: string) =>
  trusted(`<style>
@media (max-width: 420px) { .label { display: block !important; padding-bottom: 0 !important; width: auto !important } .value { display: block !important; border-top: 0 !important; padding-top: 0 !important } }
@media (prefers-color-scheme: dark) {
.page { background: ${DARK.bg} !important } .card { background: ${DARK.surface} !important; border-color: ${DARK.line} !important; color: ${DARK.text} !important }
.line { border-color: ${DARK.line} !important } .soft { color: ${DARK.muted} !important } .who { color: ${DARK.text} !important }
.link { color: ${accent} !important } .note { background: ${DARK['info-soft']} !important; color: ${DARK.text} !important }
.button, .tile { background: ${accent} !important; color: ${DARK['on-accent']} !important } .tick { background: ${DARK.ok} !important; color: ${DARK['on-accent']} !important }
}
</style>`)

/** Zero-width characters, so that the preview does not continue with the greeting. */
const PADDING = '\u034F\u200C\u00A0'.repeat(60)

/** The logo or initial, the company, and who works for it. */
function header({ company, tenant, logo }: Brand, accent: string, language: Language): Html {
  const initial = (/[\p{L}\p{N}]/u.exec(company)?.[0] ?? '').toUpperCase()
  const tile = logo
    ? html`<td width="40">
        <img src="${logo}" alt="" width="40" height="40" style="border-radius:10px;display:block;border:0" />
      </td>`
    : html`<td
        class="tile"
        width="40"
        height="40"
        align="center"
        aria-hidden="true"
        bgcolor="${accent}"
        style="background:${accent};border-radius:10px;color:#ffffff;${FONT};font-size:20px;font-weight:bold;height:40px;line-height:40px;width:40px"
      >
        ${initial}
      </td>`
  return html`<tr>
    <td style="padding:0 4px 16px">
      <table role="presentation" ${TABLE}>
        <tr>
          ${tile}
          <td class="who" style="color:${LIGHT.text};${FONT};font-size:15px;line-height:20px;padding-left:12px;${WRAP}">
            <b>${properName(company, language)}</b>${
              tenant === ''
                ? ''
                : html`<br /><span class="soft" style="color:${LIGHT.muted}"
                      >${sentenceWith([tenant], language, languageFile(language).notifications.withTenant)}</span
                    >`
            }
          </td>
        </tr>
      </table>
    </td>
  </tr>`
}

const noteLine = (note: Part): Html =>
  html`<p
    class="note"
    style="background:${LIGHT['info-soft']};border-radius:12px;font-size:15px;line-height:22px;margin:0 0 20px;padding:12px 16px"
  >
    ${note}
  </p>`

function heading(title: Part, hasTick: boolean): Html {
  if (!hasTick) return html`<h1 style="${TITLE}">${title}</h1>`
  return html`<table role="presentation" ${TABLE} style="margin:0 0 16px">
    <tr>
      <td width="36" valign="top">
        <div class="tick" aria-hidden="true" style="${TICK}">${TICK_MARK}</div>
      </td>
      <td style="padding-left:12px"><h1 style="${TITLE};margin:0">${title}</h1></td>
    </tr>
  </table>`
}

/** Inserted as a value: the bundle escapes no characters of tagged templates. */
const TICK_MARK = '✓'
const TICK = `background:${LIGHT.ok};border-radius:18px;color:#ffffff;font-size:20px;font-weight:bold;height:36px;line-height:36px;text-align:center;width:36px`

/** A table of facts: label beside value, one below the other on narrow screens. */
const table = (rows: Row[], accent: string, language: Language): Html =>
  html`<table
    role="presentation"
    class="line"
    width="100%"
    ${TABLE}
    style="border-bottom:1px solid ${LIGHT.line};border-collapse:collapse;margin:4px 0 0"
  >
    ${rows.map(
      ({ label, values }) =>
        html`<tr>
          <td
            class="label soft line"
            width="96"
            valign="top"
            style="${CELL};color:${LIGHT.muted};padding-right:12px;width:96px"
          >
            ${label}
          </td>
          <td class="value line" valign="top" style="${CELL}">
            ${values.map((value, i) => cell(value, i, accent, language))}
          </td>
        </tr>`,
    )}
  </table>`

const CELL = `border-top:1px solid ${LIGHT.line};font-size:16px;line-height:24px;padding:12px 0`

function cell(
  { text, href, isStrong, isName, follows }: Value,
  index: number,
  accent: string,
  language: Language,
): Html {
  const words = isName ? properName(text, language) : text
  const shown = isStrong ? html`<b>${words}</b>` : href ? anchor(text, href, accent) : words
  return html`${index === 0 ? '' : follows ? ' · ' : html`<br />`}${shown}`
}

const anchor = (text: string, href: string, accent: string): Html =>
  html`<a
    class="link"
    href="${href}"
    style="color:${accent};text-decoration:underline${href.startsWith('tel:') ? ';white-space:nowrap' : ''}"
    >${text}</a
  >`

const button = ({ button: text, link }: NonNullable<MailPage['action']>, fails: string, accent: string): Html =>
  html`<table role="presentation" width="100%" ${TABLE} style="margin:24px 0 16px">
      <tr>
        <td class="button" align="center" bgcolor="${accent}" style="border-radius:10px">
          <a
            class="button"
            href="${link}"
            style="background:${accent};border-radius:10px;color:#ffffff;display:block;${FONT};font-size:17px;font-weight:bold;line-height:26px;padding:12px 24px;text-decoration:none"
            >${text}</a
          >
        </td>
      </tr>
    </table>
    <p class="soft" style="${SMALL};margin:0;word-break:break-all">${fails}<br />${link}</p>`

const otherLanguage = ({ language, text, link }: MailPage['others'][number], accent: string): Html =>
  html`<p lang="${language}" style="margin:8px 0 0">
    <a class="link" href="${link}" style="color:${accent};display:inline-block;padding:8px 0">${text}</a>
  </p>`

/** The contact is a placeholder in the sentence until its links are put in its place. */
function helpBox(
  { title, before, sentence, values }: NonNullable<MailPage['help']>,
  { accent, hasLine, mark }: { accent: string; hasLine: boolean; mark: (text: string) => Part },
): Html {
  const [start = '', end = ''] = sentence(MARK).split(MARK)
  const contact = values.map(
    ({ text, href }, i) =>
      html`${i === 0 ? '' : ', '}${href ? anchor(href.startsWith('tel:') ? formatPhone(text) : text, href, accent) : mark(text)}`,
  )
  return html`<div
    class="line"
    style="${hasLine ? `border-top:1px solid ${LIGHT.line};` : ''}font-size:15px;line-height:22px;margin-top:${hasLine ? '24px;padding-top:16px' : '16px'}"
  >
    ${title && html`<b>${title}</b><br />`}${mark(before)} ${mark(start)}${joined(contact)}${mark(end)}
  </div>`
}

const MARK = '\u0000'

const joined = (parts: Html[]) => trusted(parts.map(({ text }) => text).join(''))

function footer({ footer: lines, privacy }: MailPage, mark: (text: string) => Part): Html {
  const link =
    privacy &&
    html` <a class="soft" href="${privacy.href}" style="color:${LIGHT.muted};text-decoration:underline"
      >${privacy.text}</a
    >`
  return html`${lines.map((line, i) => html`${i === 0 ? '' : html`<br />`}${mark(line)}`)}${link}`
}
