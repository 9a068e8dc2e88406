import type { BookedView } from './clinic-views.ts'
import { capitalize, formatDatedMoment, formatMoment } from './formats.ts'
import { html, type Html, type Part } from './html.ts'
import { banner, pageUrl } from './layout.ts'
import { properName, sentenceWith } from './names.ts'
import { bookingTexts, textsIn } from './texts.ts'
import type { Frame, Language, PassView, Reader } from './views.ts'

/** The appointment, or the deadline for walking in, in one line. */
export function formatWhen({ appointmentAt, expiresAt, clinic, timezone: home }: PassView, language: Language): string {
  const texts = textsIn(language)
  const timezone = clinic?.timezone ?? home
  if (appointmentAt) return formatDatedMoment(appointmentAt, language, timezone)
  return expiresAt ? texts.anyTimeBy(formatMoment(expiresAt, language, timezone)) : texts.anyTime
}

/** What to do about a clinic that is no longer active; null if the clinic is active. */
export function clinicOffText(view: PassView, language: Language): string | null {
  const { isClinicOff, choosesClinic, company, reader } = view
  if (!isClinicOff) return null
  const texts = textsIn(language, reader)
  return choosesClinic ? texts.clinicOff : texts.clinicOffFixed(company)
}

/** The same as a note at the top of a page, with a link for readers who can choose another clinic. */
export function clinicOffNote(frame: Frame, view: PassView): Html | null {
  const { isClinicOff, choosesClinic, company, reader } = view
  if (!isClinicOff) return null
  const texts = textsIn(frame.language, reader)
  const text = choosesClinic ? texts.clinicOff : sentenceWith([company], frame.language, texts.clinicOffFixed)
  const change = html`<br /><a href="${pageUrl(frame, { step: 'change' })}">${textsIn(frame.language).change}</a>`
  return banner('warn', html`<strong>${text}</strong>${choosesClinic ? change : ''}`)
}

/** The booking that stays until a change is confirmed. */
export function bookedCard(booked: BookedView | null, frame: Frame, reader: Reader): Html | null {
  if (!booked) return null
  const { language } = frame
  return html`<section class="card now column">
    <h2 class="hint">${bookingTexts(booked, language, reader).bookedNow}</h2>
    ${whenAndWhere({ ...booked, clinic: properName(booked.clinic, language) }, language)}
  </section>`
}

/** A time and a clinic on two lines. */
export function whenAndWhere(
  { appointmentAt, zone, clinic }: { appointmentAt: Date | null; zone: string; clinic: Part },
  language: Language,
): Html {
  const when = appointmentAt
    ? capitalize(formatMoment(appointmentAt, language, zone))
    : textsIn(language).clinics.anyTime
  return html`<p class="when">${when}</p>
    <p class="soft">${clinic}</p>`
}
