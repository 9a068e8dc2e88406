import { html, trusted, type Html, type Language } from '@order-testing/pages'

interface MailPage {
  language: Language
  subject: string
  /** What mail clients show beside the subject. */
  preview: string
  paragraphs: string[]
  action: { button: string; link: string } | null
  /** A link to the page in another language, worded in that language. */
  other: { language: Language; text: string; link: string } | null
  footer: string
}

/** For mail clients that support style elements; others show the light colors of the attributes. */
const DARK = trusted(`<style>
@media (prefers-color-scheme: dark) {
.page { background: #14171b !important } .card { background: #1e2328 !important; color: #eceff2 !important }
.soft { color: #b0b8c1 !important } .link { color: #8ec2ff !important }
.button { background: #8ec2ff !important; color: #0b1a2b !important }
}
</style>`)

/**
 * Uses only tables and inline styles, which all mail clients support, and loads nothing. Many clients take only the body
 * into a page of their own, so the body repeats title and language.
 */
export function renderMailPage({ language, subject, preview, paragraphs, action, other, footer }: MailPage): string {
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no" />
        <title>${subject}</title>
        ${DARK}
      </head>
      <body class="page" style="background:#f4f5f7;margin:0;padding:0">
        <div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preview}${PADDING}</div>
        <div role="article" aria-label="${subject}" lang="${language}" dir="ltr">
          <table
            role="presentation"
            class="page"
            width="100%"
            cellpadding="0"
            cellspacing="0"
            border="0"
            bgcolor="#f4f5f7"
          >
            <tr>
              <td align="center" style="padding:24px 12px">
                <table
                  role="presentation"
                  width="560"
                  cellpadding="0"
                  cellspacing="0"
                  border="0"
                  style="max-width:560px;width:100%"
                >
                  <tr>
                    <td class="card" bgcolor="#ffffff" style="${CARD}">
                      <h1 style="${TITLE}">${subject}</h1>
                      ${paragraphs.map((line) => html`<p style="margin:0 0 16px">${line}</p>`)}
                      ${action && button(action)} ${other && otherLanguage(other)}
                    </td>
                  </tr>
                  <tr>
                    <td class="soft" align="center" style="${FOOTER}">${footer}</td>
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

const FONT = 'font-family:Arial,Helvetica,sans-serif'
const WRAP = 'overflow-wrap:anywhere;word-break:break-word'
const CARD = `background:#ffffff;border-radius:12px;color:#1b1f24;${FONT};font-size:17px;line-height:1.5;padding:28px 24px;text-align:left;${WRAP}`
const TITLE = 'font-size:22px;line-height:1.3;margin:0 0 20px'
const FOOTER = `color:#545b64;${FONT};font-size:14px;line-height:1.5;padding:16px 24px;${WRAP}`
const BUTTON = `background:#0b57a4;border-radius:8px;color:#ffffff;display:inline-block;${FONT};font-size:17px;font-weight:bold;line-height:24px;padding:12px 24px;text-decoration:none`

/** Zero-width characters, so that the preview does not continue with the greeting. */
const PADDING = '\u034F\u200C\u00A0'.repeat(60)

const button = ({ button: text, link }: NonNullable<MailPage['action']>): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 16px">
      <tr>
        <td class="button" bgcolor="#0b57a4" style="border-radius:8px;mso-padding-alt:12px 24px">
          <a class="button" href="${link}" style="${BUTTON}">${text}</a>
        </td>
      </tr>
    </table>
    <p class="soft" style="color:#545b64;font-size:14px;margin:0;word-break:break-all">${link}</p>`

const otherLanguage = ({ language, text, link }: NonNullable<MailPage['other']>): Html =>
  html`<p lang="${language}" style="margin:6px 0 0">
    <a class="link" href="${link}" style="color:#0b57a4;display:inline-block;padding:10px 0">${text}</a>
  </p>`
