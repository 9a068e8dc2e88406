import { withPeriod } from '@order-testing/pages'
import type { NotificationFacts, NotificationTexts, Wording } from './texts.ts'

/** Precedes the link to the Spanish page in English notifications. */
export const ALSO_IN_SPANISH = 'También en español'

const greet = (name: string, request: string) =>
  name === '' ? request.charAt(0).toUpperCase() + request.slice(1) : `Hola, ${name}: ${request}`
const withName = (text: string, name: string) => (name === '' ? text : `${text}, ${name}`)

const visit = ({ appointment, clinic, by, code }: NotificationFacts) => {
  const what = appointment === null ? `Vaya a ${clinic || 'la clínica'} en su horario de atención${by}` : appointment
  const where = appointment === null || clinic === '' ? '' : `, ${clinic}`
  return `${withPeriod(what + where)} Lleve su identificación con foto y el código ${code}`
}

const booked = (facts: NotificationFacts, opening: string, title: string): Wording => ({
  subject: facts.at === null ? `${opening}: su visita${facts.byDay}` : `${opening}: ${facts.at}`,
  title,
  lines: [],
  short: visit(facts),
})

const toDo = ({ company, by, choosesClinic, needsBooking }: NotificationFacts) =>
  needsBooking
    ? {
        lines: [
          `${company} le pide que se haga una prueba para el trabajo. ${choosesClinic ? 'Elija una clínica cercana y la hora que le convenga. ' : ''}Toma unos 3 minutos.`,
        ],
        short: `haga la cita para su prueba${by}. Toma unos 3 minutos`,
      }
    : {
        lines: [`${company} le pide que complete algunos datos. Toma unos 3 minutos.`],
        short: `complete sus datos${by}. Toma unos 3 minutos`,
      }

const SOON = { today: 'hoy', tomorrow: 'mañana' }

export const es: NotificationTexts = {
  buttons: {
    book: 'Hacer mi cita',
    fillIn: 'Completar mis datos',
    openPass: 'Abrir mi pase',
    seeNext: 'Ver qué sigue',
    chooseClinic: 'Elegir una clínica',
    seeBooking: 'Ver la cita',
  },
  shortButtons: {
    book: 'Haga su cita aquí',
    fillIn: 'Sus datos',
    openPass: 'Su pase',
    seeNext: 'Vea qué sigue',
    chooseClinic: 'Elija aquí',
    seeBooking: 'La cita',
  },
  by: (when) => `antes del ${when}`,
  rows: {
    when: 'Cuándo',
    where: 'Dónde',
    goBy: 'Fecha límite',
    finishBy: 'Fecha límite',
    forWhom: 'Para',
    code: 'Código',
    bring: 'Lleve',
    cost: 'Costo',
  },
  walkIn: 'A cualquier hora en que la clínica esté abierta',
  photoId: 'Su identificación con foto vigente. No sirve una foto de ella.',
  noCost: 'Ninguno para usted',
  directions: 'Cómo llegar',
  phone: (phone) => `Teléfono: ${phone}`,
  buttonFails: '¿No funciona el botón? Copie esta dirección:',
  plansChanged: (until) =>
    withPeriod(
      `¿Cambió de planes? Puede cambiar o cancelar su cita en la misma página${until === null ? '' : ` hasta el ${until}`}`,
    ),
  isThisReal: '¿Quiere asegurarse de que es real?',
  whoSends: (tenant, company) => withPeriod(`${tenant} organiza las pruebas de ${company}`),
  toBeSure: (contact, code) => `Comuníquese con ${contact} y mencione la orden ${code}.`,
  questions: (contact) => withPeriod(`¿Preguntas? Comuníquese con ${contact}`),
  sentBy: (tenant, company) =>
    withPeriod(tenant === '' ? `Enviado de parte de ${company}` : `Enviado por ${tenant} de parte de ${company}`),
  keepLink: 'Este enlace es solo para usted; por favor, no lo reenvíe.',
  privacy: 'Privacidad',
  copySubject: (subject) => `Copia: ${subject}`,
  copyNote: (participant) =>
    `Copia para su información. Usted no tiene que hacer nada: ${participant} recibió este mensaje, y solo ese tiene el enlace.`,
  optOut: 'Responda AYUDA si necesita ayuda, ALTO para no recibir más.',
  kinds: {
    link: (facts) =>
      facts.needsBooking
        ? {
            subject: `${facts.company}: haga la cita para su prueba${facts.byDay}`,
            title: greet(facts.name, 'haga la cita para su prueba'),
            ...toDo(facts),
          }
        : {
            subject: `${facts.company}: complete sus datos${facts.byDay}`,
            title: greet(facts.name, 'complete sus datos'),
            ...toDo(facts),
          },
    linkAgain: (facts) => ({
      subject: `${facts.company}: su enlace nuevo`,
      title: greet(facts.name, 'aquí está su enlace nuevo'),
      lines: facts.isBooked && !facts.isUnfinished ? [] : toDo(facts).lines,
      short: `aquí está su enlace nuevo${facts.isBooked ? '' : `. ${facts.needsBooking ? 'Haga su cita' : 'Complete sus datos'}${facts.by}`}`,
    }),
    booking: (facts) => {
      const wording = booked(facts, 'Su cita', withName('Ya tiene su cita', facts.name))
      return { ...wording, short: `Ya tiene su cita. ${wording.short}` }
    },
    bookingChanged: (facts) => {
      const wording = booked(facts, 'Nueva hora', 'Su cita ha cambiado')
      return { ...wording, short: `Su cita ha cambiado. ${wording.short}` }
    },
    bookingWithdrawn: ({ company, choosesClinic, by, byDay }) => {
      const next = choosesClinic ? `Elija otra clínica u otra hora${by}` : 'Le avisaremos cuando tenga una nueva'
      return {
        subject: `${company}: su cita fue cancelada${choosesClinic && byDay !== '' ? `, haga otra${byDay}` : ''}`,
        title: 'Su cita fue cancelada',
        lines: [`${withPeriod(`Su cita para ${company} fue cancelada`)} ${withPeriod(next)}`],
        short: `Su cita fue cancelada. ${next}`,
      }
    },
    reminder: (facts) => {
      const { company, byDay, by, isBooked, needsBooking } = facts
      if (isBooked) {
        const wording = booked(facts, 'Recordatorio', 'Ya tiene su cita')
        return { ...wording, short: `Recordatorio: ${wording.short}` }
      }
      return needsBooking
        ? {
            subject: `Recordatorio: haga su cita para ${company}${byDay}`,
            title: 'Todavía no tiene cita',
            lines: [withPeriod(`Haga la cita para la prueba de ${company}${by}`), 'Toma unos 3 minutos.'],
            short: `Todavía no tiene cita. Hágala${by}`,
          }
        : {
            subject: `Recordatorio: complete sus datos para ${company}${byDay}`,
            title: 'Todavía faltan sus datos',
            lines: [withPeriod(`${company} todavía necesita sus datos. Complételos${by}`)],
            short: `Todavía faltan sus datos. Complételos${by}`,
          }
    },
    bookingReminder: (facts) => {
      const wording = booked(facts, 'Recordatorio', 'Se acerca su cita')
      const when = facts.day && SOON[facts.day]
      if (when === null) return { ...wording, short: `Recordatorio: ${wording.short}` }
      const title = `Su cita es ${when}`
      return { ...wording, subject: `${title}: ${facts.at}`, title, short: `${title}. ${wording.short}` }
    },
    cancellation: ({ company }) => ({
      subject: `${company}: su prueba fue cancelada`,
      title: 'Esta prueba fue cancelada',
      lines: [`${company} canceló esta orden. Ya no tiene que ir.`],
      short: 'Su prueba fue cancelada. Ya no tiene que ir',
    }),
    clinicRequest: (facts) => chooseFor(facts, 'elija una clínica'),
    clinicRequestAgain: (facts) => ({
      ...chooseFor(facts, 'elija otra clínica'),
      lines: [withPeriod(`La cita de ${facts.participant} fue cancelada. Elija otra clínica u otra hora${facts.by}`)],
    }),
    clinicReminder: (facts) => ({
      ...chooseFor(facts, 'elija una clínica'),
      subject: `Recordatorio: elija una clínica para ${facts.participant}${facts.byDay}`,
    }),
    clinicNotNeeded: ({ participant, code }) => ({
      subject: `La orden ${code} de ${participant} fue cancelada`,
      title: 'Esta orden fue cancelada',
      lines: [`La orden de ${participant} fue cancelada. Ya no tiene que hacer nada.`],
      short: `La orden de ${participant} fue cancelada. Ya no tiene que hacer nada`,
    }),
    clinicChosen: (facts) => {
      const { participant } = facts
      const wording = booked(facts, `Cita de ${participant}`, `${participant} ya tiene cita`)
      const lines = [`${participant} recibirá un mensaje con el lugar, la hora y un pase.`]
      return { ...wording, lines, short: `${participant} ya tiene cita. ${facts.appointment ?? facts.clinic}` }
    },
    clinicLinkAgain: (facts) => ({
      ...chooseFor(facts, 'elija una clínica'),
      subject: `Su enlace nuevo: orden de ${facts.participant}`,
      title: greet(facts.name, 'aquí está su enlace nuevo'),
      ...(facts.isBooked && { lines: [] }),
    }),
  },
}

const chooseFor = ({ name, participant, by, byDay }: NotificationFacts, request: string): Wording => ({
  subject: `${request.charAt(0).toUpperCase()}${request.slice(1)} para ${participant}${byDay}`,
  title: greet(name, request),
  lines: [withPeriod(`${request.charAt(0).toUpperCase()}${request.slice(1)} para ${participant}${by}`)],
  short: `${request} para ${participant}${by}`,
})
