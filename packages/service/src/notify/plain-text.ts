import { formatPhone } from '@order-testing/pages'
import type { MailPage } from './mail-page.ts'
import type { Row } from './rows.ts'

/** The plain text of a mail: everything that its page says, with all addresses written out. */
export function toPlainText({
  title,
  note,
  lines,
  rows,
  action,
  others,
  after,
  help,
  footer,
  privacy,
}: MailPage): string {
  const contact = help?.values.map(({ text, href }) => (href?.startsWith('tel:') ? formatPhone(text) : text)).join(', ')
  const blocks = [
    note,
    title,
    ...lines,
    rows.map(toLine).join('\n'),
    action && `${action.button}:\n${action.link}`,
    ...others.map(({ text, link }) => `${text}:\n${link}`),
    ...after,
    help && [help.title, help.before, help.sentence(contact ?? '')].filter(Boolean).join('\n'),
    [...footer, ...(privacy ? [`${privacy.text}: ${privacy.href}`] : [])].join('\n'),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

/** `Where: Naperville Occupational Health, 10 Main Street` and below the links. */
function toLine({ label, values }: Row): string {
  const isMap = ({ href }: Row['values'][number]) => href?.startsWith('https:') === true
  const plain = values.filter((value) => !isMap(value)).map(({ text }) => text)
  const maps = values.filter(isMap).map(({ text, href }) => `${text}: ${href}`)
  return [`${label}: ${plain.join(', ')}`, ...maps].join('\n')
}
