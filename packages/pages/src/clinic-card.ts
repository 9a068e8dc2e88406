import { clinicHours, directionsLink, formatMiles } from './clinic.ts'
import type { ClinicCard, ClinicsView } from './clinic-views.ts'
import { formatDay, formatMoment, localDate, timeOfDay, withZone, zoneOf } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { inEnglish, properName } from './names.ts'
import { bookingTexts, textsIn } from './texts.ts'
import type { Language } from './views.ts'

interface CardOptions {
  /** Its number in the list and on the map. */
  number: number
  isNearest: boolean
  /** Whether its button is the filled one. */
  isFirst: boolean
  view: ClinicsView
  language: Language
}

/** A clinic in the list. One that opens too late has no button and says why. */
export function clinicCard(clinic: ClinicCard, options: CardOptions): Html {
  const { number, isFirst, view, language } = options
  const texts = textsIn(language)
  const { address, isBookable } = clinic
  const style = `card clinic${isFirst ? ' first' : ''}${isBookable ? '' : ' off'}`
  const choose = html`<button${isFirst ? '' : html` class="plain"`} name="clinic" value="${clinic.id}" aria-label="${texts.chooseThis}: ${clinic.name}">${texts.chooseThis}</button>
    ${directionsLink(clinic, language)}`
  return html`<li class="${style}" id="clinic-${number}" tabindex="-1">
    <div class="head">
      <h2><span class="number">${number}</span> ${properName(clinic.name, language)}</h2>
      <div class="at">
        ${distance(clinic, language)}
        ${address.length > 0 ? html`<address${inEnglish(language)}>${address.join(', ')}</address>` : ''}
      </div>
    </div>
    ${chips(clinic, options)}
    ${isBookable ? html`<div class="row2">${choose} ${clinicHours(clinic, language)}</div>` : whyNot(clinic, view, language)}
  </li>`
}

function distance({ miles, driveMinutes }: ClinicCard, language: Language): Html | null {
  const texts = textsIn(language).clinics
  if (miles === null) return null
  const hours = Math.floor((driveMinutes ?? 0) / 60)
  const time = hours > 0 ? texts.hoursMinutes(hours, driveMinutes! % 60) : texts.minutes(driveMinutes ?? 0)
  return html`<p class="away">
    <b>${formatMiles(miles, language)}</b>
    ${driveMinutes === null ? '' : html`<span class="narrow">· ${texts.aboutDrive(time)}</span><span class="wide">${texts.drive(time)}</span>`}
  </p>`
}

function chips(clinic: ClinicCard, { isNearest, view, language }: CardOptions): Html | null {
  const texts = textsIn(language)
  const { clinics } = textsIn(language, view.order.reader)
  const { walkIns, appointments } = clinic
  const ways =
    walkIns && !appointments ? [texts.walkInsOnly] : [walkIns && clinics.walkIns, appointments && clinics.appointments]
  const items = [
    ...(view.booked?.clinicId === clinic.id
      ? [html`<li class="chip near">${bookingTexts(view.booked, language, view.order.reader).clinics.bookedHere}</li>`]
      : []),
    openChip(clinic, view, language),
    ...ways.map((way) => (way === false ? null : html`<li class="chip">${way}</li>`)),
    ...(isNearest ? [html`<li class="chip near">${texts.nearest}</li>`] : []),
  ].filter((item) => item !== null)
  return items.length === 0
    ? null
    : html`<ul class="chips">
        ${items}
      </ul>`
}

/** Whether it is open. */
function openChip({ open, zone }: ClinicCard, view: ClinicsView, language: Language): Html | null {
  const texts = textsIn(language).clinics
  const time = (at: Date) => timeThere(at, { zone, pageZone: view.zone }, language)
  if (open.state === 'unknown') return null
  if (open.state === 'open')
    return html`<li class="chip open">${open.until ? texts.openUntil(time(open.until)) : texts.openAllDay}</li>`
  if (open.state === 'tooLate')
    return html`<li class="chip">
      ${open.at ? texts.opensOn(dayOf(open.at, zone, language).date) : texts.closedForGood}
    </li>`
  const isToday = localDate(open.at, zone) === localDate(view.now, zone)
  const text = isToday
    ? texts.opensToday(time(open.at))
    : texts.opens(dayOf(open.at, zone, language).short, time(open.at))
  return html`<li class="chip opens">${icon('clock')} ${text}</li>`
}

const dayOf = (at: Date, zone: string, language: Language) => formatDay(localDate(at, zone), language)

/** A time at the clinic, with its zone if that is not the zone of the page. */
function timeThere(at: Date, { zone, pageZone }: { zone: string; pageZone: string }, language: Language): string {
  const name = zoneOf(at, language, zone)
  const time = timeOfDay(at, language, zone)
  if (name === zoneOf(at, language, pageZone)) return time
  return withZone(time, name, language)
}

function whyNot({ open, zone }: ClinicCard, { order }: ClinicsView, language: Language): Html | null {
  const { clinics } = textsIn(language, order.reader)
  if (!order.expiresAt || open.state !== 'tooLate') return null
  const deadline = formatMoment(order.expiresAt, language, zone)
  return html`<p class="reason">
    ${icon('alarm')} <span>${(open.at ? clinics.tooLate : clinics.noHours)(deadline)}</span>
  </p>`
}
