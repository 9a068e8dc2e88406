import type * as english from './en-order-more.ts'

export const orderMore: typeof english.orderMore = {
  neighbors: 'Órdenes de la lista',
  previous: 'Orden anterior (K)',
  next: 'Orden siguiente (J)',
  position: (at, total) => `${at} de ${total}`,
  viewAs: 'Ver como participante',
  viewNote: 'Abre una página de solo lectura durante cinco minutos. Queda registrado.',
}

export const documents: typeof english.documents = {
  title: 'Documentos',
  none: 'Esta orden aún no tiene documentos.',
  download: 'Descargar',
  save: (name) => `Descargar ${name}`,
  recorded: 'Cada descarga queda registrada.',
  kinds: {
    result: 'Informe de resultado',
    collection: 'Formulario de custodia o informe de recolección',
    pass: 'Pase para la clínica',
    agreement: 'Texto firmado o aceptado',
  },
}

export const matching: typeof english.matching = {
  title: 'Coincidencias',
  again: 'Enviada de nuevo el',
  score: (score, least) => `Puntuación ${score}, se necesitan al menos ${least}.`,
  compare: 'Comparar',
  dialog: 'Por qué se devolvió esta orden',
  member: 'Dato',
  asked: 'Lo que se pidió',
  found: 'Registrado ahora',
  points: 'Puntos',
  of: (points, weight) => `${points} de ${weight}`,
  hidden: 'oculto',
  decided: 'Qué decidió:',
  noLimit: 'Ninguna regla limita la puntuación.',
  threshold: (score, least, profile) =>
    `Con ${score} puntos la solicitud cuenta como la misma orden: el ${profile} pide ${least}. Se devolvió esta y no se creó otra.`,
  notKept: 'La solicitud no se guarda: la tabla dice cómo se comparó cada dato con lo registrado en ese momento.',
  profiles: { standard: 'perfil estándar', appCollection: 'perfil de recolecciones en la aplicación' },
  fields: {
    last: 'Apellido',
    first: 'Nombre',
    middle: 'Segundo nombre',
    birthDate: 'Fecha de nacimiento',
    identifiers: 'Identificadores',
    email: 'Correo electrónico',
    phone: 'Teléfono',
  },
  kinds: {
    equal: 'igual',
    alike: 'parecido',
    nickname: 'una forma corta',
    initial: 'la inicial',
    middle: 'el segundo nombre',
    renamed: 'otro apellido, la misma persona',
    lastFour: 'los mismos cuatro últimos dígitos',
    subset: 'una parte',
    different: 'distinto',
  },
  caps: {
    conflict: 'Los nombres, la fecha de nacimiento o los identificadores se contradicen',
    twoMismatches: 'Difieren dos datos entre nombre y fecha de nacimiento',
    twoMismatchesSameIdentifier: 'Difieren dos datos entre nombre y fecha de nacimiento, con el mismo identificador',
    mismatch: 'Difiere un dato entre nombre y fecha de nacimiento',
    lessKnown: 'La solicitud dice más de lo que la orden confirma',
  },
}
