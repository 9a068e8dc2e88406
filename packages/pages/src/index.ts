export { bookingPage } from './booking-page.ts'
export { calendarFile, type CalendarEntry } from './calendar.ts'
export { formatPhone } from './clinic.ts'
export { clinicsPage } from './clinics-page.ts'
export { detailsPage } from './details-page.ts'
export { escapeHtml, html, trusted, type Html } from './html.ts'
export { pageUrl } from './layout.ts'
export { noticePage } from './notice-page.ts'
export { cancelPage, passPage } from './pass-page.ts'
export { withPeriod } from './with-period.ts'
export { STYLE } from './style.ts'
export { negotiateLanguage, formatDateTime, formatShortDateTime } from './texts.ts'
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
