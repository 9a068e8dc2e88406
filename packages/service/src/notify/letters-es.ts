import { sentence } from '@order-testing/pages'
import type { LetterTexts, Say, Told } from './letter-texts.ts'

/** Before the address of the page, for whom English may be the wrong language. */
export const ALSO_IN_SPANISH = 'También en español'

const byWhen = ({ until }: Told) => (until === null ? '' : ` antes del ${until}`)

const where = ({ clinic }: Told) => clinic?.name ?? 'la clínica'

/** Where that is; a text message has no room for it. */
function address({ clinic }: Told): string[] {
  const phone = clinic?.phone && `Teléfono: ${clinic.phone}`
  const parts = [clinic?.address, phone].flatMap((part) => (part ? [sentence(part)] : []))
  return parts.length > 0 ? [parts.join(' ')] : []
}

const booking =
  (subject: string, opening: string): Say =>
  (told) => ({
    subject,
    lines: [
      told.appointment === null
        ? sentence(`${opening} en ${where(told)}${byWhen(told)}`)
        : sentence(`${opening} el ${told.appointment} en ${where(told)}`),
      ...address(told),
      `${sentence(`Lo ha pedido ${told.company}`)} Lleve una identificación con foto y el código de la orden.`,
    ],
    button: told.isUnfinished ? 'Completar la orden' : 'Ver su pase',
  })

const stillExpected = booking('Su reserva sigue pendiente', 'Un recordatorio: le esperan')

export const es: LetterTexts = {
  hello: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
  orderCode: {
    participant: (code) => `El código de su orden es ${code}.`,
    requester: (code) => `El código de la orden es ${code}.`,
  },
  footer: (company) => sentence(`Este mensaje se envió automáticamente. Si tiene preguntas, diríjase a ${company}`),
  says: {
    link: (told) => ({
      subject: `${told.company} le pide que complete una orden`,
      lines: [sentence(`${told.company} le pide que complete una orden${byWhen(told)}`)],
      button: 'Completar la orden',
    }),
    booking: booking('Su reserva', 'Le esperan'),
    bookingChanged: booking('Su reserva ha cambiado', 'Su reserva ha cambiado: le esperan'),
    bookingWithdrawn: ({ company, choosesClinic }) => ({
      subject: 'Su reserva fue cancelada',
      lines: [
        `Su reserva para la orden de ${company} fue cancelada.`,
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
              sentence(
                `La orden de ${told.company} sigue abierta y termina ${told.until === null ? 'pronto' : `el ${told.until}`}`,
              ),
            ],
            button: 'Completar la orden',
          },
    bookingReminder: booking('Su cita es mañana', 'Un recordatorio: le esperan'),
    cancellation: ({ company }) => ({
      subject: `La orden de ${company} fue cancelada`,
      lines: [`${company} ha cancelado la orden. Ya no tiene que hacer nada.`],
      button: '',
    }),
    clinicRequest: (told) => ({
      subject: `Por favor, elija una clínica: orden ${told.code}`,
      lines: [sentence(`Por favor, elija una clínica para ${told.participant}${byWhen(told)}`)],
      button: 'Elegir una clínica',
    }),
    clinicRequestAgain: (told) => ({
      subject: `Por favor, elija otra clínica: orden ${told.code}`,
      lines: [
        sentence(
          `La reserva de ${told.participant} fue cancelada. Por favor, elija otra clínica u otra hora${byWhen(told)}`,
        ),
      ],
      button: 'Elegir una clínica',
    }),
    clinicReminder: ({ code, participant, until }) => ({
      subject: `Aún no se ha elegido una clínica: orden ${code}`,
      lines: [
        sentence(
          `La orden para ${participant} aún necesita una clínica y termina ${until === null ? 'pronto' : `el ${until}`}`,
        ),
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
