import { authorizationPage, disclosurePage } from '../src/background-page.ts'
import { bookingPage } from '../src/booking-page.ts'
import { cancelPage } from '../src/cancel-page.ts'
import { changePage } from '../src/change-page.ts'
import { checkPage } from '../src/check-page.ts'
import { clinicsPage } from '../src/clinics-page.ts'
import { declinePage } from '../src/decline-page.ts'
import { detailsPage } from '../src/details-page.ts'
import { donePage } from '../src/done-page.ts'
import { helpPage } from '../src/help-page.ts'
import { identityPage } from '../src/identity-page.ts'
import { LANGUAGES, languageCodes } from '../src/languages/index.ts'
import { noticePage } from '../src/notice-page.ts'
import { passPage } from '../src/pass-page.ts'
import { requestsPage } from '../src/requests-page.ts'
import { timePage } from '../src/time-page.ts'
import type { AgreementByLanguage, DetailsView } from '../src/views-details.ts'
import type { Frame, Language, LifeView, Notice, PassView, RequestView } from '../src/views.ts'
import { clinicCard, clinicsView, DETAILS_PAGE, ORDER, service, timeView } from './given.ts'

export const detailsView = (members: Partial<DetailsView> = {}): DetailsView => ({
  ...ORDER,
  ...DETAILS_PAGE,
  values: {},
  errors: [],
  ...members,
})

export const passView = (members: Partial<PassView> = {}): PassView => ({
  ...ORDER,
  clinic: clinicCard(),
  appointmentAt: null,
  isOpen: true,
  choosesClinic: true,
  isCancellable: true,
  isArrival: false,
  isClinicOff: false,
  ...members,
})

const agreement = (kind: string, text: string) =>
  Object.fromEntries(
    languageCodes().map((language) => [language, { kind, text, hash: 'hash', isSample: true, language }]),
  ) as AgreementByLanguage
const ROWS = (text: string) => ({
  birthDate: '1990-04-17',
  identifier: { type: text, issuer: text, masked: text },
  email: text,
  phone: { number: text },
  address: [text],
})

const HERE = { east: 0, north: 0 }
const SLOT = { at: new Date(0), time: '10:30', part: 'morning', isFull: false } as const
const ARRIVAL = { part: 'morning', from: new Date(0), until: new Date(1), arriveBy: new Date(1) } as const
const DAY = {
  date: '1970-01-01',
  isToday: true,
  hours: [['08:00', '17:00']],
  from: new Date(0),
  until: new Date(1),
  isFull: false,
} as const

/** Every page, with a text where texts can be. */
export const everyPage = (language: Language, text: string): string[] => {
  const at: Frame = {
    language,
    isChosen: true,
    path: `/o/${encodeURIComponent(text)}`,
    posted: { line1: text },
    asked: { place: text },
  }
  const contacts = [{ name: text, phone: text, email: text }]
  const brand = {
    tenant: text,
    company: text,
    logo: text,
    accent: '#33479B',
    privacyUrl: text,
    answerTime: text,
    contacts,
  }
  const services = [service(text, { names: { es: text }, type: text }), service(text)]
  const people = { company: text, name: text, firstName: text, code: 'K7M4-2QXD' }
  const hostile = { ...ORDER, reader: 'requester' as const, brand, ...people, services, expiresAt: new Date(0) }
  const hours = [[['08:00', '17:00']]] as const
  const place = clinicCard({ id: text, name: text, address: [text], phone: text, at: HERE, hours, isBookable: false })
  const late = { ...place, open: { state: 'tooLate', at: new Date(0) } as const }
  const named = [{ name: text, lines: [[HERE, { east: 5, north: 4 }]] }]
  const land = { states: [], counties: [], abroad: [], lakes: named, highways: named }
  const map = { reach: { east: 6, north: 5 }, ...land, towns: [{ name: text, ...HERE }] }
  const values = Object.fromEntries(
    ['line1', 'email', 'place', 'date', 'clinic', 'country'].map((name) => [name, text]),
  )
  const regions = { regions: [[text, text]], issuers: [[text, text]] } satisfies Partial<DetailsView>
  const found = { name: text, others: [text] }
  const booked = {
    clinicId: 'other',
    clinic: text,
    appointmentAt: new Date(0),
    zone: 'America/Chicago',
    isArrival: false,
  }
  const form = { order: hostile, booked, isChange: true, hasDraft: true, values, errors: [] }
  const days = { days: [DAY], week: 1, hasEarlier: true, hasLater: true, tooLate: '1970-01-02' }
  const times = { ...form, clinic: place, days, day: DAY.date, slots: [SLOT], arrivals: [ARRIVAL] }
  const contact = { name: text, phone: text, email: text }
  const life: LifeView = {
    stage: 'partly',
    bookedAt: new Date(0),
    checkedInAt: new Date(0),
    collectedAt: new Date(0),
    completeAt: new Date(0),
    hasSample: true,
    goesToLaboratory: true,
    isReviewed: true,
    stages: ['toDo', 'collected'],
    reviewer: contact,
    representative: contact,
  }
  const requested: RequestView = {
    ...people,
    clinic: text,
    appointmentAt: new Date(0),
    isArrival: true,
    expiresAt: new Date(0),
    timezone: 'America/Chicago',
  }
  return [
    ...(['you', 'contact', 'address'] as const).map((step) =>
      detailsPage(
        at,
        detailsView({
          ...hostile,
          ...regions,
          step,
          back: text,
          values,
          errors: [{ field: 'line1', fault: 'missing' }],
        }),
      ),
    ),
    detailsPage(at, detailsView({ ...hostile, ...regions, enteredIdentifier: text, regions: null, step: 'address' })),
    checkPage(at, {
      ...hostile,
      rows: ROWS(text),
      isFirst: false,
      back: text,
      agreement: agreement('consent', text),
      clinic: 'choose',
      isBackground: true,
      der: { name: text, phone: text },
      declinedAt: new Date(0),
      errors: [],
    }),
    disclosurePage(at, { order: hostile, text: agreement('disclosure', text) }),
    authorizationPage(at, {
      order: hostile,
      text: agreement('authorization', text),
      date: '2026-11-16',
      email: text,
      declinedAt: null,
      values: { signature: text },
      errors: [{ field: 'signature', fault: 'missing' }],
    }),
    declinePage(at, { order: hostile, what: 'consent', declinedAt: null }),
    declinePage(at, { order: hostile, what: 'authorization', declinedAt: new Date(0) }),
    clinicsPage(at, clinicsView({ ...form, found, clinics: [place, late], map })),
    clinicsPage(at, clinicsView({ ...form, booked: null, found, nearest: [place], hasAskedForHelp: true })),
    ...(['slots', 'arrival', 'anyTime', 'none'] as const).map((choice) =>
      timePage(at, timeView({ ...times, choice, taken: { at: SLOT.at, closest: SLOT } })),
    ),
    changePage(at, { ...form, next: booked, fields: { place: text }, back: { place: text } }),
    ...[null, new Date(0)].map((sentAt) =>
      helpPage(at, { order: hostile, sentAt, email: text, phone: text, canEdit: true, place: text }),
    ),
    passPage(at, passView({ ...hostile, clinic: place })),
    passPage(at, passView({ ...hostile, clinic: place, isClinicOff: true, choosesClinic: false, sentTo: text })),
    ...(['partly', 'checkedIn', 'collected', 'complete'] as const).map((stage) =>
      passPage(at, passView({ ...hostile, clinic: place, life: { ...life, stage } })),
    ),
    ...(['birthDate', 'lastName'] as const).map((asks) =>
      identityPage(at, {
        brand,
        firstName: text,
        asks,
        fault: 'incomplete',
        lockedUntil: null,
        timezone: 'UTC',
        step: text,
      }),
    ),
    identityPage(at, {
      brand,
      firstName: text,
      asks: 'birthDate',
      fault: null,
      lockedUntil: new Date(0),
      timezone: 'UTC',
      step: text,
    }),
    requestsPage(at, { brand, orders: [requested, { ...requested, clinic: null }], count: 3 }),
    donePage(at, { order: hostile, provider: text, authorizedAt: new Date(0), isRunning: true }),
    bookingPage(at, passView({ ...hostile, clinic: place })),
    cancelPage(at, passView({ ...hostile, clinic: place })),
    ...Object.keys(LANGUAGES.en.pages.participant.notices).flatMap((notice) => [
      noticePage(at, { notice: notice as Notice }),
      noticePage(at, { notice: notice as Notice, reader: 'requester', about: hostile }),
      noticePage(at, { notice: notice as Notice, about: { ...hostile, endedAt: new Date(0) } }),
    ]),
  ]
}
