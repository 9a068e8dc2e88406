import { sentence } from './sentence.ts'
import type { Texts } from './texts-en.ts'
import { es } from './texts-es.ts'

/** The same as a requester reads it, who chooses for somebody else. */
export const esForRequester: Texts = {
  ...es,
  askedBy: (company) => `Una orden de ${company} necesita una clínica. La persona irá a la que usted elija.`,
  byWhen: (when) => sentence(`Debe hacerse antes del ${when}`),
  steps: { ...es.steps, time: 'Elija cuándo irá la persona' },
  stepOf: (step, steps) => es.stepOf(step - 1, steps - 1),
  labels: { ...es.labels, way: '¿Cuándo irá la persona?' },
  faults: {
    ...es.faults,
    way: {
      missing: 'Elija si la persona irá a una hora fija.',
      closed: 'La clínica ya no abre antes de que termine esta orden. Elija otra clínica.',
    },
  },
  nearAddress: (miles) => `Clínicas a menos de ${miles} millas de la dirección de la persona, primero la más cercana.`,
  nearCity: (miles) =>
    `No encontramos el código postal de la persona; estas son clínicas a menos de ${miles} millas de su ciudad.`,
  nearNowhere: 'No encontramos la dirección de la persona en el mapa. Busque abajo por ciudad y estado.',
  noneNear:
    'Ninguna clínica cercana puede atender esta orden. Pruebe otro lugar o pregunte al operador de este servicio.',
  noneNearCity:
    'No encontramos el código postal de la persona, y ninguna clínica cerca de su ciudad puede atender esta orden. Pruebe otro lugar o pregunte al operador de este servicio.',
  comeBy: (when) => sentence(`La persona tiene que ir antes del ${when}`),
  walkIn: 'Sin cita, mientras la clínica esté abierta',
  walkInOnly: 'En esta clínica la persona no necesita cita; puede ir mientras esté abierta.',
  appointment: 'A una hora fija',
  book: 'Reservar',
  rebook: 'Cambiar la reserva',
  passTitle: 'La clínica está reservada',
  passHint: 'La persona recibirá un mensaje con el lugar, la hora y un pase.',
  notices: {
    ...es.notices,
    expired: ['Esta orden ha terminado', 'Su plazo ha pasado. Haga una nueva si la prueba aún es necesaria.'],
    missed: ['La persona no se presentó a la cita', 'Haga una orden nueva si aún es necesaria.'],
    finished: ['Todo listo, gracias', 'Ya no queda nada que elegir ni que cambiar aquí.'],
  },
}
