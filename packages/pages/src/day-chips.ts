import { carriedFields } from './clinics-page.ts'
import type { DayView, TimeView } from './clinic-views.ts'
import { capitalize, formatDay, formatTime, timeOfDay, zoneName } from './formats.ts'
import { html, type Html } from './html.ts'
import { pageUrl } from './layout.ts'
import { textsIn } from './texts.ts'
import type { Frame, Language } from './views.ts'

/** The days as links, the first day after the deadline, and the zone of all times. */
export function dayChips(frame: Frame, view: TimeView): Html | null {
  const { language } = frame
  const { days, clinic, zone } = view
  const texts = textsIn(language, view.order.reader).clinics
  if (!days || days.days.length === 0) return null
  const late = days.tooLate === null ? null : formatDay(days.tooLate, language)
  return html`<nav id="date" class="days" tabindex="-1" aria-label="${texts.dayTitle}">
    <ul>
      ${days.days.map((day) => html`<li>${chip(frame, view, day)}</li>`)}
      ${
        late
          ? html`<li>
              <span class="day over">
                <span class="hide">${capitalize(late.full)}, ${texts.afterDeadline}</span>
                <span aria-hidden="true"
                  >${capitalize(late.short)}<b>${late.day}</b>${spanOf(clinic.hours?.[weekdayOf(days.tooLate!)] ?? [], language)}</span
                >
              </span>
            </li>`
          : ''
      }
    </ul>
    <p class="hint">
      ${texts.zoneLine(capitalize(zoneName(zone, language)))} ${late ? texts.dayTooLate(late.weekday) : ''}
      ${pager(frame, view)}
    </p>
  </nav>`
}

function chip(frame: Frame, view: TimeView, day: DayView): Html {
  const { language } = frame
  const texts = textsIn(language).clinics
  const { short, day: number, full } = formatDay(day.date, language)
  const until = timeOfDay(day.until, language, view.zone)
  const { expiresAt } = view.order
  const isCut = expiresAt !== null && day.until >= expiresAt
  const opening =
    day.isToday || isCut
      ? texts.until(until)
      : day.hours.map(([from, to]) => `${formatTime(from, language)} – ${formatTime(to, language)}`).join(', ')
  const name = [day.isToday ? texts.today : null, full, day.isFull ? texts.dayFull : opening].filter(Boolean).join(', ')
  const below = day.isFull
    ? texts.fullDay
    : isCut || (day.isToday && !isAllDay(day.hours))
      ? texts.until(shortTime(until))
      : spanOf(day.hours, language)
  const isShown = day.date === view.day
  return html`<a
    class="day${day.isFull ? ' taken' : ''}"
    href="${timesUrl(frame, view, { day: day.date, week: weekField(view) })}"
    ${isShown ? html`aria-current="date"` : ''}
    ><span class="hide">${capitalize(name)}</span
    ><span aria-hidden="true">${day.isToday ? texts.today : capitalize(short)}<b>${number}</b>${below}</span></a
  >`
}

/** Links to earlier and later days, if the order has that much time. */
function pager(frame: Frame, view: TimeView): Html | null {
  const { days } = view
  const texts = textsIn(frame.language).clinics
  if (!days || (!days.hasEarlier && !days.hasLater)) return null
  const to = (week: number, text: string) =>
    html`<a class="go" href="${timesUrl(frame, view, { week: String(week) })}">${text}</a>`
  return html`<span class="pager">
    ${days.hasEarlier ? to(days.week - 1, texts.earlier) : ''} ${days.hasLater ? to(days.week + 1, texts.later) : ''}
  </span>`
}

const weekField = ({ days }: TimeView) => (days && days.week > 0 ? String(days.week) : undefined)

const timesUrl = (frame: Frame, view: TimeView, fields: { day?: string; week?: string | undefined }) =>
  pageUrl(frame, { step: 'time', ...carriedFields(view), place: view.values.place, clinic: view.clinic.id, ...fields })

const weekdayOf = (date: string) => new Date(`${date}T12:00Z`).getUTCDay()

/** Opening hours in a few characters, such as `8–5`. */
function spanOf(hours: DayView['hours'], language: Language): string {
  const [from, to] = [hours[0]?.[0], hours.at(-1)?.[1]]
  if (from === undefined || to === undefined) return ''
  if (isAllDay(hours)) return textsIn(language).clinics.allDayShort
  return `${shortTime(formatTime(from, language))}–${shortTime(formatTime(to, language))}`
}

const isAllDay = (hours: DayView['hours']) => hours[0]?.[0] === '00:00' && hours[0][1] === '24:00'

/** `8:00 AM` as `8`, and `8:30 AM` as `8:30`. */
const shortTime = (time: string) => time.replace(/:00(?=\D|$)/, '').replace(/\s*[ap]\.?\s?m\.?$/i, '')
