import { FONT } from './font.ts'
import { html, trusted, type Html } from './html.ts'
import { icon, shapesFor } from './icons.ts'
import { favicon } from './brand.ts'
import { formatPhone } from './names.ts'
import { STYLE } from './style.ts'
import { MAILBOX } from './style/mailbox.ts'

export interface MailboxMail {
  id: string
  channel: 'email' | 'mobile'
  language: string
  at: Date
  sender: string | null
  to: string
  cc: string[]
  isCopy: boolean
  subject: string | null
  text: string
  hasPage: boolean
  /** The order's code; null if it is gone. */
  order: string | null
  files: { name: string; url: string }[]
}

export type MailView = 'html' | 'text' | 'phone'

export interface MailboxView {
  mails: MailboxMail[]
  total: number
  /** The mail that is shown. */
  shown: MailboxMail | undefined
  /** Whether it was chosen, and not just the newest. */
  isChosen: boolean
  view: MailView
  filter: { order: string; address: string }
  /** Where the documentation says how to read an order; null if it is not served. */
  docs: string | null
}

const PATH = '/sandbox/mailbox'
const SHEET = MAILBOX.replaceAll('\n', '')

/** The style sheets of the mailbox, for its content security policy. */
export const MAILBOX_STYLES: readonly string[] = [STYLE, SHEET]

/** What a sandbox would have sent: a list, and one message beside it. It needs no scripts. */
export function mailboxPage(view: MailboxView): string {
  const { mails, total, filter, shown, isChosen } = view
  const isFiltered = filter.order !== '' || filter.address !== ''
  const content = html`<a class="skip" href="#content">Skip to content</a>
    <header class="band">
      <div class="in">
        <span class="tile">${icon('mail')}</span>
        <p class="who"><b>Sandbox mailbox</b><span>Order Testing Service</span></p>
        <a class="link button" href="/">Start page</a>
      </div>
    </header>
    <main id="content" class="in">
      <h1>Messages</h1>
      <p class="lead">
        No mail or text server is configured (OTS_SMTP_URL, OTS_SMS_URL), so messages are kept here instead of being
        sent.
      </p>
      ${filterForm(filter, isFiltered)}
      ${
        mails.length === 0
          ? html`<p class="card">
              ${isFiltered ? 'No messages match.' : 'No messages yet. Create an order with the scheduling option "link".'}
            </p>`
          : html`<div class="panes${isChosen ? ' chosen' : ''}">
              <nav class="pile" aria-label="Messages">
                <p class="hint">
                  ${mails.length === total ? `${total} messages` : `The newest ${mails.length} of ${total}`}
                </p>
                <ul class="mails">
                  ${mails.map((mail) => html`<li>${entry(mail, view)}</li>`)}
                </ul>
              </nav>
              ${shown ? letter(shown, view) : ''}
            </div>`
      }
    </main>`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>Sandbox mailbox</title>
        <link rel="preload" href="${FONT.path}" as="font" type="font/woff2" crossorigin />
        ${favicon(null)} ${trusted(`<style>${STYLE}</style><style>${SHEET}</style>`)}
      </head>
      <body>
        ${shapesFor(content.text)} ${content}
      </body>
    </html> `.text
}

const filterForm = ({ order, address }: MailboxView['filter'], isFiltered: boolean): Html =>
  html`<form class="filter" action="${PATH}">
    <label>Order code<input name="order" value="${order}" autocomplete="off" /></label>
    <label>Email or phone<input name="address" value="${address}" autocomplete="off" /></label>
    <button class="plain">Filter</button>
    ${isFiltered ? html`<a class="link button" href="${PATH}">Show all</a>` : ''}
  </form>`

/** The address of a message in a view, with the filter that led to it. */
function mailUrl({ id }: MailboxMail, { order, address }: MailboxView['filter'], view?: MailView): string {
  const query = new URLSearchParams({
    ...(order !== '' && { order }),
    ...(address !== '' && { address }),
    message: id,
    ...(view && { view }),
  })
  return `${PATH}?${query.toString()}`
}

const listUrl = ({ order, address }: MailboxView['filter']) =>
  order === '' && address === '' ? PATH : `${PATH}?${new URLSearchParams({ order, address }).toString()}`

const titleOf = ({ subject }: MailboxMail) => subject ?? 'Text message'

function entry(mail: MailboxMail, { filter, shown }: MailboxView): Html {
  const current = mail.id === shown?.id ? html` aria-current="true"` : ''
  return html`<a href="${mailUrl(mail, filter)}" ${current}>
    ${icon(mail.channel === 'email' ? 'mail' : 'phone')}
    <span>
      <b lang="${mail.language}">${mail.subject ?? mail.text.slice(0, 80)}</b>
      <small>${formatPhone(mail.to)}${mail.isCopy ? ' (copy)' : ''}</small>
      <small>${mail.order ? `${mail.order} · ` : ''}${time(mail.at)}</small>
    </span>
  </a>`
}

function letter(mail: MailboxMail, view: MailboxView): Html {
  const { order, cc, files, sender } = mail
  const rows: [string, Html | string][] = [
    ...(sender ? ([['From', sender]] as [string, string][]) : []),
    ['To', formatPhone(mail.to)],
    ...(cc.length > 0 ? ([['Copies', cc.join(', ')]] as [string, string][]) : []),
    ['Sent', time(mail.at)],
    ...(order ? ([['Order', orderLinks(order, view)]] as [string, Html][]) : []),
  ]
  return html`<section class="letter card" aria-labelledby="subject">
    <a class="back" href="${listUrl(view.filter)}">${icon('back')} All messages</a>
    <div class="head">
      <h2 id="subject" lang="${mail.language}">${titleOf(mail)}</h2>
      <dl>
        ${rows.map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
      ${
        files.length > 0
          ? html`<ul class="files">
              ${files.map(({ name, url }) => html`<li><a href="${url}" download="${name}">${icon('file')} ${name}</a></li>`)}
            </ul>`
          : ''
      }
    </div>
    ${tabs(mail, view)} ${body(mail, view.view)}
  </section>`
}

const orderLinks = (code: string, { docs }: MailboxView): Html =>
  html`<a href="${PATH}?order=${encodeURIComponent(code)}">${code}</a>${
      docs ? html` · <a href="${docs}">How to read it</a>` : ''
    }`

const TABS: Record<MailboxMail['channel'], readonly (readonly [MailView, string])[]> = {
  email: [
    ['html', 'HTML'],
    ['text', 'Text'],
    ['phone', 'Phone'],
  ],
  mobile: [
    ['phone', 'Phone'],
    ['text', 'Text'],
  ],
}

const tabs = (mail: MailboxMail, { filter, view }: MailboxView): Html =>
  html`<ul class="tabs" aria-label="View">
    ${TABS[mail.channel].map(
      ([name, label]) =>
        html`<li>
          <a href="${mailUrl(mail, filter, name)}" ${name === viewOf(mail, view) ? html` aria-current="true"` : ''}
            >${label}</a
          >
        </li>`,
    )}
  </ul>`

/** Text messages have no page of their own. */
const viewOf = ({ channel, hasPage }: MailboxMail, view: MailView): MailView => {
  if (channel === 'mobile') return view === 'text' ? 'text' : 'phone'
  return hasPage ? view : 'text'
}

function body(mail: MailboxMail, asked: MailView): Html {
  const { id, channel, language, sender, text } = mail
  const view = viewOf(mail, asked)
  if (view === 'text') return html`<pre class="plaintext" lang="${language}" tabindex="0">${linked(text)}</pre>`
  if (channel === 'mobile')
    return html`<div class="phone">
      <p><b>Text message</b><small>to ${formatPhone(mail.to)}</small></p>
      <p class="bubble" lang="${language}">${linked(text)}</p>
    </div>`
  const frame = html`<iframe
    src="${PATH}/${id}/page"
    title="${titleOf(mail)}"
    sandbox="allow-popups allow-popups-to-escape-sandbox"
  ></iframe>`
  if (view === 'html') return frame
  return html`<div class="phone">
    <p><b>${sender ?? 'Email'}</b><small>390 pixels wide</small></p>
    ${frame}
  </div>`
}

/** Makes addresses of pages clickable. */
const linked = (text: string): Html =>
  trusted(
    text
      .split(/(https?:\/\/\S+)/)
      .map((part, i) => (i % 2 === 1 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : html`${part}`).text)
      .join(''),
  )

const time = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`
