import type { codes as english } from './en-codes.ts'

/** The codes of laboratories, in Spanish. */
export const codes: typeof english = {
  title: 'Códigos',
  note: 'Lo que los laboratorios quieren decir con sus propios códigos.',
  remember: (code, sender, service) => `Recordar: ${code} de ${sender} es ${service}`,
  lab: 'Laboratorio o remitente',
  code: 'Código',
  service: 'Servicio',
  origin: 'Origen',
  origins: { learned: 'Aprendidos', catalog: 'Del catálogo' },
  none: 'Sin códigos.',
  forget: 'Olvidar',
  forgetCode: (code, lab) => `Olvidar ${code} de ${lab}`,
  forgotten: (code) => `${code} se olvidó. Los informes con él vuelven a esperar a un operador.`,
}
