import type { MessageTexts } from './texts-messages-en.ts'

export const messagesInSpanish: MessageTexts = {
  calendarLink: 'Su cita',
  calendarCancelled: 'Cita cancelada',
}
