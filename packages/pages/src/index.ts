export { bookingPage } from './booking-page.ts'
export { cancelPage } from './cancel-page.ts'
export { calendarFile, calendarFileName, calendarMethod, type CalendarEntry } from './calendar.ts'
export { changePage } from './change-page.ts'
export { directionsUrl } from './clinic.ts'
export { clinicsPage } from './clinics-page.ts'
export { authorizationPage, disclosurePage } from './background-page.ts'
export { checkPage } from './check-page.ts'
export { declinePage } from './decline-page.ts'
export { detailsPage } from './details-page.ts'
export { donePage } from './done-page.ts'
export { escapeHtml, html, trusted, type Html, type Part } from './html.ts'
export { FONT } from './font.ts'
export { formatLongDate, formatLongMoment, formatMoment, formatShortDay } from './formats.ts'
export { identityPage } from './identity-page.ts'
export { PAGE_STYLES, pageUrl } from './layout.ts'
export { formatPhone, markNames, properName, sentenceWith } from './names.ts'
export { MAILBOX_STYLES, mailboxPage, type MailboxMail, type MailView } from './mailbox-page.ts'
export { noticePage } from './notice-page.ts'
export { withOperatorBanner } from './operator-banner.ts'
export { passPage } from './pass-page.ts'
export { requestsPage } from './requests-page.ts'
export { walletTexts } from './wallet-texts.ts'
export { withPeriod } from './with-period.ts'
export { accentStyle, adjustAccent } from './style/accent.ts'
export { DARK, LIGHT } from './style/tokens.ts'
export { helpPage } from './help-page.ts'
export { builtInAgreements, negotiateLanguage } from './texts.ts'
export { timePage } from './time-page.ts'
export { FILTERS } from './clinic-views.ts'
export type {
  BookedView,
  ChangeView,
  ClinicCard,
  ClinicFilters,
  ClinicsView,
  HelpView,
  TimeView,
} from './clinic-views.ts'
export { SHOW_SCRIPT } from './show-script.ts'
export { ENGLISH, findLanguage, languageCodes, languageFile, LANGUAGES } from './languages/index.ts'
export type { KeywordAction } from './languages/en/replies.ts'
export type {
  Button,
  NotificationFacts,
  NotificationTexts,
  RowLabels,
  Wording,
} from './languages/notification-texts.ts'
export { BOOKING, DETAILS } from './text-keys.ts'
export type {
  AuthorizationView,
  CheckRows,
  CheckView,
  DeclineView,
  DetailsView,
  DisclosureView,
  DoneView,
} from './views-details.ts'
export type {
  BookingField,
  Brand,
  CollectorView,
  ClinicView,
  Contact,
  Detail,
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
  Values,
  WeekHours,
} from './views.ts'
