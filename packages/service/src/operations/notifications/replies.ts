import { formatPhone, languageFile, type Brand, type Language } from '@order-testing/pages'
import { toGsmText } from '../../domain/notifications/gsm-text.ts'

type Reply = 'stopped' | 'started' | 'help' | 'unread'

/** The answer to an incoming text message: who writes, and whom to call. */
export function composeReply(reply: Reply, brand: Brand, language: Language): string {
  const texts = languageFile(language).replies
  const { company, tenant, contacts } = brand
  const [contact] = contacts
  const reached = contact && (contact.phone ? formatPhone(contact.phone) : contact.email)
  const ask = contact ? texts.questions(`${contact.name} ${reached}`) : texts.ask(company)
  const sender = reply === 'help' && tenant !== '' && tenant !== company ? texts.via(company, tenant) : company
  return toGsmText(texts[reply](reply === 'stopped' || reply === 'started' ? tenant || company : sender, ask))
}
