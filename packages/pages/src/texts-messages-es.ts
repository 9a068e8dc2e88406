import type { MessageTexts } from './texts-messages-en.ts'

export const messagesInSpanish: MessageTexts = {
  calendarLink: 'Su cita',
  calendarCancelled: 'Cita cancelada',
  linkSent: [
    'Revise sus mensajes',
    'Si su orden sigue abierta, le enviamos un enlace nuevo al correo o teléfono que tenemos registrado. Puede pedir otro en una hora.',
  ],
}
