import { escaped } from '@order-testing/web'
import type { MessageKind } from '../domain/messages.ts'
import type { Order } from '../domain/orders.ts'
import { choosesClinic } from '../domain/participation.ts'

/** A message in words, for a mail client and for a telephone. */
export interface Letter {
  subject: string
  text: string
  html: string
  /** For a text message: short, and with the address at its end. */
  short: string
}

export interface LetterFacts {
  order: Order
  /** The participant's page; null where there is nothing left to do or see. */
  link: string | null
  /** Where appointments are told in local time; UTC where it is not known. */
  timezone: string | undefined
}

interface Words {
  subject: string
  lines: string[]
  button: string
}

/**
 * What a message says: who asks, by when and where, and nothing of what is tested or of the person. A mail may be read by
 * others, and on a locked screen.
 */
export function letterOf(kind: MessageKind, { order, link, timezone }: LetterFacts): Letter {
  const { subject, lines, button } = WORDS[kind](order, (at) => spoken(at, timezone))
  const closing = `Your order code is ${order.code}.`
  const paragraphs = [`Hello ${order.participant.firstName},`, ...lines, closing]
  const text = [...paragraphs, ...(link === null ? [] : [`${button}:\n${link}`])].join('\n\n')
  const short = [...lines, ...(link === null ? [] : [link])].join(' ')
  return { subject, text: `${text}\n`, html: page({ subject, paragraphs, button, link }), short }
}

type Say = (order: Order, when: (at: Date) => string) => Words

const byWhen = ({ expiresAt }: Order, when: (at: Date) => string) => (expiresAt ? ` by ${when(expiresAt)}` : '')

const where = ({ clinic }: Order) => {
  if (!clinic) return ''
  const { address, phone } = clinic
  const place = address
    ? [address.line1, address.city, address.state, address.postalCode].filter(Boolean).join(', ')
    : ''
  return [clinic.name, place, phone ? `telephone ${phone}` : ''].filter((part) => part !== '').join('; ')
}

const booking =
  (subject: string, opening: string): Say =>
  (order, when) => ({
    subject,
    lines: [
      order.appointmentAt
        ? `${opening} ${when(order.appointmentAt)} at ${where(order)}.`
        : `${opening} at ${where(order)}${byWhen(order, when)}.`,
      'Bring a photo ID and the order code.',
    ],
    button: 'See your pass',
  })

const WORDS: Record<MessageKind, Say> = {
  link: (order, when) => ({
    subject: `${order.company.name} asks you to complete an order`,
    lines: [`${order.company.name} asks you to complete an order${byWhen(order, when)}.`],
    button: 'Complete the order',
  }),
  booking: booking('Your appointment', 'You are expected'),
  bookingChanged: booking('Your appointment has changed', 'Your appointment has changed: you are expected'),
  bookingWithdrawn: (order) => ({
    subject: 'Your appointment was withdrawn',
    lines: [
      `Your appointment for ${order.company.name} was withdrawn.`,
      choosesClinic(order) ? 'You can choose another one.' : 'You will hear from us about a new one.',
    ],
    button: 'See the order',
  }),
  reminder: (order, when) => ({
    subject: `Please complete the order of ${order.company.name}`,
    lines: [
      `The order of ${order.company.name} is still open, and ends ${order.expiresAt ? when(order.expiresAt) : 'soon'}.`,
    ],
    button: 'Complete the order',
  }),
  bookingReminder: booking('Your appointment is tomorrow', 'A reminder: you are expected'),
  cancellation: (order) => ({
    subject: `The order of ${order.company.name} was cancelled`,
    lines: [`${order.company.name} has cancelled the order. There is nothing left to do.`],
    button: '',
  }),
}

function spoken(at: Date, timezone = 'UTC'): string {
  return (
    new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short', timeZone: timezone }).format(at) +
    (timezone === 'UTC' ? ' (UTC)' : '')
  )
}

/** Plain enough for every mail client: tables and attributes, no style sheets, nothing loaded from anywhere. */
function page({
  subject,
  paragraphs,
  button,
  link,
}: {
  subject: string
  paragraphs: string[]
  button: string
  link: string | null
}): string {
  const body = paragraphs.map((line) => `<p style="margin:0 0 16px">${escaped(line)}</p>`).join('\n')
  const action =
    link === null
      ? ''
      : `<p style="margin:24px 0"><a href="${escaped(link)}" style="background:#1a5fb4;border-radius:6px;color:#ffffff;display:inline-block;font-weight:bold;padding:12px 20px;text-decoration:none">${escaped(button)}</a></p>
<p style="color:#5e5c64;font-size:13px;margin:0;word-break:break-all">${escaped(link)}</p>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="background:#f6f5f4;margin:0;padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="background:#ffffff;border-radius:8px;max-width:560px;width:100%"><tr><td style="color:#241f31;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.5;padding:32px">
${body}
${action}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}
