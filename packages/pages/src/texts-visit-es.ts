import type { VisitTexts } from './texts-visit-en.ts'
import { withPeriod } from './with-period.ts'

export const visitInSpanish: VisitTexts = {
  bringId: [
    'Su identificación con foto',
    'Licencia de conducir, identificación estatal o pasaporte. Tiene que estar vigente; no sirve una foto.',
  ],
  bringPass: ['Este pase', 'En su teléfono, impreso o solo el código.'],
  title: 'Cómo será la visita',
  duration: 'Calcule entre 30 y 45 minutos',
  durationWithExam: 'Calcule entre 60 y 90 minutos',
  early: 'Llegue 5 minutos antes.',
  ifAskedToPay: (company) => withPeriod(`Si alguien le pide que pague, llame a ${company}`),
}
