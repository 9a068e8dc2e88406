import { formatPhone, withPeriod, type Brand } from '@order-testing/pages'
import { toGsmText } from '../../domain/notifications/gsm-text.ts'

type Reply = 'stopped' | 'started' | 'help' | 'unread'

const TEXTS = {
  en: {
    stopped: (sender: string, ask: string) =>
      `You won’t get more texts from ${sender}. Any booking stays. ${ask} Reply START to get texts again.`,
    started: (sender: string) => `You’ll get texts from ${sender} again. Reply STOP to opt out.`,
    help: (sender: string, ask: string) => `${sender}. ${ask} Reply STOP to opt out.`,
    unread: (sender: string, ask: string) => `${sender}: nobody reads this number. ${ask} Reply STOP to opt out.`,
    via: (company: string, tenant: string) => `${company} with ${tenant}`,
    questions: (contact: string) => withPeriod(`Questions? ${contact}`),
    ask: (company: string) => withPeriod(`Please ask ${company}`),
  },
  es: {
    stopped: (sender: string, ask: string) =>
      `Ya no recibirá mensajes de ${sender}. Su cita, si la tiene, sigue en pie. ${ask} Responda ALTA para volver a recibirlos.`,
    started: (sender: string) => `Volverá a recibir mensajes de ${sender}. Responda ALTO para no recibir más.`,
    help: (sender: string, ask: string) => `${sender}. ${ask} Responda ALTO para no recibir más.`,
    unread: (sender: string, ask: string) =>
      `${sender}: nadie lee los mensajes a este número. ${ask} Responda ALTO para no recibir más.`,
    via: (company: string, tenant: string) => `${company} con ${tenant}`,
    questions: (contact: string) => withPeriod(`¿Preguntas? ${contact}`),
    ask: (company: string) => withPeriod(`Pregunte a ${company}`),
  },
}

/** The answer to an incoming text message: who writes, and whom to call. */
export function composeReply(reply: Reply, brand: Brand, language: 'en' | 'es'): string {
  const texts = TEXTS[language]
  const { company, tenant, contacts } = brand
  const [contact] = contacts
  const reached = contact && (contact.phone ? formatPhone(contact.phone) : contact.email)
  const ask = contact ? texts.questions(`${contact.name} ${reached}`) : texts.ask(company)
  const sender = reply === 'help' && tenant !== '' && tenant !== company ? texts.via(company, tenant) : company
  return toGsmText(texts[reply](reply === 'stopped' || reply === 'started' ? tenant || company : sender, ask))
}
