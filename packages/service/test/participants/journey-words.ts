/** What a person reads and clicks on the way, as it is shown. */
export interface Words {
  language: 'en' | 'es'
  mailLink: string
  greeting: string
  month: string
  day: string
  year: string
  idType: string
  license: string
  idNumber: string
  idState: string
  goOn: string
  reach: string
  phone: string
  look: string
  street: string
  city: string
  state: string
  zip: string
  check: string
  consent: RegExp
  fix: RegExp
  agree: string
  clinics: string
  choose: string
  when: string
  dayList: string
  book: string
  booked: string
  orderCode: string
  calendar: string
  change: string
  changeTitle: string
  timeNow: string
  review: string
  confirm: string
  yes: string
  stays: string
  checkedIn: string
  stay: string
  done: string
  nothingElse: string
  lab: string
  complete: string
  notShown: string
  reported: string
}

const en: Words = {
  language: 'en',
  mailLink: 'Book my test',
  greeting: 'Hi Maria, let’s book your test',
  month: 'Month',
  day: 'Day',
  year: 'Year',
  idType: 'ID number to use',
  license: 'Driver’s license',
  idNumber: 'Number on that ID',
  idState: 'State that issued it',
  goOn: 'Continue',
  reach: 'How can we reach you?',
  phone: 'Mobile phone',
  look: 'Where should we look for a clinic?',
  street: 'Street address',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  check: 'Check your details',
  consent: /^I agree to take this test/,
  fix: /^Please fix/,
  agree: 'Agree and find a clinic',
  clinics: 'Choose a clinic',
  choose: 'Choose',
  when: 'When will you go?',
  dayList: 'Day',
  book: 'Book this time',
  booked: 'You’re booked, Maria',
  orderCode: 'Order code',
  calendar: 'Add to calendar',
  change: 'Change clinic or time',
  changeTitle: 'Change your time',
  timeNow: 'your time now',
  review: 'Review the change',
  confirm: 'Change your booking?',
  yes: 'Yes, change it',
  stays: 'Your pass and code stay the same.',
  checkedIn: 'You’re checked in',
  stay: 'Please stay at the clinic until you’re called.',
  done: 'That’s it, you’re done',
  nothingElse: 'There’s nothing else to book.',
  lab: 'At the lab',
  complete: 'Your test is complete',
  notShown: 'Results of this test aren’t shown here.',
  reported: 'Report sent',
}

const es: Words = {
  language: 'es',
  mailLink: 'También en español',
  greeting: 'Hola, Maria: haga la cita para su prueba',
  month: 'Mes',
  day: 'Día',
  year: 'Año',
  idType: 'Qué identificación usará',
  license: 'Licencia de conducir',
  idNumber: 'Número de esa identificación',
  idState: 'Estado que la emitió',
  goOn: 'Continuar',
  reach: '¿Cómo nos comunicamos con usted?',
  phone: 'Teléfono celular',
  look: '¿Dónde buscamos una clínica?',
  street: 'Calle y número',
  city: 'Ciudad',
  state: 'Estado',
  zip: 'Código postal',
  check: 'Revise sus datos',
  consent: /^Acepto/,
  fix: /^Corrija/,
  agree: 'Aceptar y buscar una clínica',
  clinics: 'Elija una clínica',
  choose: 'Elegir',
  when: '¿Cuándo irá?',
  dayList: 'Día',
  book: 'Reservar esta hora',
  booked: 'Su cita está confirmada',
  orderCode: 'Código de la orden',
  calendar: 'Agregar al calendario',
  change: 'Cambiar la clínica o la hora',
  changeTitle: 'Cambie la hora',
  timeNow: 'su hora actual',
  review: 'Revisar el cambio',
  confirm: '¿Cambiar su cita?',
  yes: 'Sí, cambiarla',
  stays: 'Su pase y su código siguen siendo los mismos.',
  checkedIn: 'Ya registró su llegada',
  stay: 'Quédese en la clínica hasta que le llamen.',
  done: 'Eso es todo, ya terminó',
  nothingElse: 'No tiene que hacer otra cita.',
  lab: 'En el laboratorio',
  complete: 'Su prueba está completa',
  notShown: 'Aquí no se muestran los resultados de esta prueba.',
  reported: 'Informe enviado',
}

export const WORDS = { en, es }
