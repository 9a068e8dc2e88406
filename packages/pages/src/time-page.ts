import { bookedCard } from './booking-words.ts'
import { clinicHours, directionsLink } from './clinic.ts'
import { carriedFields } from './clinics-page.ts'
import type { TimeView } from './clinic-views.ts'
import { errorParagraph, errorSummary, input, isWrong, titleWith, type FieldSource } from './fields.ts'
import { formatMoment, formatUnzoned, localDate, zoneName } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon, type Icon } from './icons.ts'
import { backLink, banner, hidden, page, pageUrl, progress } from './layout.ts'
import { inEnglish, properName } from './names.ts'
import { bookingTexts, textsIn } from './texts.ts'
import { arrivalChoice, slotChoice, slotId, slotName } from './time-choices.ts'
import type { Frame } from './views.ts'

/** The third step: walk in, or make an appointment. */
export function timePage(frame: Frame, view: TimeView): string {
  const { language } = frame
  const { order, booked } = view
  const texts = textsIn(language, order.reader)
  const source: FieldSource = { language, reader: order.reader, values: view.values, errors: view.errors }
  const { backToPass } = booked ? bookingTexts(booked, language, order.reader) : texts
  const heading = booked ? texts.clinics.changeTitle : texts.whenTitle
  const body = html`<div class="two">
    <div class="top">
      ${booked ? '' : progress('time', order, language)} ${view.taken ? lostRace(frame, view) : errorSummary(source)}
      ${backLink(backAddress(frame, view), view.choosesClinic && !isHere(view) ? texts.back : backToPass)}
      <h1>${heading}</h1>
      ${order.reader === 'requester' ? html`<p class="lead">${texts.forPerson(order.name)}</p>` : ''}
      ${deadline(frame, view)}
    </div>
    <div class="side stack">${bookedCard(booked, frame, order.reader)} ${clinicCard(frame, view)}</div>
    <div class="rest">
      <form class="fill" method="post" action="${pageUrl(frame)}" novalidate>
        <input type="hidden" name="step" value="book" />
        ${hidden({ ...carriedFields(view), place: view.values.place, clinic: view.clinic.id, ...dayField(view) })}
        ${choice(frame, view, source)} ${button(frame, view)}
      </form>
    </div>
  </div>`
  const { brand, code } = order
  const title = titleWith(source, booked ? heading : texts.steps.time)
  return page(frame, { title, body, sheets: ['forms', 'times'], brand, code })
}

/** Whether the clinic is the booked one. */
const isHere = ({ booked, clinic }: TimeView) => booked?.clinicId === clinic.id

const dayField = ({ day }: TimeView) => (day === null ? {} : { day })

function choice(frame: Frame, view: TimeView, source: FieldSource): Html {
  if (view.choice === 'slots') return slotChoice(frame, view, source)
  if (view.choice === 'arrival') return arrivalChoice(frame, view, source)
  return view.choice === 'anyTime' ? anyTime(source, view) : walkInOnly(source)
}

/** Nothing can be booked where there are no times. */
function button({ language }: Frame, view: TimeView): Html | null {
  const { booked, slots, arrivals, order } = view
  const texts = textsIn(language, order.reader)
  const isEmpty =
    view.choice === 'slots'
      ? slots.length === 0 && !view.clinic.walkIns
      : view.choice === 'arrival' && arrivals.length === 0
  if (isEmpty) return null
  if (booked)
    return html`<button>${texts.clinics.review}</button>
      <p class="hint stays">${bookingTexts(booked, language, order.reader).clinics.staysBooked}</p>`
  const text = view.choice === 'slots' && order.reader === 'participant' ? texts.clinics.bookThis : texts.book
  return html`<button>${text}</button>`
}

/** Somebody else was faster. */
function lostRace({ language }: Frame, view: TimeView): Html {
  const { taken, zone, booked, day } = view
  const texts = textsIn(language, view.order.reader).clinics
  const { at, closest } = taken!
  const isSameDay = closest && localDate(closest.at, zone) === localDate(at, zone) && day === localDate(at, zone)
  const name = closest && (isSameDay ? slotName(closest, view, language) : formatUnzoned(closest.at, language, zone))
  return html`<div class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="summary-title">
    <h2 id="summary-title">${icon('error')} ${texts.takenTitle}</h2>
    <p>
      ${texts.taken(formatUnzoned(at, language, zone))}
      ${booked ? bookingTexts(booked, language, view.order.reader).clinics.stillBooked : texts.nothingBooked}
    </p>
    ${closest ? html`<a href="#${slotId(closest.at)}">${texts.pickClosest(name!)}</a>` : html`<p>${texts.noneFree}</p>`}
  </div>`
}

function deadline({ language }: Frame, { order, zone }: TimeView): Html | null {
  const texts = textsIn(language, order.reader)
  if (!order.expiresAt) return null
  const when = formatMoment(order.expiresAt, language, zone)
  if (order.reader === 'requester') return html`<p class="lead">${texts.comeBy(when)}</p>`
  return html`<p class="lead">${texts.goBy} <b>${when}</b>.</p>`
}

/** A booking at this clinic is shown already, so only the way to another is left. */
function clinicCard(frame: Frame, view: TimeView): Html | null {
  const { language } = frame
  const { clinic } = view
  const texts = textsIn(language)
  const another = view.choosesClinic
    ? html`<a class="go" href="${clinicsAddress(frame, view)}">${texts.changeClinic}</a>`
    : ''
  if (isHere(view)) return another === '' ? null : html`<p class="another">${another}</p>`
  return html`<section class="card clinic">
    <div class="where">
      ${icon('pin')}
      <div>
        <h2>${properName(clinic.name, language)}</h2>
        ${clinic.address.length > 0 ? html`<address class="hint" ${inEnglish(language)}>${clinic.address.join(', ')}</address>` : ''}
        <p class="row2">${another} ${directionsLink(clinic, language)}</p>
        ${view.days ? '' : clinicHours(clinic, language)}
      </div>
    </div>
  </section>`
}

/** Without a time zone, no time can be agreed. */
const walkInOnly = (source: FieldSource): Html =>
  html`${errorParagraph(source, 'way')}
    <div id="way" tabindex="-1">${banner('info', textsIn(source.language, source.reader).walkInOnly)}</div>
    <input type="hidden" name="way" value="walkIn" />`

interface Way {
  value: string
  label: string
  hint: string
  id: string
  symbol: Icon
}

/** Five minutes. */
const STEP_SECONDS = 300

/** A clinic without slots: walk in, or any time on five minutes within its hours. */
function anyTime(source: FieldSource, { from, until, zone, clinic }: TimeView): Html {
  const texts = textsIn(source.language, source.reader)
  const way = ({ value, label, hint, id, symbol }: Way) =>
    html`<div class="check">
      <input id="${id}" name="way" type="radio" value="${value}" ${source.values.way === value ? html` checked` : ''} />
      <label for="${id}">${label}<span>${hint}</span></label>
      ${icon(symbol)}
    </div>`
  const walkIn: Way = { value: 'walkIn', label: texts.walkIn, hint: texts.walkInHint, id: 'way', symbol: 'walk' }
  const { appointment: label, appointmentHint: hint } = texts
  const id = clinic.walkIns ? 'way-appointment' : 'way'
  const appointment: Way = { value: 'appointment', label, hint, id, symbol: 'calendar' }
  return html`<fieldset ${isWrong(source, 'way') ? html`class="wrong" aria-describedby="way-error"` : ''}>
    <legend class="hide">${texts.labels.way}</legend>
    ${errorParagraph(source, 'way')} ${clinic.walkIns ? html`<div class="choice">${way(walkIn)}</div>` : ''}
    <div class="choice">
      ${way(appointment)}
      <div class="set">
        <p class="hint">${texts.timesAre(zoneName(zone, source.language))}</p>
        <div class="pair even">
          ${input(source, 'date', { type: 'date', min: from, max: until })}
          ${input(source, 'time', { type: 'time', step: STEP_SECONDS })}
        </div>
      </div>
    </div>
  </fieldset>`
}

const clinicsAddress = (frame: Frame, view: TimeView) =>
  pageUrl(frame, { step: 'clinics', place: view.values.place, ...carriedFields(view) })

/** Back to the list of clinics with what was entered; to the pass if the change began here, or there is no list. */
const backAddress = (frame: Frame, view: TimeView) =>
  view.choosesClinic && !isHere(view) ? clinicsAddress(frame, view) : pageUrl(frame)
