import type { VisitTexts } from './texts-visit-en.ts'
import { withPeriod } from './with-period.ts'

export const visitInSpanish: VisitTexts = {
  bringId: [
    'Su identificación con foto',
    'Licencia de conducir, identificación estatal o pasaporte. Tiene que estar vigente; no sirve una foto.',
  ],
  bringPass: ['Este pase', 'En su teléfono, impreso o solo el código.'],
  title: 'Cómo será la visita',
  urine: ['Le pedirán una muestra de orina', 'Tome un vaso de agua en el camino, sin exagerar.'],
  oralFluid: [
    'Le tomarán una muestra de saliva',
    'No coma, beba, fume ni mastique nada durante los 10 minutos anteriores.',
  ],
  hair: ['Le cortarán un mechón de cabello', 'Se corta cerca del cuero cabelludo. Venga con el cabello limpio y seco.'],
  breath: ['Soplará en un aparato', 'Toma unos minutos, y más si hay que repetir la prueba.'],
  exam: ['Le harán un examen físico', 'Lleve sus lentes o audífonos y una lista de sus medicinas.'],
  duration: 'Calcule entre 30 y 45 minutos',
  early: 'Llegue 5 minutos antes.',
  ifAskedToPay: (company) => withPeriod(`Si alguien le pide que pague, llame a ${company}`),
}
