import type { BuiltInAgreements } from './agreement-texts.ts'

export const agreementsInSpanish: BuiltInAgreements = {
  notice: {
    version: 'built-in 1',
    isSample: false,
    text: 'Las normas del Departamento de Transporte de EE. UU. (49 CFR, parte 40) fijan cómo se hace esta prueba. Nadie puede exigirle que firme un consentimiento ni una renuncia. La persona que toma la muestra le explicará cada paso. Una vez empezada la prueba, irse antes de terminar cuenta como negarse a hacerla.',
  },
  consent: {
    version: 'built-in 1',
    isSample: false,
    text: 'Acepto hacerme esta prueba. La clínica, el laboratorio y el médico revisor pueden usar mis datos para realizarla y comunicar el resultado a {company}.',
  },
  disclosure: {
    version: 'placeholder 1',
    isSample: true,
    text: `Este es un texto de muestra. Se debe reemplazar por una divulgación revisada por un abogado.

{company} puede obtener información sobre usted de una agencia de informes del consumidor con fines de empleo.

Esto significa que se puede obtener un “informe del consumidor” sobre usted. Puede incluir información sobre sus antecedentes penales, su historial de manejo y sus empleos anteriores.

El informe lo preparará {tenant}.`,
  },
  authorization: {
    version: 'placeholder 1',
    isSample: true,
    text: `Este es un texto de muestra. Se debe reemplazar por una autorización revisada por un abogado.

He leído la divulgación. Autorizo a {company} a obtener de {tenant} un informe de antecedentes sobre mí con fines de empleo.`,
  },
}
