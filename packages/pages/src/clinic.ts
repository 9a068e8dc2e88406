import { html, type Html } from './html.ts'
import { capitalize, formatNumber, formatTime, textsIn, weekdays } from './texts.ts'
import type { ClinicView, Language, WeekHours } from './views.ts'

/** A clinic's address, phone and hours, as far as known. */
export function clinicFacts({ address, phone, hours }: ClinicView, language: Language, isOpen = false): Html {
  const texts = textsIn(language)
  return html`${address.length > 0 ? html`<address>${address.map((line) => html`${line}<br />`)}</address>` : ''}
  ${phone === null ? '' : html`<p>${texts.telephone}: <a class="call" href="tel:${phone}">${formatPhone(phone)}</a></p>`}
  ${hours ? html`<details${isOpen ? html` open` : ''}><summary>${texts.hours}</summary>${week(hours, language)}</details>` : ''}`
}

/** Below ten miles, to a tenth of a mile. */
export function formatDistance(miles: number, language: Language): string {
  const texts = textsIn(language)
  if (miles < 1) return texts.nearby
  return texts.milesAway(formatNumber(miles, language, miles < 10 ? 1 : 0))
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

/** Formats North American numbers; others stay as they are. */
export function formatPhone(phone: string): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? []
  return line === undefined ? phone : `(${area}) ${exchange}-${line}`
}
