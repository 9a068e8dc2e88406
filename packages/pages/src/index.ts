export { bookingPage } from './booking-page.ts'
export { calendarOf, type CalendarEntry } from './calendar.ts'
export { spokenPhone } from './clinic.ts'
export { clinicsPage } from './clinics-page.ts'
export { detailsPage } from './details-page.ts'
export { escaped, html, trusted, type Html } from './html.ts'
export { addressOf } from './layout.ts'
export { noticePage } from './notice-page.ts'
export { cancelPage, passPage } from './pass-page.ts'
export { sentence } from './sentence.ts'
export { STYLE } from './style.ts'
export { languageOf, spoken, spokenBriefly } from './texts.ts'
export { timePage } from './time-page.ts'
export { BOOKING, DETAILS } from './views.ts'
export type {
  BookingField,
  ClinicsView,
  ClinicView,
  Detail,
  DetailsView,
  Fault,
  FieldError,
  Fields,
  Frame,
  Language,
  MapView,
  Note,
  Notice,
  OrderView,
  PassView,
  Reader,
  TimeView,
  Values,
  WeekHours,
} from './views.ts'
