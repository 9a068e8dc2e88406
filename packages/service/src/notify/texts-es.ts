import { withPeriod } from '@order-testing/pages'
import { bookingLines, type BookingPhrases } from './booking-lines.ts'
import type { Compose, NotificationFacts, NotificationTexts } from './texts.ts'

/** Precedes the link to the Spanish page in English notifications. */
export const ALSO_IN_SPANISH = 'También en español'

const by = ({ until }: NotificationFacts) => (until === null ? '' : ` antes del ${until}`)

const PHRASES: BookingPhrases = {
  appointment: (when, clinic) => `Tiene una cita el ${when} en ${clinic}`,
  walkIn: (clinic, facts) => `Vaya a ${clinic} en su horario de atención${by(facts)}`,
  anyClinic: 'la clínica',
  phone: (phone) => `Teléfono: ${phone}`,
  bring: (company) =>
    `${withPeriod(`Esta prueba es para ${company}`)} Lleve una identificación con foto y el código de su orden.`,
}

const FILL_IN = 'Completar mis datos'

const booking =
  (subject: string, opening = ''): Compose =>
  (facts) => ({
    subject,
    lines: bookingLines(facts, PHRASES, opening),
    button: facts.isUnfinished ? FILL_IN : 'Abrir mi pase',
  })

const bookedReminder = booking('Recordatorio: su cita', 'Este es un recordatorio. ')

export const es: NotificationTexts = {
  hello: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
  orderCode: {
    participant: (code) => `El código de su orden es ${code}.`,
    requester: (code) => `El código de la orden es ${code}.`,
  },
  footer: (company) => withPeriod(`Este es un mensaje automático. Si tiene preguntas, comuníquese con ${company}`),
  kinds: {
    link: (facts) =>
      facts.needsBooking
        ? {
            subject: `${facts.company}: haga la cita para su prueba`,
            lines: [withPeriod(`${facts.company} le pide que haga una cita para una prueba${by(facts)}`)],
            button: 'Hacer mi cita',
          }
        : {
            subject: `${facts.company}: complete sus datos`,
            lines: [withPeriod(`${facts.company} le pide que complete sus datos${by(facts)}`)],
            button: FILL_IN,
          },
    booking: booking('Su cita'),
    bookingChanged: booking('Su cita ha cambiado', 'Su cita ha cambiado. '),
    bookingWithdrawn: ({ company, choosesClinic }) => ({
      subject: 'Su cita fue cancelada',
      lines: [
        withPeriod(`Su cita para ${company} fue cancelada`),
        choosesClinic ? 'Elija otra clínica u otra hora.' : 'Le avisaremos cuando tenga una nueva.',
      ],
      button: 'Ver qué sigue',
    }),
    reminder: (facts) => {
      if (facts.isBooked) return bookedReminder(facts)
      const when = facts.until === null ? 'pronto' : `antes del ${facts.until}`
      return facts.needsBooking
        ? {
            subject: `Recordatorio: haga la cita para ${facts.company}`,
            lines: [withPeriod(`Todavía no tiene cita para la prueba de ${facts.company}. Hágala ${when}`)],
            button: 'Hacer mi cita',
          }
        : {
            subject: `Recordatorio: complete sus datos para ${facts.company}`,
            lines: [withPeriod(`${facts.company} todavía necesita sus datos. Complételos ${when}`)],
            button: FILL_IN,
          }
    },
    bookingReminder: booking('Su cita es mañana', 'Este es un recordatorio. '),
    cancellation: ({ company }) => ({
      subject: `Su orden de ${company} fue cancelada`,
      lines: [`${company} canceló esta orden. Ya no tiene que hacer nada.`],
      button: '',
    }),
    clinicRequest: (facts) => ({
      subject: `Elija una clínica: orden ${facts.code}`,
      lines: [withPeriod(`Elija una clínica para ${facts.participant}${by(facts)}`)],
      button: 'Elegir una clínica',
    }),
    clinicRequestAgain: (facts) => ({
      subject: `Elija otra clínica: orden ${facts.code}`,
      lines: [withPeriod(`La cita de ${facts.participant} fue cancelada. Elija otra clínica u otra hora${by(facts)}`)],
      button: 'Elegir una clínica',
    }),
    clinicReminder: ({ code, participant, until }) => ({
      subject: `Falta elegir la clínica: orden ${code}`,
      lines: [
        withPeriod(
          `La orden para ${participant} todavía necesita una clínica. Elija una ${until === null ? 'pronto' : `antes del ${until}`}`,
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
