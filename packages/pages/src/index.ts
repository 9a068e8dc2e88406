export { bookingPage } from './booking-page.ts'
export { cancelPage } from './cancel-page.ts'
export { calendarFile, type CalendarEntry } from './calendar.ts'
export { clinicsPage } from './clinics-page.ts'
export { detailsPage } from './details-page.ts'
export { escapeHtml, html, trusted, type Html } from './html.ts'
export { FONT } from './font.ts'
export { formatDateTime, formatShortDateTime } from './formats.ts'
export { identityPage } from './identity-page.ts'
export { PAGE_STYLES, pageUrl } from './layout.ts'
export { formatPhone } from './names.ts'
export { noticePage } from './notice-page.ts'
export { passPage } from './pass-page.ts'
export { requestsPage } from './requests-page.ts'
export { walletTexts } from './wallet-texts.ts'
export { withPeriod } from './with-period.ts'
export { accentStyle } from './style/accent.ts'
export { negotiateLanguage } from './texts.ts'
export { timePage } from './time-page.ts'
export { BOOKING, DETAILS } from './views.ts'
export type {
  BookingField,
  Brand,
  CollectorView,
  ClinicsView,
  ClinicView,
  Detail,
  DetailsView,
  Fault,
  FieldError,
  Fields,
  Frame,
  IdentityView,
  Language,
  LifeView,
  MapView,
  Note,
  Notice,
  NoticeView,
  OrderView,
  PassView,
  Reader,
  RequestsView,
  RequestView,
  ServiceStage,
  ServiceView,
  TimeView,
  Values,
  WeekHours,
} from './views.ts'
