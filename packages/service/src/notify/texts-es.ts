import { withPeriod } from '@order-testing/pages'
import { bookingLines, type NotificationTexts } from './texts.ts'

/** Precedes the link to the Spanish page in English notifications. */
export const ALSO_IN_SPANISH = 'También en español'

const booked = bookingLines({
  appointment: (when, clinic) => `Tiene una cita el ${when} en ${clinic}`,
  walkIn: (clinic, by) => `Vaya a ${clinic} en su horario de atención${by}`,
  anyClinic: 'la clínica',
  phone: (phone) => `Teléfono: ${phone}`,
  bring: (company) =>
    `${withPeriod(`Esta prueba es para ${company}`)} Lleve una identificación con foto y el código de su orden.`,
})

const REMINDER = 'Este es un recordatorio. '
const APPOINTMENT_IS = { today: 'Su cita es hoy', tomorrow: 'Su cita es mañana', soon: 'Recordatorio: su cita' }

export const es: NotificationTexts = {
  hello: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
  orderCode: {
    participant: (code) => `El código de su orden es ${code}.`,
    requester: (code) => `El código de la orden es ${code}.`,
  },
  footer: (company) => withPeriod(`Este es un mensaje automático. Si tiene preguntas, comuníquese con ${company}`),
  by: (when) => `antes del ${when}`,
  soon: 'pronto',
  buttons: {
    book: 'Hacer mi cita',
    fillIn: 'Completar mis datos',
    openPass: 'Abrir mi pase',
    seeNext: 'Ver qué sigue',
    chooseClinic: 'Elegir una clínica',
  },
  kinds: {
    link: ({ company, by, needsBooking }) =>
      needsBooking
        ? [`${company}: haga la cita para su prueba`, `${company} le pide que haga una cita para una prueba${by}`]
        : [`${company}: complete sus datos`, `${company} le pide que complete sus datos${by}`],
    booking: (facts) => ['Su cita', ...booked(facts, '')],
    bookingChanged: (facts) => ['Su cita ha cambiado', ...booked(facts, 'Su cita ha cambiado. ')],
    bookingWithdrawn: ({ company, choosesClinic }) => [
      'Su cita fue cancelada',
      `Su cita para ${company} fue cancelada`,
      choosesClinic ? 'Elija otra clínica u otra hora.' : 'Le avisaremos cuando tenga una nueva.',
    ],
    reminder: (facts) => {
      const { company, soonOrBy, isBooked, needsBooking } = facts
      if (isBooked) return ['Recordatorio: su cita', ...booked(facts, REMINDER)]
      return needsBooking
        ? [
            `Recordatorio: haga la cita para ${company}`,
            `Todavía no tiene cita para la prueba de ${company}. Hágala ${soonOrBy}`,
          ]
        : [
            `Recordatorio: complete sus datos para ${company}`,
            `${company} todavía necesita sus datos. Complételos ${soonOrBy}`,
          ]
    },
    bookingReminder: (facts) => [APPOINTMENT_IS[facts.day ?? 'soon'], ...booked(facts, REMINDER)],
    cancellation: ({ company }) => [
      `Su orden de ${company} fue cancelada`,
      `${company} canceló esta orden. Ya no tiene que hacer nada.`,
    ],
    clinicRequest: ({ code, participant, by }) => [
      `Elija una clínica: orden ${code}`,
      `Elija una clínica para ${participant}${by}`,
    ],
    clinicRequestAgain: ({ code, participant, by }) => [
      `Elija otra clínica: orden ${code}`,
      `La cita de ${participant} fue cancelada. Elija otra clínica u otra hora${by}`,
    ],
    clinicReminder: ({ code, participant, soonOrBy }) => [
      `Falta elegir la clínica: orden ${code}`,
      `La orden para ${participant} todavía necesita una clínica. Elija una ${soonOrBy}`,
    ],
    clinicNotNeeded: ({ code, participant }) => [
      `La orden ${code} fue cancelada`,
      `La orden para ${participant} fue cancelada. Ya no tiene que elegir una clínica.`,
    ],
  },
}
