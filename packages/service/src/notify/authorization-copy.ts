import { formatLongDate, type Language } from '@order-testing/pages'
import type { Order } from '../domain/orders/order.ts'
import { withDelivery } from '../domain/participants/form.ts'
import type { ClaimedNotification } from '../store/notifications/notifications.ts'
import type { AgreementRow } from '../store/participants/agreements.ts'
import type { Store } from '../store/store.ts'
import { toOneLine, type Content } from './compose.ts'
import { displayName } from './display-name.ts'
import { toGsmText } from './gsm-text.ts'
import { renderMailPage } from './mail-page.ts'
import type { Envelope } from './transports.ts'

const WORDS = {
  en: {
    subject: (company: string) => `Your copy: what you signed for ${company}`,
    hello: (name: string) => (name === '' ? 'Hi,' : `Hi ${name},`),
    opening: (company: string) => `Here is a copy of what you read and signed for ${company}. Please keep it.`,
    disclosure: 'Disclosure',
    authorization: 'Authorization',
    signed: (name: string, date: string) => `Signed by ${name} on ${date}.`,
    footer: 'This is an automatic message. It has no link.',
  },
  es: {
    subject: (company: string) => `Su copia: lo que firmó para ${company}`,
    hello: (name: string) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
    opening: (company: string) => `Aquí tiene una copia de lo que leyó y firmó para ${company}. Guárdela, por favor.`,
    disclosure: 'Divulgación',
    authorization: 'Autorización',
    signed: (name: string, date: string) => `Firmado por ${name} el ${date}.`,
    footer: 'Este es un mensaje automático. No tiene enlace.',
  },
} satisfies Record<Language, object>

/** The mail with a copy of the disclosure and the authorization (ruling 55). Undefined if there is nobody to send it to. */
export async function prepareAuthorizationCopy(
  { tenantId, id }: ClaimedNotification,
  order: Order,
  store: Pick<Store, 'agreements'>,
): Promise<Envelope | undefined> {
  const { email } = withDelivery(order)
  const agreements = await store.agreements.ofOrder(tenantId, order.id)
  const [disclosure, authorization] = (['disclosure', 'authorization'] as const).map((kind) =>
    agreements.findLast((each) => each.kind === kind),
  )
  if (email === null || !disclosure || !authorization) return undefined
  // Nobody gets a copy of it: it names what is checked.
  return { id, to: email, cc: [], content: compose(order, disclosure, authorization) }
}

function compose(order: Order, disclosure: AgreementRow, authorization: AgreementRow): Content {
  const language = order.language ?? 'en'
  const words = WORDS[language]
  const company = toOneLine(order.company.name, 80)
  const subject = words.subject(company)
  const { name = '', date = '' } = authorization.signature ?? {}
  const opening = words.opening(company)
  const paragraphs = [
    words.hello(displayName(order.participant.firstName)),
    opening,
    words.disclosure,
    ...paragraphsOf(disclosure.text),
    words.authorization,
    ...paragraphsOf(authorization.text),
    words.signed(displayName(name) || order.code, formatLongDate(date, language)),
  ]
  const { footer } = words
  return {
    language,
    subject,
    text: `${[...paragraphs, footer].join('\n\n')}\n`,
    html: renderMailPage({ language, subject, preview: opening, paragraphs, action: null, other: null, footer }),
    short: toGsmText(opening),
  }
}

const paragraphsOf = (text: string) => text.split(/\n\s*\n/).map((paragraph) => paragraph.trim())
