import { capitalize, formatDateTime } from './formats.ts'
import { html, type Html } from './html.ts'
import { banner, pageUrl } from './layout.ts'
import { textsIn } from './texts.ts'
import type { Frame, Language, PassView } from './views.ts'

/** The appointment, or the deadline for walking in, in one line. */
export function formatWhen({ appointmentAt, expiresAt, clinic }: PassView, language: Language): string {
  const texts = textsIn(language)
  const timezone = clinic?.timezone ?? null
  if (appointmentAt) return capitalize(formatDateTime(appointmentAt, language, timezone))
  return expiresAt ? texts.anyTimeBy(formatDateTime(expiresAt, language, timezone)) : texts.anyTime
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
  const text = clinicOffText(view, frame.language)
  if (text === null) return null
  const change = html`<br /><a href="${pageUrl(frame, { step: 'change' })}">${textsIn(frame.language).change}</a>`
  return banner('warn', html`<strong>${text}</strong>${view.choosesClinic ? change : ''}`)
}
