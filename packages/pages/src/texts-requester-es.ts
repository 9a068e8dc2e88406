import { clinicsForRequesterInSpanish } from './texts-clinics-es.ts'
import type { Texts } from './texts-en.ts'
import { es } from './texts-es.ts'
import { withPeriod } from './with-period.ts'

/** The Spanish texts for a requester, who chooses for the participant. */
export const esForRequester: Texts = {
  ...es,
  clinics: clinicsForRequesterInSpanish,
  askedBy: (company) => `Esta orden de ${company} necesita una clínica. La persona irá a la que usted elija.`,
  byWhen: (when) => withPeriod(`La prueba debe hacerse antes del ${when}`),
  labels: { ...es.labels, way: '¿Cuándo irá la persona?' },
  faults: {
    ...es.faults,
    way: {
      missing: 'Elija si quiere hacer una cita a una hora fija.',
      closed: 'Esta clínica no vuelve a abrir antes de la fecha límite. Elija otra clínica.',
    },
  },
  nearCity: (miles) =>
    `No encontramos el código postal de la persona; estas son clínicas a menos de ${miles} millas de su ciudad.`,
  nearNowhere: 'No encontramos la dirección de la persona en el mapa. Busque abajo por ciudad y estado.',
  comeBy: (when) => withPeriod(`La persona tiene que ir antes del ${when}`),
  whenTitle: '¿Cuándo irá la persona?',
  walkIn: 'Sin cita, cuando la clínica esté abierta',
  walkInOnly: 'En esta clínica la persona no necesita cita; puede ir cuando esté abierta.',
  appointment: 'Con cita a una hora fija',
  book: 'Confirmar',
  passTitle: 'La cita está confirmada',
  passHint: 'La persona recibirá un mensaje con el lugar, la hora y un pase.',
  bookedTitle: () => 'La cita está confirmada',
  bookedNow: 'La cita actual',
  cancelYes: 'Cancelar la cita',
  backToPass: 'Volver a la cita',
  here: { home: 'Casa', place: 'Aquí' },
  stillDue: (when) =>
    withPeriod(`La persona todavía tiene que hacerse la prueba${when === null ? '' : ` antes del ${when}`}`),
  notices: {
    ...es.notices,
    cancelled: ['Esta prueba fue cancelada', 'No tiene que elegir una clínica.'],
    expired: ['La fecha límite ya pasó', 'Haga una orden nueva si la prueba todavía es necesaria.'],
    missed: ['La persona no se presentó a la cita', 'Haga una orden nueva si la prueba todavía es necesaria.'],
    finished: ['Todo listo, gracias', 'Ya no queda nada que elegir ni que cambiar aquí.'],
  },
}
