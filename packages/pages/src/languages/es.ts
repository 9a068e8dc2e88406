import { withPeriod } from '../with-period.ts'
import type { ArrivalClinicsTexts, ArrivalTexts } from './en/arrival.ts'
import type { AuthorizationCopyTexts } from './en/authorization-copy.ts'
import type { CalendarTexts } from './en/calendar.ts'
import type { ClinicsTexts } from './en/clinics.ts'
import type { Texts } from './en/participant.ts'
import type { detailFaultsInEnglish, detailLabelsInEnglish, FormTexts } from './en/details.ts'
import type { PassTexts, Preparation } from './en/pass.ts'
import type { ReplyTexts } from './en/replies.ts'
import type { VisitTexts } from './en/visit.ts'
import type { BuiltInAgreements, Formats, LanguageFile } from './language-file.ts'
import type { NotificationFacts, NotificationTexts, Wording } from './notification-texts.ts'

/** `la 1:30 p. m.`, but `las 2 p. m.` */
const theTime = (time: string) => `${/^1(?!\d)/.test(time) ? 'la' : 'las'} ${time}`

/** US Spanish, with its date formats. */
const formats: Formats = {
  locale: 'es-US',
  zones: 'inWords',
  time: ({ hour, minute, dayPeriod }) => `${hour}${minute === '00' ? '' : `:${minute}`} ${dayPeriod}`,
  shortDay: ({ weekday, day, month }) => `${weekday} ${day} de ${month}`,
  longDay: ({ weekday, day, month }) => `${weekday} ${day} de ${month}`,
  shortMoment: (day, time) => `${day}, ${time}`,
  longMoment: (day, time) => `${day} a ${theTime(time)}`,
  withZone: (time, zone) => `${time} (${zone})`,
}

const labels: typeof detailLabelsInEnglish = {
  line1: 'Calle y número',
  line2: 'Apartamento, oficina',
  city: 'Ciudad',
  state: 'Estado',
  postalCode: 'Código postal',
  country: 'País',
  email: 'Correo electrónico',
  phone: 'Teléfono celular',
  birthMonth: 'Mes',
  birthDay: 'Día',
  birthYear: 'Año',
  birthDate: 'Fecha de nacimiento',
  identifierType: 'Qué identificación usará',
  identifierValue: 'Número de esa identificación',
  identifierState: 'Estado que la emitió',
  consent: 'Su consentimiento',
  signature: 'Escriba su nombre legal completo',
}

const faults: typeof detailFaultsInEnglish = {
  line1: { missing: 'Escriba su calle y número.' },
  line2: {},
  city: { missing: 'Escriba su ciudad.' },
  state: { missing: 'Elija su estado.', wrong: 'Elija su estado o provincia.' },
  postalCode: {
    missing: 'Escriba su código postal.',
    wrong: 'Escriba un código postal como 60540 o, en Canadá, K1A\u00a00B6.',
  },
  country: { missing: 'Elija su país.', wrong: 'Elija su país de la lista.' },
  email: {
    missing: 'Escriba su correo electrónico.',
    wrong: 'Escriba un correo electrónico como nombre@example.com.',
  },
  phone: {
    missing: 'Escriba su número de teléfono.',
    wrong: 'Escriba un número de teléfono como (630)\u00a0555\u20110142.',
    tooLong: 'Escriba un número de teléfono de 64 caracteres como máximo.',
  },
  birthMonth: {
    missing: 'Escriba el mes en que nació.',
    wrong: 'Escriba el mes en que nació con un número del 1 al 12.',
  },
  birthDay: {
    missing: 'Escriba el día en que nació.',
    wrong: 'Escriba el día en que nació con un número del 1 al 31.',
    noSuchDay: 'Revise el día: ese mes no lo tiene.',
  },
  birthYear: {
    missing: 'Escriba el año en que nació.',
    digits: 'Escriba el año en que nació con 4 cifras, como 1990.',
    wrong: 'Escriba un año de nacimiento a partir de 1900.',
  },
  birthDate: {
    missing: 'Escriba su fecha de nacimiento.',
    wrong: 'Escriba su fecha de nacimiento, como 4 / 17 / 1990.',
    future: 'Revise su fecha de nacimiento: está en el futuro.',
  },
  identifierType: { missing: 'Elija qué identificación usará.', wrong: 'Elija una identificación de la lista.' },
  identifierValue: {
    missing: 'Escriba el número de su identificación.',
    tooLong: 'Escriba un número de 255 caracteres como máximo.',
  },
  identifierState: { tooLong: 'Elija de la lista el estado que emitió su identificación.' },
  consent: { missing: 'Marque la casilla si acepta. Si no acepta, vea qué pasa después.' },
  signature: {
    missing: 'Escriba su nombre legal completo para firmar.',
    wrong:
      'Escriba su nombre y apellido como están en la orden. Si no es su nombre, no siga y avise a quien le envió el enlace.',
    tooLong: 'Escriba su nombre con 255 caracteres como máximo.',
  },
}

const form: FormTexts = {
  part: (at, of) => `${at} de ${of}`,
  checkPart: 'revisión',
  titles: { you: 'Sobre usted', contact: '¿Cómo nos comunicamos con usted?', address: '¿Dónde buscamos una clínica?' },
  first: {
    choose: 'Primero, unos datos para que la clínica sepa que es usted.',
    booked: 'Ya tiene una clínica. Complete unos datos para obtener su pase.',
    none: 'Unos datos y dos textos cortos para leer. No tiene que ir a ningún lugar.',
  },
  homeTitle: '¿Dónde vive?',
  leads: {
    you: 'Primero, unos datos para que la clínica sepa que es usted.',
    contact: 'Para comunicarnos con usted sobre esta visita, nosotros o la clínica. Nada de publicidad.',
    address: 'Lo mejor es la dirección de su casa. Le mostraremos las clínicas más cercanas.',
  },
  contactForNews: 'Aquí le enviamos las novedades de esta orden. Nada de publicidad.',
  back: 'Atrás',
  resume: 'Puede parar cuando quiera. Este navegador guarda lo que escribió durante cuatro horas.',
  ssnHint: '9 cifras, o las últimas 4',
  ssnNote: 'Si usa su número de Seguro Social: las 9 cifras, o las últimas 4.',
  ssnDigits: (count) => `Escriba las 9 cifras o solo las últimas 4. Usted escribió ${count}.`,
  licenseNumber: 'Número de licencia de conducir',
  identifiers: {
    driverLicense: 'Licencia de conducir',
    stateId: 'Identificación estatal',
    passport: 'Pasaporte',
    ssn: 'Número de Seguro Social',
    employeeId: 'Número de empleado',
  },
  otherIdentifier: 'Número de identificación',
  entered: 'Usted escribió',
  show: 'Mostrar',
  hide: 'Ocultar',
  lock: 'Está cifrado. La clínica lo usa para comprobar que es usted. No lo volvemos a mostrar.',
  lockForCheck: 'Está cifrado. No lo volvemos a mostrar.',
  why: '¿Por qué pedimos esto?',
  whyYou:
    'La clínica compara su nombre, su fecha de nacimiento y su número con la identificación que usted lleva, para que el resultado quede a nombre de la persona correcta.',
  whyYouForCheck:
    'Muchas personas tienen el mismo nombre. Su fecha de nacimiento y su número evitan que se confundan sus registros.',
  phoneHint: 'Si la clínica o el médico revisor tiene una pregunta, le llamará a este número.',
  phoneHintForCheck: 'Si hay alguna pregunta sobre su orden, le llamarán a este número.',
  who: '¿Quién ve esto?',
  whoText: (company) => withPeriod(`La clínica y las personas que tramitan esta orden para ${company}`),
  whyAddress: 'El formulario del laboratorio pide su dirección, y así sabemos qué clínicas le quedan cerca.',
  whyAddressForCheck: 'Los registros se guardan por lugar. Su dirección indica dónde buscar.',
  outside: '¿Fuera de Estados Unidos?',
  useCountry: 'Usar este país',
  province: 'Provincia o territorio',
  region: 'Estado o región',
  postalCode: 'Código postal',
  change: 'Cambiar',
  changeOf: (what) => `Cambiar: ${what}`,
  checkTitle: 'Revise sus datos',
  checkLead: '¿Está todo bien?',
  rows: {
    name: 'Nombre',
    birthDate: 'Fecha de nacimiento',
    contact: 'Correo electrónico y teléfono',
    email: 'Correo electrónico',
    phone: 'Teléfono',
    address: 'Dirección',
  },
  onFile: 'Ya la tenemos. Aquí no se muestra.',
  phoneEnding: (ending) => `Teléfono que termina en ${ending}`,
  about: 'Sobre esta prueba',
  consentTitle: 'Su consentimiento',
  disagree: 'No acepto. ¿Y ahora?',
  correct: 'Mis datos son correctos',
  agreeAndChoose: 'Aceptar y buscar una clínica',
  agreeAndGoOn: 'Aceptar y continuar',
  agreeAndFinish: 'Aceptar y terminar',
  resultsGoTo: (company) => `Los resultados se comunican a quien representa a ${company},`,
  declined: (when) => withPeriod(`Usted nos dijo que no acepta: ${when}`),
  stillAgree: '¿Cambió de opinión? Todavía puede aceptar aquí.',
  sample: 'Texto de muestra. No usar en producción.',
  disclosureTitle: 'Divulgación sobre la verificación de antecedentes',
  disclosure: 'Divulgación',
  authorizationTitle: 'Autorice la verificación de antecedentes',
  signatureHint: 'Vale como su firma.',
  date: 'Fecha',
  copyTo: (email) => `Le enviaremos por correo una copia de la divulgación y de esta autorización a ${email}.`,
  sign: 'Firmar y autorizar',
  rights: 'Sus derechos según la Ley de Informe Justo de Crédito (FCRA)',
  rightsText:
    'Puede pedir una copia del informe y disputar lo que esté mal. Antes de que un empleador tome una decisión en su contra por el informe, usted recibe una copia y un resumen de sus derechos.',
  declineTitle: 'No tiene que aceptar',
  declineLead: {
    consent: 'No se hace nada sin su consentimiento.',
    authorization: 'Sin su autorización no empieza ninguna verificación de antecedentes.',
  },
  declineMeans: 'Qué significa',
  declineFacts: {
    consent: (company) => [
      `Es posible que ${company} no pueda seguir hasta que esto se resuelva.`,
      'Su orden sigue abierta. Puede volver y aceptar.',
    ],
    authorization: (company) => [
      `Es posible que ${company} no pueda seguir hasta que esto se resuelva.`,
      'Su orden sigue abierta. Puede volver y autorizar la verificación.',
    ],
  },
  declineWhy: 'Dígales por qué',
  declineSend: 'Decirles que no acepto',
  declineBack: { consent: 'Volver a mis datos', authorization: 'Volver a la autorización' },
  talkFirst: '¿Prefiere hablar antes?',
  declinedTitle: 'Ya les avisamos',
  declinedLead: (company) =>
    `Las personas que tramitan esta orden para ${company} verán que usted no acepta. Es posible que se comuniquen con usted.`,
  declinedFacts: [
    'No tiene que hacer nada por ahora.',
    'Su orden sigue abierta. ¿Cambió de opinión? Vuelva aquí y acepte.',
  ],
  allSet: (name) => `Gracias, ${name}. Ya está todo listo.`,
  noClinic: 'No tiene que ir a ninguna clínica. Le enviamos por correo una copia de lo que leyó y firmó.',
  whatNext: 'Qué sigue',
  authorized: 'Autorizado',
  checkRuns: (tenant) => `${tenant} hace la verificación`,
  checkTakes: 'Por lo general, unos días hábiles',
  getsReport: (company) => `${company} recibe el informe`,
  askForCopy: 'Usted puede pedir una copia.',
  sentAt: (when) => `Enviado: ${when}`,
}

const GLASSES: Preparation['bring'] = [
  'Lentes, lentes de contacto y audífonos',
  'Y una lista de sus medicinas con las dosis.',
]
const SLEEVES = 'Use mangas que se puedan subir.'

const visits: PassTexts['visits'] = {
  urine: {
    expect: ['Le pedirán una muestra de orina', 'Llegue con la vejiga llena. Basta un vaso de agua en el camino.'],
    short: { expect: 'Una muestra de orina: llegue con la vejiga llena' },
  },
  oralFluid: {
    expect: [
      'Le tomarán una muestra de saliva',
      'Nada en la boca durante los 15 minutos anteriores: ni comida, ni bebida, ni chicle, ni tabaco.',
    ],
    short: { expect: 'Una muestra de saliva: no coma, beba ni mastique 15 minutos antes' },
  },
  hair: {
    expect: [
      'Le cortarán un mechón de cabello',
      'Se corta cerca del cuero cabelludo. Llegue con el cabello limpio y seco, sin gel, aceite ni laca.',
    ],
    short: { expect: 'Un mechón de cabello: sin gel, aceite ni laca' },
  },
  breath: {
    expect: [
      'Soplará en un aparato',
      'No coma, beba ni fume durante los 15 minutos anteriores. Puede que se repita una vez.',
    ],
    short: { expect: 'Una prueba de aliento: no coma, beba ni fume 15 minutos antes' },
  },
  blood: {
    expect: ['Le sacarán sangre del brazo', `${SLEEVES} Tome un poco de agua antes.`],
    short: { expect: 'Una muestra de sangre' },
  },
  dotPhysical: {
    expect: ['Le harán un examen físico', 'Vista, oído, presión arterial y un análisis de orina.'],
    bring: GLASSES,
    short: { expect: 'Un examen físico', bring: 'Lentes, audífonos y lista de medicinas' },
  },
  physical: {
    expect: ['Le harán un examen físico', 'Use ropa cómoda y mangas que se puedan subir.'],
    bring: GLASSES,
    short: { expect: 'Un examen físico', bring: 'Lentes, audífonos y lista de medicinas' },
  },
  audiogram: {
    expect: ['Una prueba de audición', 'Si puede, evite los ruidos fuertes durante las 14 horas anteriores.'],
    short: { expect: 'Una prueba de audición: sin ruidos fuertes 14 horas antes' },
  },
  respiratorFit: {
    expect: [
      'Una prueba de ajuste del respirador',
      'Llegue sin barba. No coma, fume ni mastique chicle durante los 30 minutos anteriores.',
    ],
    bring: ['Su respirador', 'Si ya tiene uno para el trabajo.'],
    short: { expect: 'Una prueba de ajuste del respirador: llegue sin barba', bring: 'Su respirador, si tiene uno' },
  },
  pulmonaryFunction: {
    expect: ['Una prueba de respiración', 'No fume durante la hora anterior y use ropa holgada.'],
    short: { expect: 'Una prueba de respiración: no fume una hora antes' },
  },
  vaccination: {
    expect: ['Una vacuna en el brazo', `${SLEEVES} Después descansará 15 minutos.`],
    bring: ['Su cartilla de vacunación', 'Si tiene una.'],
    short: { expect: 'Una vacuna en el brazo', bring: 'Su cartilla de vacunación' },
  },
  tuberculosis: {
    expect: ['Una prueba de tuberculosis', `${SLEEVES} Si es en la piel, tiene que volver en 2 o 3 días.`],
    short: { expect: 'Una prueba de tuberculosis' },
  },
  vision: {
    expect: ['Una prueba de la vista', 'De cerca, de lejos y de colores.'],
    bring: ['Sus lentes o lentes de contacto', 'Y el estuche para guardarlos.'],
    short: { expect: 'Una prueba de la vista', bring: 'Lentes o lentes de contacto' },
  },
  otherSample: {
    expect: ['Le tomarán una muestra', 'Le explicarán cada paso antes de empezar.'],
    short: { expect: 'Le tomarán una muestra' },
  },
  otherExam: {
    expect: ['Un examen de salud', 'La clínica le explicará cada paso antes de empezar.'],
    short: { expect: 'Un examen de salud' },
  },
}

const pass: PassTexts = {
  visits,
  sentTo: (to) => `Enviamos su pase a ${to}.`,
  showAgain: (code) => `Volver a mostrar mi pase (${code})`,
  checkAgain: 'Actualizar',
  checkedIn: 'Ya registró su llegada',
  checkedInAt: (time, clinic) => `${time}, ${clinic}.`,
  stay: 'Quédese en la clínica hasta que le llamen.',
  leaving: [
    '¿Tiene que irse?',
    'Avise primero en la recepción. Si se va ahora, la prueba puede contar como no realizada.',
  ],
  partly: 'Ya hizo una parte',
  partlyText: (tests) => `Todavía falta: ${withPeriod(tests)}`,
  collected: 'Eso es todo, ya terminó',
  sampleAt: (when) => withPeriod(`Le tomaron la muestra el ${when}`),
  visitOver: 'La clínica ya tiene todo lo que necesita de usted.',
  nothingToBook: 'No tiene que hacer otra cita.',
  untilDone: 'Si todavía está en la clínica, quédese hasta que le digan que puede irse.',
  complete: 'Su prueba está completa',
  completeText: (company) => `${company} ya tiene el informe. Aquí no se muestran los resultados de esta prueba.`,
  now: 'Qué pasa ahora',
  next: 'Qué sigue',
  happened: 'Qué se hizo',
  steps: {
    booked: 'Cita hecha',
    planned: 'Llegada prevista',
    checkedIn: 'Llegada registrada',
    sample: 'Muestra',
    visit: 'Pruebas en la clínica',
    collected: 'Muestra tomada',
    visited: 'Visita terminada',
    lab: 'Laboratorio',
    atLab: 'En el laboratorio',
    report: (company) => `Informe a ${company}`,
    reported: 'Informe enviado',
  },
  stepDone: 'hecho',
  stepNow: 'ahora',
  calledIn: 'Le llamarán para tomar la muestra. Unos 15 minutos.',
  calledInVisit: 'La clínica le llamará.',
  labTime: 'Por lo general, de 1 a 3 días hábiles',
  theyTell: 'Le dirán qué sigue.',
  yourTests: 'Sus pruebas',
  stages: {
    toDo: 'Pendiente',
    checkedIn: 'Llegada registrada',
    collected: 'Muestra tomada',
    running: 'En curso',
    complete: 'Completa',
    notDone: 'No realizada',
  },
  mayCall: 'Puede que le llamen.',
  reviewerCalls: (name) => `Si hay una pregunta sobre una receta, le llamará el consultorio de ${name}`,
  someoneCalls: 'Si hay una pregunta sobre una receta, le llamará el consultorio de un médico revisor.',
  from: 'desde el',
  pickUp: 'Por favor, conteste; es confidencial.',
  whoToAsk: 'A quién preguntar',
  aboutReport: 'Sobre el informe y lo que sigue',
  copy: ['Una copia de su resultado', 'Escriba al consultorio del médico revisor.'],
  theirNumber: 'Su número es el',
  identity: {
    title: (name) => `¿Es usted, ${name}?`,
    lead: 'Es la primera vez que usa este teléfono o computadora. Para proteger sus datos, díganos algo que ya sabemos.',
    birthDate: 'Su fecha de nacimiento',
    month: 'Mes',
    day: 'Día',
    year: 'Año',
    lastName: 'Su apellido',
    goOn: 'Continuar',
    tries: 'Después de 5 respuestas incorrectas, bloqueamos la página por una hora.',
    faults: {
      incompleteBirthDate: 'Escriba el mes, el día y el año en que nació, como 3 28 1990.',
      incompleteLastName: 'Escriba su apellido.',
      mismatch: 'Eso no coincide con lo que tenemos. Revíselo e intente de nuevo.',
    },
    locked: {
      title: 'Demasiadas respuestas incorrectas',
      until: (when) => withPeriod(`Esta página está bloqueada hasta el ${when}`),
      why: 'Así protegemos sus datos. Hasta entonces no se revisa ninguna respuesta, aunque sea correcta.',
      next: 'Después puede intentarlo de nuevo aquí. Si no puede esperar, pida un enlace nuevo al contacto de abajo: desbloquea la página de inmediato.',
      again: 'Intentar de nuevo',
    },
  },
  newLink: {
    ask: 'Envíenme un enlace nuevo',
    hint: 'Lo enviamos al correo o teléfono que recibió este enlace.',
  },
  canceledOn: (company, day) => `${company} la canceló el ${withPeriod(day)}`,
  moreTime: (company) => `Pedir más tiempo a ${company}`,
  moreTimeSubject: 'Más tiempo para mi prueba',
  requests: {
    title: 'Sus órdenes abiertas',
    all: 'Todas sus órdenes abiertas',
    count: (count) => (count === 1 ? '1 orden abierta' : `${count} órdenes abiertas`),
    firstOf: (shown, count) => `Las primeras ${shown} de ${count}. Primero, las que necesitan una clínica.`,
    needsClinic: 'Necesita una clínica',
    booked: 'Reservada',
    planned: 'Llegada prevista',
    anyTime: 'sin cita',
    due: (when) => `Fecha límite: ${when}`,
    choose: 'Elegir una clínica',
    see: 'Ver los detalles',
    none: 'No hay órdenes abiertas. Por ahora no hay nada que elegir.',
  },
  paper: {
    hint: 'Muéstrelo en la recepción, con su identificación con foto',
    photoId: 'Identificación con foto, vigente',
    thisPass: 'Este pase o solo el código',
    bring: 'Lleve',
    expect: 'La visita',
    know: 'Conviene saber',
    minutes: 'De 30 a 45 minutos',
    minutesWithExam: 'De 60 a 90 minutos',
    stay: 'Quédese hasta que le digan que terminó',
    goBy: (when) => `Vaya antes del ${when}`,
    latest: 'La versión más reciente está siempre en el enlace de su mensaje.',
    printed: (code, when) => `Orden ${code} · impreso ${when}`,
    identifiers: {
      driverLicense: 'Licencia de conducir',
      stateId: 'Identificación estatal',
      passport: 'Pasaporte',
      ssn: 'Seguro Social',
      employeeId: 'Número de empleado',
      other: 'Identificación',
    },
  },
  wallet: { apple: 'Agregar a Apple Wallet', google: 'Agregar a Google Wallet' },
}

const visit: VisitTexts = {
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

/** What differs where nothing is reserved. */
const arrival: ArrivalTexts = {
  bookedTitle: () => 'Su llegada está prevista',
  passTitle: 'Su pase',
  bookedNow: 'Llegada prevista',
  cancel: 'Cancelar la llegada prevista',
  cancelAsk: '¿Cancelar su llegada prevista?',
  cancelYes: 'Cancelar mi llegada prevista',
  onlyFrees: 'Al cancelar solo se quita este plan. La orden sigue abierta.',
  backToPass: 'Volver a mi pase',
}

const arrivalClinics: ArrivalClinicsTexts = {
  bookedHere: 'Llegada prevista',
  staysBooked: 'Su llegada prevista sigue igual hasta que usted confirme.',
  stillBooked: 'Su llegada prevista no ha cambiado.',
  confirmTitle: '¿Cambiar su llegada prevista?',
  alreadyTitle: 'Ya tiene prevista su llegada a una clínica. ¿Quiere cambiarla?',
  alreadyHint: 'Usted volvió a elegir después.',
  from: 'Llegada prevista',
  to: 'Nueva llegada prevista',
}

const clinics: ClinicsTexts = {
  near: 'Cerca de',
  showing: 'Clínicas cerca de',
  orIn: 'O bien:',
  filters: 'Mostrar solo clínicas',
  filter: { openNow: 'Abiertas ahora', walkIns: 'Sin cita', openSaturday: 'Sábados' },
  count: (count, takeWalkIns) =>
    `${count} ${count === 1 ? 'clínica' : 'clínicas'}${takeWalkIns ? (count === 1 ? ' atiende sin cita' : ' atienden sin cita') : ''}`,
  within: (count, miles) =>
    `${count} a menos de ${miles} millas, primero la más cercana. Los tiempos de manejo son aproximados.`,
  noMatch: (miles) => `Ninguna clínica a menos de ${miles} millas cumple con esto.`,
  clearFilters: 'Ver todas las clínicas',
  saturdayTooLate: 'El sábado es después de su fecha límite',
  saturdayNote: (when) => withPeriod(`Estas clínicas abren los sábados, pero vaya antes del ${when}`),
  minutes: (minutes) => `${minutes}\u00a0min`,
  hoursMinutes: (hours, minutes) => `${hours}\u00a0h${minutes === 0 ? '' : ` ${minutes}\u00a0min`}`,
  miles: (miles) => `${miles}\u00a0mi`,
  north: 'N',
  aboutDrive: (time) => `unos ${time} en auto`,
  drive: (time) => `${time} en auto`,
  openUntil: (time) => `Abierta hasta ${theTime(time)}`,
  openAllDay: 'Abierta las 24 horas',
  opensToday: (time) => `Abre hoy a ${theTime(time)}`,
  opens: (day, time) => `Abre el ${day} a ${theTime(time)}`,
  opensOn: (day) => `Abre el ${day}`,
  closedForGood: 'Cerrada',
  walkIns: 'Sin cita',
  appointments: 'Con cita',
  bookedHere: 'Su cita actual',
  tooLate: (deadline) => withPeriod(`Abre después de su fecha límite: ${deadline}`),
  noHours: (deadline) => withPeriod(`No abre antes de su fecha límite: ${deadline}`),
  noneWork: '¿Ninguna le conviene?',
  askForHelp: 'Pida ayuda para encontrar una clínica',
  looking: 'Estamos buscando una clínica para usted.',
  seeRequest: 'Ver su solicitud',
  nearInstead: 'Estas están cerca de su dirección.',
  noneWithin: (miles) => `No hay clínicas a menos de ${miles} millas`,
  noneAround: (place) => withPeriod(`Ninguna cerca de ${place} hace esta prueba`),
  goFarther: 'Puede ir más lejos, o le buscamos una.',
  cityOnly: 'No encontramos su código postal, así que buscamos alrededor de su ciudad.',
  letUsFind: 'Le buscamos una',
  letUsFindText: (answerTime) =>
    withPeriod(
      `Una persona busca una clínica cerca de usted y le llama o le escribe${answerTime ? `. Tiempo de respuesta habitual: ${answerTime}` : ''}`,
    ),
  askShort: 'Pedir ayuda',
  nearestTitle: 'Las clínicas más cercanas',
  nearestHint: 'Están más lejos de lo habitual, pero puede elegirlas.',
  lookElsewhere: 'Buscar cerca de otro lugar',
  lookHint: 'Su trabajo, su familia o una ciudad en su camino',

  walkInToday: (until) => `Vaya hoy sin cita, hasta ${theTime(until)}`,
  walkInLater: (from, until) => `Vaya hoy sin cita, de ${from} a ${until}`,
  arriveInTime: (by) => `Sin cita. Llegue antes de ${theTime(by)} para que alcance el tiempo.`,
  walkInAllDay: 'Vaya hoy sin cita, a cualquier hora',
  walkInAllDayHint: 'Sin cita. Está abierta las 24 horas.',
  walkInWhenOpen: 'Vaya sin cita cuando esté abierta',
  walkInWhenOpenHint: 'Sin cita. Es posible que tenga que esperar.',
  orBook: 'o elija una hora',
  orWalkIn: 'o vaya sin hora fija',
  dayTitle: 'Día',
  plannedArrival: 'Llegada prevista',
  walkInsOnlyTitle: 'Esta clínica solo atiende sin cita.',
  walkInsOnlyText: 'Díganos cuándo piensa llegar para poder recordárselo. Esto no reserva una hora.',
  today: 'Hoy',
  until: (time) => `hasta ${theTime(time)}`,
  fullDay: 'lleno',
  allDayShort: '24\u00a0h',
  dayFull: 'no quedan horas',
  afterDeadline: 'después de su fecha límite',
  zoneLine: (zone) => withPeriod(zone),
  dayTooLate: (day) => `El ${day} es después de su fecha límite.`,
  earlier: 'Días anteriores',
  later: 'Días siguientes',
  parts: { morning: 'Mañana', afternoon: 'Tarde', evening: 'Noche' },
  thisPart: { morning: 'Esta mañana', afternoon: 'Esta tarde', evening: 'Esta noche' },
  nextHour: 'En la próxima hora',
  arriveBy: (time) => `Llegue antes de ${theTime(time)}`,
  full: 'ocupada',
  crossedOut: 'Las horas tachadas están ocupadas.',
  planFor: 'Calcule entre 30 y 45 minutos.',
  noTimes: 'No quedan horas libres antes de su fecha límite.',
  noTimesHint: 'Elija otra clínica o pídanos ayuda.',
  bookThis: 'Reservar esta hora',
  takenTitle: 'Alguien acaba de tomar esa hora',
  taken: (when) => withPeriod(`Hace un momento, otra persona reservó el ${when}`),
  nothingBooked: 'Usted todavía no tiene cita.',
  stillBooked: 'Su cita no ha cambiado.',
  pickClosest: (time) => `Elegir ${time}, la hora libre más cercana`,
  noneFree: 'Elija otro día u otra clínica.',

  changeTitle: 'Cambie la hora',
  pickNew: 'Elija una hora nueva',
  yourTimeNow: 'su hora actual',
  review: 'Revisar el cambio',
  staysBooked: 'Su cita sigue igual hasta que usted confirme.',
  confirmTitle: '¿Cambiar su cita?',
  alreadyTitle: 'Ya tiene una cita. ¿Quiere cambiarla?',
  alreadyHint: 'Usted volvió a elegir después de hacer la cita.',
  from: 'Cita actual',
  to: 'Cita nueva',
  codeStays: 'Su pase y su código siguen siendo los mismos.',
  confirmYes: 'Sí, cambiarla',
  keep: (what) => `Mantener ${what}`,
  keepWalkIn: 'Mantener mi cita',
  anyTime: 'Cuando esté abierta',
  arrival: arrivalClinics,

  helpTitle: 'Pida ayuda para encontrar una clínica',
  helpKept: 'Guardamos lo que ya escribió. No tendrá que escribirlo otra vez.',
  helpWhy: '¿Cuál es el problema?',
  reasons: {
    tooFar: 'Todas las clínicas están muy lejos',
    cannotTravel: 'No tengo cómo llegar',
    noTime: 'Ningún horario me conviene',
    other: 'Otra cosa',
  },
  howFar: '¿Hasta qué distancia puede ir?',
  anyNote: '¿Algo que debamos saber?',
  reachYou: 'Nos comunicaremos con usted por',
  change: 'Cambiar',
  send: 'Enviar',
  sentTitle: 'Estamos en eso',
  sentBy: (tenant, when) => withPeriod(`${tenant} tiene su solicitud, enviada el ${when}`),
  nextTitle: 'Qué sigue',
  nextSent: 'Solicitud enviada',
  nextLooks: 'Una persona busca una clínica',
  nextWithin: (time) => `Tiempo habitual: ${time}`,
  nextMessage: 'Usted recibe un mensaje',
  nextMessageHint: 'Con una clínica, o con lo que debe hacer si no se encuentra ninguna',
  stillUntil: (when) => withPeriod(`Su fecha límite sigue siendo el ${when}`),
  callIfClose: 'Si se acerca y no ha tenido noticias nuestras, llame.',
  hurry: '¿Es urgente?',
  hurryCall: 'Llame a',
  hurryCode: 'y dé el código de la orden',
  lookAgain: 'Volver a ver las clínicas',
}

const clinicsForRequester: ClinicsTexts = {
  ...clinics,
  saturdayTooLate: 'El sábado es después de la fecha límite',
  saturdayNote: (when) => withPeriod(`Estas clínicas abren los sábados, pero la prueba debe hacerse antes del ${when}`),
  tooLate: (deadline) => withPeriod(`Abre después de la fecha límite: ${deadline}`),
  noHours: (deadline) => withPeriod(`No abre antes de la fecha límite: ${deadline}`),
  noneWork: '¿Ninguna sirve?',
  looking: 'Estamos buscando una clínica para esta orden.',
  bookedHere: 'La cita actual',
  nearInstead: 'Estas están cerca de la dirección de la persona.',
  goFarther: 'La persona puede ir más lejos, o buscamos una.',
  cityOnly: 'No encontramos el código postal de la persona, así que buscamos alrededor de su ciudad.',
  letUsFind: 'Buscamos una',
  letUsFindText: (answerTime) =>
    withPeriod(
      `Una persona busca una clínica cerca de quien se hará la prueba y le llama o le escribe a usted${answerTime ? `. Tiempo de respuesta habitual: ${answerTime}` : ''}`,
    ),
  lookHint: 'El trabajo, la familia o una ciudad en el camino',
  walkInToday: (until) => `Hoy sin cita, hasta ${theTime(until)}`,
  walkInLater: (from, until) => `Hoy sin cita, de ${from} a ${until}`,
  arriveInTime: (by) => `Sin cita. Hay que llegar antes de ${theTime(by)} para que alcance el tiempo.`,
  walkInAllDay: 'Hoy sin cita, a cualquier hora',
  walkInWhenOpen: 'Sin cita, cuando esté abierta',
  walkInWhenOpenHint: 'Sin cita. Es posible que haya que esperar.',
  walkInsOnlyText: 'Díganos cuándo piensa llegar la persona para poder recordárselo. Esto no reserva una hora.',
  afterDeadline: 'después de la fecha límite',
  dayTooLate: (day) => `El ${day} es después de la fecha límite.`,
  arriveBy: (time) => `Hay que llegar antes de ${theTime(time)}`,
  noTimes: 'No quedan horas libres antes de la fecha límite.',
  nothingBooked: 'Todavía no hay cita.',
  stillBooked: 'La cita no ha cambiado.',
  yourTimeNow: 'la hora actual',
  staysBooked: 'La cita sigue igual hasta que usted confirme.',
  confirmTitle: '¿Cambiar la cita?',
  alreadyTitle: 'Ya hay una cita. ¿Quiere cambiarla?',
  codeStays: 'La persona recibirá un mensaje con la nueva hora.',
  keepWalkIn: 'Mantener la cita',
  arrival: {
    ...arrivalClinics,
    staysBooked: 'La llegada prevista sigue igual hasta que usted confirme.',
    stillBooked: 'La llegada prevista no ha cambiado.',
    confirmTitle: '¿Cambiar la llegada prevista?',
    alreadyTitle: 'Ya hay una llegada prevista en una clínica. ¿Quiere cambiarla?',
  },
  helpKept: 'Díganos cuál es el problema y una persona buscará una clínica.',
  reasons: {
    tooFar: 'Todas las clínicas están muy lejos',
    cannotTravel: 'La persona no tiene cómo llegar',
    noTime: 'Ningún horario sirve',
    other: 'Otra cosa',
  },
  howFar: '¿Hasta qué distancia puede ir la persona?',
  stillUntil: (when) => withPeriod(`La fecha límite sigue siendo el ${when}`),
}

const messages: CalendarTexts = {
  calendarLink: 'Detalles y cambios',
  calendarCancelled: 'Cita cancelada',
  arrivalCancelled: 'Llegada prevista cancelada',
}

const forParticipant: Texts = {
  skip: 'Ir al contenido',
  operatorView: {
    title: 'Vista de solo lectura para operadores.',
    text: 'Esto es lo que ve ahora el participante. Aquí no se puede enviar nada.',
  },
  forWhom: 'Para',
  forPerson: (name) => `Para ${name}`,
  greeting: {
    choose: (name) => `Hola, ${name}: haga la cita para su prueba`,
    booked: (name) => `Hola, ${name}: ya tiene una clínica para su prueba`,
    none: (name) => `Hola, ${name}`,
  },
  withTenant: 'con',
  workplaceTesting: 'Pruebas laborales',
  questions: '¿Tiene preguntas?',
  askCompany: (company) => withPeriod(`Pregunte a ${company}`),
  order: 'Orden',
  privacy: 'Privacidad',
  yourTest: 'Su prueba',
  askedBy: (company) => `${company} le pide que se haga esta prueba.`,
  forNewJob: (company) => `Para su nuevo empleo en ${company}`,
  goBy: 'Vaya antes del',
  takes: 'Hacer la cita toma unos 3 minutos',
  noCost: 'No le cuesta nada',
  orderIsFor: 'Esta orden es para',
  notYou: '¿No es usted?',
  byWhen: (when) => withPeriod(`Vaya antes del ${when}`),
  whatIsOrdered: 'Qué incluye',
  steps: { details: 'Sus datos', clinics: 'Elija una clínica', time: 'Elija una hora' },
  progress: { details: 'Datos', clinic: 'Clínica', time: 'Hora' },
  stepOf: (step, steps) => `Paso ${step} de ${steps}`,
  notYours: (name) => `¿No es usted ${name} o el nombre está mal? No continúe y avise a quien le envió este enlace.`,
  optional: 'opcional',
  choose: 'Elija una opción',
  labels: {
    ...labels,
    place: 'Ciudad y estado, o código postal',
    clinic: 'Clínica',
    way: '¿Cuándo irá?',
    date: 'Fecha',
    time: 'Hora',
  },
  goOn: 'Continuar',
  error: 'Error',
  errorTitle: (count) => (count === 1 ? 'Corrija esto, por favor' : `Corrija estas ${count} cosas, por favor`),
  faults: {
    ...faults,
    place: {
      missing: 'Escriba una ciudad y un estado, o un código postal.',
      wrong:
        'No entendimos este lugar. Escriba una ciudad con su estado, como Naperville, IL, o un código postal, como 60540.',
    },
    clinic: { missing: 'Elija una clínica.', wrong: 'Esta clínica ya no está disponible. Elija otra.' },
    way: {
      missing: 'Elija si quiere una cita a una hora fija.',
      closed:
        'Esta clínica no vuelve a abrir antes de la fecha límite. Elija otra clínica o pregunte a quien le envió este enlace.',
    },
    date: {
      missing: 'Elija una fecha.',
      wrong: 'Elija una fecha como 2027-01-31.',
      past: 'Esa hora ya pasó. Elija una posterior.',
      tooLate: 'Es después de la fecha límite. Elija una fecha anterior.',
      tooFar: 'Las citas se pueden hacer con hasta 90 días de anticipación. Elija una fecha anterior.',
    },
    time: {
      missing: 'Elija una hora.',
      wrong: 'Elija una hora como 09:30.',
      step: 'Elija una hora de cinco en cinco minutos, como 9:15.',
      closed: 'La clínica está cerrada a esa hora. Elija una dentro de su horario.',
    },
  },
  tooLong: 'es demasiado largo. Acórtelo.',
  notAccepted: 'esto no se puede usar. Escríbalo de nuevo.',
  nearCity: (miles) => `No encontramos su código postal; estas son clínicas a menos de ${miles} millas de su ciudad.`,
  nearNowhere: 'No encontramos su dirección en el mapa. Busque abajo por ciudad y estado.',
  skipMap: 'Omitir el mapa',
  mapTitle: 'Mapa de las clínicas',
  mapCaption: (miles) =>
    `Cada número lleva a su clínica en la lista. Línea punteada: ${miles} millas. El norte está arriba.`,
  showMap: 'Ver el mapa',
  hideMap: 'Ocultar el mapa',
  here: { home: 'Usted', place: 'Aquí' },
  nearest: 'La más cercana',
  walkInsOnly: 'Solo sin cita',
  directions: 'Cómo llegar',
  canChange: 'Puede cambiarlo después.',
  search: 'Buscar',
  milesAway: (miles) => `a ${miles} ${miles === '1' ? 'milla' : 'millas'}`,
  nearby: 'a menos de una milla',
  underAMile: 'a menos de 1\u00a0mi',
  telephone: 'Teléfono',
  hours: 'Horario',
  hoursShort: 'Horario',
  closed: 'cerrado',
  allDay: 'abierto las 24 horas',
  chooseThis: 'Elegir',
  comeBy: (when) => withPeriod(`Vaya antes del ${when}`),
  whenTitle: '¿Cuándo irá?',
  walkIn: 'Iré sin cita, cuando la clínica esté abierta',
  walkInHint: 'No necesita cita.',
  walkInOnly: 'En esta clínica no necesita cita. Vaya cuando esté abierta o llame antes.',
  appointment: 'Quiero una cita a una hora fija',
  appointmentHint: 'Elija un día y una hora.',
  changeClinic: 'Cambiar de clínica',
  timesAre: (zone) => `Se usa la hora local de la clínica (${zone}).`,
  book: 'Obtener mi pase',
  back: 'Volver',
  passTitle: 'Su pase',
  bookedTitle: () => 'Su cita está confirmada',
  arrival,
  testingPass: 'Pase para la prueba',
  passHint: 'Muéstrelo en la clínica, en su teléfono o impreso.',
  showThis: 'Muéstrelo en la recepción, en su teléfono o impreso.',
  orderCode: 'Código de la orden',
  barcode: (code) => `Código de barras de la orden ${code}`,
  qrCode: (code) => `Código QR de la orden ${code}`,
  where: 'Dónde',
  when: 'Cuándo',
  whenever: 'Cuando esté abierta',
  noAppointment: 'No necesita cita.',
  arrivalHint: 'Sin cita: no hay una hora reservada y quizá tenga que esperar.',
  anyTime: 'Cuando la clínica esté abierta; no necesita cita',
  anyTimeBy: (when) => `Cuando la clínica esté abierta, antes del ${when}; no necesita cita`,
  form,
  pass,
  visit,
  clinics,
  messages,
  bring: 'Qué debe llevar',
  bringList: [
    'Una identificación vigente con foto, como la licencia de conducir o el pasaporte',
    'Este pase o el código de la orden',
  ],
  requestedBy: 'Solicitado por',
  personName: 'Nombre',
  paidBy: 'Paga',
  test: (count) => (count === 1 ? 'Prueba' : 'Pruebas'),
  calendar: 'Agregar al calendario',
  printable: 'Guardar PDF',
  plansChanged: '¿Cambio de planes?',
  canChangeUntil: (when) => withPeriod(`Puede cambiarla hasta el ${when}`),
  change: 'Cambiar la clínica o la hora',
  changeTime: 'Cambiar la hora',
  cancel: 'Cancelar la cita',
  cancelAsk: '¿Cancelar esta cita?',
  stillDue: (when) => withPeriod(`Todavía tiene que hacerse la prueba${when === null ? '' : ` antes del ${when}`}`),
  cancelNote: 'Puede elegir otra clínica u otra hora.',
  cancelNoteFixed: 'Le avisaremos de otra hora u otro lugar.',
  onlyFrees: 'Al cancelar solo se libera esta hora. La orden sigue abierta.',
  bookedNow: 'Su cita actual',
  cancelYes: 'Cancelar mi cita',
  cancelNo: 'Mantenerla',
  cancelInstead: 'Mejor elegir otra hora',
  backToPass: 'Volver a mi pase',
  whoToContact: 'A quién llamar',
  hadUntil: 'Tenía hasta el',
  notes: {
    lost: 'Guardamos lo que escribe solo por unas horas. Escríbalo de nuevo, por favor.',
    cookies:
      'No encontramos lo que escribió. Lo guardamos durante cuatro horas en una cookie de este navegador. Permita las cookies para este sitio y vuelva a escribirlo, por favor.',
    overtaken: 'Ya se había elegido una clínica y aquí la ve. Lo que acaba de enviar no cambió nada.',
    cancelled: 'Su visita fue cancelada.',
    elsewhere:
      'Mientras tanto, esta página se guardó en otra pestaña o ventana. Lo que acaba de enviar no se guardó. Aquí ve lo que está guardado: revíselo y cámbielo si no es correcto.',
  },
  clinicOff: 'Esta clínica ya no está disponible. Elija otra, por favor.',
  clinicOffFixed: (company) =>
    withPeriod(`Esta clínica ya no está disponible. No vaya allí. Le enviaremos otra, o puede preguntar a ${company}`),
  calendarOff: 'Esta clínica ya no está disponible. Abra su enlace para ver qué hacer.',
  calendarTitle: (clinic) => `Cita en ${clinic}`,
  calendarArrival: (clinic) => `Llegada prevista a ${clinic}`,
  calendarText: (code) => `Lleve una identificación con foto y el código de la orden ${code}.`,
  notices: {
    wrongLink: [
      'Este enlace no funciona',
      'Quizá falte una parte de la dirección o un mensaje más reciente la haya reemplazado. Abra el enlace completo de su último correo o mensaje de texto. Si aun así no funciona, pregunte a quien se lo envió: por lo general, su empleador.',
    ],
    expiredLink: [
      'Este enlace ya venció',
      'Pida uno nuevo abajo o a quien se lo envió. El enlace de su último mensaje quizá todavía funcione.',
    ],
    newLink: [
      'Revise sus mensajes',
      'Si hay una orden abierta, enviamos un enlace nuevo al correo o teléfono que recibió el anterior. Puede tardar unos minutos, y puede pedir otro en una hora. ¿No llegó nada? Pregunte a quien le envió el enlace.',
    ],
    cancelled: ['Esta prueba fue cancelada', 'No tiene que ir. ¿No lo esperaba? Llame antes de cambiar sus planes.'],
    expired: [
      'La fecha límite ya pasó',
      'Si todavía necesita esta prueba, quien la ordenó tiene que ampliar el plazo o enviar otra orden.',
    ],
    missed: ['No se presentó a la cita', 'Llame hoy mismo a quien ordenó la prueba. Le dirá qué debe hacer ahora.'],
    waiting: [
      'Todavía no hay nada que hacer',
      'Le enviaremos un mensaje cuando se haya elegido una clínica para usted.',
    ],
    withdrawn: ['Su visita fue cancelada', 'Le enviaremos un mensaje cuando se haya elegido otra clínica para usted.'],
    finished: [
      'Todo listo, gracias',
      'Ya no tiene que hacer nada aquí. ¿Tiene preguntas? Hable con quien ordenó la prueba.',
    ],
    tooMany: ['Demasiadas solicitudes', 'Espere un minuto y vuelva a intentarlo.'],
    tooLarge: ['Es demasiado texto', 'Vuelva atrás, acórtelo e inténtelo de nuevo.'],
    unreadable: [
      'No pudimos recibirlo',
      'No se cambió nada. Abra otra vez el enlace de su mensaje y envíelo de nuevo. Si sigue pasando, pruebe con otro navegador o llame a quien le envió el enlace.',
    ],
    broken: ['Algo falló de nuestro lado', 'Vuelva a intentarlo en unos minutos. Su orden está a salvo.'],
  },
}

/** The Spanish texts for a requester, who chooses for the participant. */
const forRequester: Texts = {
  ...forParticipant,
  clinics: clinicsForRequester,
  askedBy: (company) => `Esta orden de ${company} necesita una clínica. La persona irá a la que usted elija.`,
  byWhen: (when) => withPeriod(`La prueba debe hacerse antes del ${when}`),
  labels: { ...forParticipant.labels, way: '¿Cuándo irá la persona?' },
  faults: {
    ...forParticipant.faults,
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
  arrival: {
    ...arrival,
    bookedTitle: () => 'La llegada está prevista',
    passTitle: 'La llegada está prevista',
    cancelAsk: '¿Cancelar la llegada prevista?',
    cancelYes: 'Cancelar la llegada prevista',
    backToPass: 'Volver a la llegada prevista',
  },
  bookedNow: 'La cita actual',
  cancelYes: 'Cancelar la cita',
  backToPass: 'Volver a la cita',
  here: { home: 'Casa', place: 'Aquí' },
  stillDue: (when) =>
    withPeriod(`La persona todavía tiene que hacerse la prueba${when === null ? '' : ` antes del ${when}`}`),
  notes: { ...forParticipant.notes, cancelled: 'La visita fue cancelada.' },
  notices: {
    ...forParticipant.notices,
    cancelled: ['Esta prueba fue cancelada', 'No tiene que elegir una clínica.'],
    expired: ['La fecha límite ya pasó', 'Haga una orden nueva si la prueba todavía es necesaria.'],
    missed: ['La persona no se presentó a la cita', 'Haga una orden nueva si la prueba todavía es necesaria.'],
    finished: ['Todo listo, gracias', 'Ya no queda nada que elegir ni que cambiar aquí.'],
  },
}

const agreements: BuiltInAgreements = {
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
    version: 'placeholder 2',
    isSample: true,
    text: `Este es un texto de muestra. Se debe reemplazar por una divulgación revisada por un abogado.

{company} puede obtener información sobre usted de una agencia de informes del consumidor con fines de empleo.

Esto significa que se puede obtener un “informe del consumidor” sobre usted. Puede incluir información sobre sus antecedentes penales, su historial de manejo y sus empleos anteriores.

El informe lo preparará {provider}.`,
  },
  authorization: {
    version: 'placeholder 2',
    isSample: true,
    text: `Este es un texto de muestra. Se debe reemplazar por una autorización revisada por un abogado.

He leído la divulgación. Autorizo a {company} a obtener de {provider} un informe de antecedentes sobre mí con fines de empleo.`,
  },
}

const greet = (name: string, request: string) =>
  name === '' ? request.charAt(0).toUpperCase() + request.slice(1) : `Hola, ${name}: ${request}`
const withName = (text: string, name: string) => (name === '' ? text : `${text}, ${name}`)

const goThere = ({ appointment, clinic, by, code, isArrival }: NotificationFacts) => {
  const what = appointment === null ? `Vaya a ${clinic || 'la clínica'} en su horario de atención${by}` : appointment
  const where = appointment === null || clinic === '' ? '' : `, ${clinic}`
  return `${withPeriod(what + where)} ${isArrival ? 'No hay una hora reservada. ' : ''}Lleve su identificación con foto y el código ${code}`
}

const booked = (facts: NotificationFacts, opening: string, title: string): Wording => ({
  subject: facts.appointment === null ? `${opening}: su visita${facts.byDay}` : `${opening}: ${facts.appointment}`,
  title,
  lines: facts.isArrival ? ['La clínica atiende sin cita: no hay una hora reservada y quizá haya que esperar.'] : [],
  short: goThere(facts),
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

const notifications: NotificationTexts = {
  buttons: {
    book: 'Hacer mi cita',
    fillIn: 'Completar mis datos',
    openPass: 'Abrir mi pase',
    seeNext: 'Ver qué sigue',
    chooseClinic: 'Elegir una clínica',
    seeBooking: 'Ver los detalles',
  },
  shortButtons: {
    book: 'Haga su cita aquí',
    fillIn: 'Sus datos',
    openPass: 'Su pase',
    seeNext: 'Vea qué sigue',
    chooseClinic: 'Elija aquí',
    seeBooking: 'Los detalles',
  },
  alsoHere: 'También en español',
  sender: (company, tenant) => `${company} con ${tenant}`,
  withTenant: (tenant) => `con ${tenant}`,
  by: (when) => `antes del ${when}`,
  byDay: (day) => `a más tardar el ${day}`,
  rows: {
    when: 'Cuándo',
    arrival: 'Llegada prevista',
    where: 'Dónde',
    goBy: 'Fecha límite',
    finishBy: 'Fecha límite',
    forWhom: 'Para',
    code: 'Código',
    bring: 'Lleve',
    cost: 'Costo',
  },
  walkIn: 'Cuando la clínica esté abierta',
  photoId: 'Su identificación vigente con foto. No sirve una foto de ella.',
  noCost: 'Ninguno para usted',
  directions: 'Cómo llegar',
  phone: (phone) => `Teléfono: ${phone}`,
  buttonFails: '¿No funciona el botón? Copie esta dirección:',
  plansChanged: (until) =>
    withPeriod(
      `¿Cambió de planes? Puede cambiar o cancelar en la misma página${until === null ? '' : ` hasta el ${until}`}`,
    ),
  isThisReal: '¿Quiere confirmar que este mensaje es auténtico?',
  whoSends: (tenant, company) => withPeriod(`${tenant} organiza las pruebas de ${company}`),
  toBeSure: (contact, code) => `Comuníquese con ${contact} y mencione la orden ${code}.`,
  questions: (contact) => withPeriod(`¿Preguntas? Comuníquese con ${contact}`),
  sentBy: (tenant, company) =>
    withPeriod(tenant === '' ? `Enviado de parte de ${company}` : `Enviado por ${tenant} de parte de ${company}`),
  keepLink: 'Este enlace es solo para usted; por favor, no lo reenvíe.',
  privacy: 'Privacidad',
  copySubject: (subject) => `Copia: ${subject}`,
  copyNote: (participant) =>
    `Copia para su información. Usted no tiene que hacer nada: ${participant} recibió este mensaje, y solo ese mensaje tiene el enlace.`,
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
      if (facts.isArrival) {
        const wording = booked(facts, 'Llegada prevista', withName('Su llegada está prevista', facts.name))
        return { ...wording, short: `Llegada prevista: ${wording.short}` }
      }
      const wording = booked(facts, 'Su cita', withName('Ya tiene su cita', facts.name))
      return { ...wording, short: `Ya tiene su cita. ${wording.short}` }
    },
    bookingChanged: (facts) => {
      const title = `Su ${facts.isArrival ? 'llegada prevista' : 'cita'} ha cambiado`
      const wording = booked(facts, facts.isArrival ? 'Nueva llegada prevista' : 'Nueva hora', title)
      return { ...wording, short: `${title}. ${wording.short}` }
    },
    bookingWithdrawn: ({ company, choosesClinic, by, byDay, isArrival }) => {
      const what = isArrival ? 'llegada prevista' : 'cita'
      const next = choosesClinic ? `Elija otra clínica u otra hora${by}` : 'Le avisaremos cuando tenga una nueva'
      return {
        subject: `${company}: su ${what} fue cancelada${choosesClinic && byDay !== '' ? `, elija otra${byDay}` : ''}`,
        title: `Su ${what} fue cancelada`,
        lines: [`${withPeriod(`Su ${what} para ${company} fue cancelada`)} ${withPeriod(next)}`],
        short: `Su ${what} fue cancelada. ${next}`,
      }
    },
    reminder: (facts) => {
      const { company, byDay, by, isBooked, needsBooking } = facts
      if (isBooked) {
        const opening = facts.isArrival ? 'Recordatorio de su llegada prevista' : 'Recordatorio'
        const wording = booked(facts, opening, facts.isArrival ? 'Su llegada está prevista' : 'Ya tiene su cita')
        return { ...wording, short: `${opening}: ${wording.short}` }
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
      const what = facts.isArrival ? 'llegada prevista' : 'cita'
      const opening = facts.isArrival ? 'Recordatorio de su llegada prevista' : 'Recordatorio'
      const wording = booked(facts, opening, `Se acerca su ${what}`)
      const when = facts.day && SOON[facts.day]
      if (when === null) return { ...wording, short: `${opening}: ${wording.short}` }
      const title = `Su ${what} es ${when}`
      return { ...wording, subject: `${title}: ${facts.appointment}`, title, short: `${title}. ${wording.short}` }
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
      lines: [
        withPeriod(
          `La ${facts.isArrival ? 'llegada prevista' : 'cita'} de ${facts.participant} fue cancelada. Elija otra clínica u otra hora${facts.by}`,
        ),
      ],
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
      const { isArrival } = facts
      const title = isArrival ? `La llegada de ${participant} está prevista` : `${participant} ya tiene cita`
      const wording = booked(facts, isArrival ? `Llegada prevista de ${participant}` : `Cita de ${participant}`, title)
      const lines = [...wording.lines, `${participant} recibirá un mensaje con el lugar, la hora y un pase.`]
      return { ...wording, lines, short: `${title}. ${facts.appointment ?? facts.clinic}` }
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

const authorizationCopy: AuthorizationCopyTexts = {
  subject: (company) => `Su copia: lo que firmó para ${company}`,
  title: 'Su copia',
  hello: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
  opening: (company) => `Aquí tiene una copia de lo que leyó y firmó para ${company}. Guárdela, por favor.`,
  disclosure: 'Divulgación',
  authorization: 'Autorización',
  signed: (name, date) => `Firmado por ${name} el ${date}.`,
  footer: 'Este es un mensaje automático. No tiene enlace.',
}

const replies: ReplyTexts = {
  keywords: { stop: ['ALTO', 'BAJA', 'PARAR', 'CANCELAR'], start: ['ALTA'], help: ['AYUDA'] },
  stopped: (sender, ask) =>
    `Ya no recibirá mensajes de ${sender}. Su cita, si la tiene, sigue en pie. ${ask} Responda ALTA para volver a recibirlos.`,
  started: (sender) => `Volverá a recibir mensajes de ${sender}. Responda ALTO para no recibir más.`,
  help: (sender, ask) => `${sender}. ${ask} Responda ALTO para no recibir más.`,
  unread: (sender, ask) => `${sender}: nadie lee los mensajes a este número. ${ask} Responda ALTO para no recibir más.`,
  via: (company, tenant) => `${company} con ${tenant}`,
  questions: (contact) => withPeriod(`¿Preguntas? ${contact}`),
  ask: (company) => withPeriod(`Pregunte a ${company}`),
}

export const es: LanguageFile = {
  name: 'Español',
  formats,
  pages: { participant: forParticipant, requester: forRequester },
  agreements,
  notifications,
  authorizationCopy,
  replies,
}
