import type { ClinicCard } from './clinic-views.ts'
import { capitalize, formatNumber, formatTime, weekdays } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { formatPhone, inEnglish } from './names.ts'
import { textsIn } from './texts.ts'
import type { ClinicView, Language, WeekHours } from './views.ts'

/** A clinic's address in two lines and its phone, as far as known. */
export function clinicAddress({ address, phone }: ClinicView, language: Language): Html {
  const call = phone === null ? '' : html`<a class="call" href="tel:${phone}">${formatPhone(phone)}</a>`
  if (address.length === 0) return html`${call}`
  const street = address.slice(0, -1).join(', ')
  return html`<address${inEnglish(language)}>
    ${street === '' ? '' : html`${street}<br />`}${address.at(-1)}${call ? html`<br />${call}` : ''}
  </address>`
}

/** Opening hours to unfold, with the phone. */
export function clinicHours({ hours, phone }: ClinicView, language: Language): Html | null {
  const texts = textsIn(language)
  const call =
    phone === null ? '' : html`<p>${texts.telephone}: <a class="call" href="tel:${phone}">${formatPhone(phone)}</a></p>`
  if (!hours) return phone === null ? null : html`<div class="hint">${call}</div>`
  return html`<details class="hours">
    <summary>${texts.hoursShort}</summary>
    <div class="unfolded">${call}${week(hours, language)}</div>
  </details>`
}

/** A link to a map service, with the clinic as the destination. */
export function directionsLink(clinic: Destination, language: Language, style = 'go'): Html | null {
  if (clinic.address.length === 0 && !clinic.point) return null
  return html`<a class="${style}" href="${directionsUrl(clinic)}" rel="noreferrer"
    >${icon('directions')} ${textsIn(language).directions}</a
  >`
}

type Destination = Pick<ClinicView, 'name' | 'address'> & Partial<Pick<ClinicCard, 'point'>>

/** The position is exact where an address may be ambiguous. */
export function directionsUrl({ name, address, point }: Destination): string {
  const destination = point ? `${toDegrees(point.lat)},${toDegrees(point.long)}` : [name, ...address].join(', ')
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ destination, api: '1' }).toString()}`
}

/** About a yard, without the noise of calculated coordinates. */
const toDegrees = (value: number) => Number(value.toFixed(5))

/** Below ten miles, to a tenth of a mile. */
export function formatDistance(miles: number, language: Language): string {
  const texts = textsIn(language)
  if (miles < 1) return texts.nearby
  return texts.milesAway(formatNumber(miles, language, miles < 10 ? 1 : 0))
}

/** The same in a few characters. Postal codes are no more precise than a mile. */
export function formatMiles(miles: number, language: Language): string {
  const texts = textsIn(language)
  return miles < 1 ? texts.underAMile : texts.clinics.miles(formatNumber(miles, language, miles < 10 ? 1 : 0))
}

function week(hours: WeekHours, language: Language): Html {
  const rows = weekRows(hours, language).map(
    ([day, spans]) =>
      html`<tr>
        <th scope="row">${day}</th>
        <td>${spans}</td>
      </tr>`,
  )
  return html`<table class="week">
    ${rows}
  </table>`
}

/** Opening hours by day, Monday first. */
export function weekRows(hours: WeekHours, language: Language): [day: string, spans: string][] {
  const texts = textsIn(language)
  const names = weekdays(language)
  return [1, 2, 3, 4, 5, 6, 0].map((day) => {
    const spans = (hours[day] ?? []).map(([from, to]) =>
      from === '00:00' && to === '24:00' ? texts.allDay : `${formatTime(from, language)} – ${formatTime(to, language)}`,
    )
    return [capitalize(names[day]!), spans.length > 0 ? spans.join(', ') : texts.closed]
  })
}
