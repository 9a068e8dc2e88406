import type { LetterTexts, Say, Told } from './letter-texts.ts'

/** Before the address of the page, for whom English may be the wrong language. */
export const ALSO_IN_SPANISH = 'También en español'

const byWhen = ({ until }: Told) => (until === null ? '' : ` antes del ${until}`)

const where = ({ clinic }: Told) =>
  clinic
    ? [clinic.name, clinic.address, clinic.phone && `teléfono ${clinic.phone}`].filter(Boolean).join('; ')
    : 'la clínica'

const booking =
  (subject: (what: string) => string, opening: string): Say =>
  (told) => ({
    subject: subject(told.appointment === null ? 'reserva' : 'cita'),
    lines: [
      told.appointment === null
        ? `${opening} en ${where(told)}${byWhen(told)}.`
        : `${opening} el ${told.appointment} en ${where(told)}.`,
      `Lo ha pedido ${told.company}. Lleve una identificación con foto y el código de la orden.`,
    ],
    button: told.isUnfinished ? 'Completar la orden' : 'Ver su pase',
  })

const stillExpected = booking((what) => `Su ${what} sigue pendiente`, 'Un recordatorio: le esperan')

export const es: LetterTexts = {
  hello: (name) => `Hola, ${name}:`,
  orderCode: {
    participant: (code) => `El código de su orden es ${code}.`,
    requester: (code) => `El código de la orden es ${code}.`,
  },
  footer: (company) => `Este mensaje se envió automáticamente. Si tiene preguntas, diríjase a ${company}.`,
  says: {
    link: (told) => ({
      subject: `${told.company} le pide que complete una orden`,
      lines: [`${told.company} le pide que complete una orden${byWhen(told)}.`],
      button: 'Completar la orden',
    }),
    booking: booking((what) => `Su ${what}`, 'Le esperan'),
    bookingChanged: booking((what) => `Su ${what} ha cambiado`, 'Esto ha cambiado: le esperan'),
    bookingWithdrawn: ({ company, choosesClinic }) => ({
      subject: 'Su cita fue anulada',
      lines: [
        `Su cita para ${company} fue anulada.`,
        choosesClinic ? 'Puede elegir otra.' : 'Le avisaremos de una nueva.',
      ],
      button: 'Ver la orden',
    }),
    reminder: (told) =>
      told.isBooked
        ? stillExpected(told)
        : {
            subject: `Por favor, complete la orden de ${told.company}`,
            lines: [
              `La orden de ${told.company} sigue abierta y termina ${told.until === null ? 'pronto' : `el ${told.until}`}.`,
            ],
            button: 'Completar la orden',
          },
    bookingReminder: booking(() => 'Su cita es mañana', 'Un recordatorio: le esperan'),
    cancellation: ({ company }) => ({
      subject: `La orden de ${company} fue cancelada`,
      lines: [`${company} ha cancelado la orden. Ya no tiene que hacer nada.`],
      button: '',
    }),
    clinicRequest: (told) => ({
      subject: `Por favor, elija una clínica: orden ${told.code}`,
      lines: [`Por favor, elija una clínica para ${told.participant}${byWhen(told)}.`],
      button: 'Elegir una clínica',
    }),
    clinicRequestAgain: (told) => ({
      subject: `Por favor, elija otra clínica: orden ${told.code}`,
      lines: [`La cita de ${told.participant} fue anulada. Por favor, elija otra clínica u otra hora${byWhen(told)}.`],
      button: 'Elegir una clínica',
    }),
    clinicReminder: ({ code, participant, until }) => ({
      subject: `Aún no se ha elegido una clínica: orden ${code}`,
      lines: [
        `La orden para ${participant} aún necesita una clínica y termina ${until === null ? 'pronto' : `el ${until}`}.`,
      ],
      button: 'Elegir una clínica',
    }),
    clinicNotNeeded: ({ code, participant }) => ({
      subject: `La orden ${code} fue cancelada`,
      lines: [`La orden para ${participant} fue cancelada. Ya no tiene que elegir una clínica.`],
      button: '',
    }),
  },
}
