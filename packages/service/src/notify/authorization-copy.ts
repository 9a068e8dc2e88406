import { ENGLISH, findLanguage, formatLongDate, languageFile } from '@order-testing/pages'
import type { Order } from '../domain/orders/order.ts'
import { withDelivery } from '../domain/participants/form.ts'
import type { NotificationRow } from '../store/notifications/notifications.ts'
import type { AgreementRow } from '../store/participants/agreements.ts'
import type { Store } from '../store/store.ts'
import { toGsmText } from '../domain/notifications/gsm-text.ts'
import type { Content } from './compose.ts'
import { displayName, toOneLine } from './display-name.ts'
import { PLAIN_MAIL, renderMailPage, type MailPage } from './mail-page.ts'
import { toPlainText } from './plain-text.ts'
import type { Envelope } from './transports.ts'

/** The mail with a copy of the disclosure and the authorization (ruling 55). Undefined if there is nobody to send it to. */
export async function prepareAuthorizationCopy(
  { tenantId, id }: Pick<NotificationRow, 'tenantId' | 'id'>,
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
  return { id, to: email, content: compose(order, disclosure, authorization), cc: [], copy: null }
}

function compose(order: Order, disclosure: AgreementRow, authorization: AgreementRow): Content {
  const language = findLanguage(order.language) ?? ENGLISH
  const words = languageFile(language).authorizationCopy
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
  const parts = {
    subject,
    title: words.title,
    preview: opening,
    lines: paragraphs,
    footer: [words.footer],
    names: [company],
  }
  const mail: MailPage = { ...PLAIN_MAIL, language, ...parts }
  return {
    language,
    subject,
    text: toPlainText(mail),
    html: renderMailPage(mail),
    short: toGsmText(opening),
    attachments: [],
  }
}

const paragraphsOf = (text: string) => text.split(/\n\s*\n/).map((paragraph) => paragraph.trim())
