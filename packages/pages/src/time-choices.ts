import { dayChips } from './day-chips.ts'
import type { ArrivalView, SlotView, TimeView } from './clinic-views.ts'
import { errorParagraph, isWrong, type FieldSource } from './fields.ts'
import { formatTime, localDate, timeOfDay, zoneAbbreviation } from './formats.ts'
import { html, type Html, type Part } from './html.ts'
import { icon, type Icon } from './icons.ts'
import { banner } from './layout.ts'
import { textsIn } from './texts.ts'
import type { Frame, Language } from './views.ts'

/** Appointments: walking in first if the clinic is open today, then the days and their slots. */
export function slotChoice(frame: Frame, view: TimeView, source: FieldSource): Html {
  const { language } = frame
  const { clinic, slots, order } = view
  const texts = textsIn(language, order.reader).clinics
  const walkIn = clinic.walkIns && clinic.isBookable ? walkInChoice(view, source) : null
  const or = (text: string) => html`<p class="or"><span>${text}</span></p>`
  const isFirst = walkIn !== null && clinic.walkInToday !== null
  return html`${view.booked ? html`<h2>${texts.pickNew}</h2>` : ''} ${isFirst ? html`${walkIn}${or(texts.orBook)}` : ''}
    ${dayChips(frame, view)}
    <div id="time" class="slots${isWrong(source, 'time') && !view.taken ? ' wrong' : ''}" tabindex="-1">
      ${view.taken ? '' : errorParagraph(source, 'time')} ${errorParagraph(source, 'date')}
      ${(['morning', 'afternoon', 'evening'] as const).map((part) =>
        half(
          texts.parts[part],
          slots.filter((slot) => slot.part === part),
          view,
          language,
        ),
      )}
      ${slots.length === 0 ? banner('warn', html`<b>${texts.noTimes}</b> ${texts.noTimesHint}`) : html`<p class="hint">${slots.some(({ isFull }) => isFull) ? texts.crossedOut : ''} ${texts.planFor}</p>`}
    </div>
    ${walkIn !== null && !isFirst ? html`${or(texts.orWalkIn)}${walkIn}` : ''}`
}

function half(title: string, slots: SlotView[], view: TimeView, language: Language): Html | null {
  if (slots.length === 0) return null
  return html`<fieldset>
    <legend>${title}</legend>
    <div class="times">${slots.map((slot) => slotButton(slot, view, language))}</div>
  </fieldset>`
}

/** The id of a slot's radio button. */
export const slotId = (at: Date) => `slot-${at.getTime()}`

function slotButton(slot: SlotView, view: TimeView, language: Language): Html {
  const texts = textsIn(language, view.order.reader).clinics
  const { at, isFull } = slot
  const name = slotName(slot, view, language)
  if (isBookedNow(at, view)) return html`<p class="slot mine">${name}<small>${texts.yourTimeNow}</small></p>`
  const isSelected = view.selected?.getTime() === at.getTime()
  return html`<label class="slot"
    ><input
      id="${slotId(at)}"
      type="radio"
      name="slot"
      value="${at.toISOString()}"
      ${isFull ? html`disabled` : isSelected ? html`checked` : ''}
    /><span
      >${icon('check')} ${isFull ? html`<s>${name}</s><span class="hide">, ${texts.full}</span>` : name}</span
    ></label
  >`
}

const isBookedNow = (at: Date, { booked, clinic }: TimeView) =>
  booked?.clinicId === clinic.id && booked.appointmentAt?.getTime() === at.getTime()

/** The local time; in the hour that is repeated in autumn also which of the two it is. */
export function slotName(
  { at, time }: Pick<SlotView, 'at' | 'time'>,
  { slots, zone }: TimeView,
  language: Language,
): string {
  const isTwice = slots.filter((each) => each.time === time).length > 1
  const name = formatTime(time, language)
  return isTwice ? `${name} ${zoneAbbreviation(at, zone, language)}` : name
}

/** Walking in, as one of the choices. */
function walkInChoice({ clinic, zone, order, selected, values }: TimeView, source: FieldSource): Html {
  const { language } = source
  const texts = textsIn(language, order.reader).clinics
  const at = (moment: Date) => timeOfDay(moment, language, zone)
  const { walkInToday: today, open } = clinic
  const isCut = today !== null && order.expiresAt !== null && today.until >= order.expiresAt
  const isAllDay = open.state === 'open' && open.until === null && !isCut
  const [title, hint] = isAllDay
    ? [texts.walkInAllDay, texts.walkInAllDayHint]
    : today
      ? [
          today.from ? texts.walkInLater(at(today.from), at(today.until)) : texts.walkInToday(at(today.until)),
          texts.arriveInTime(at(today.arriveBy)),
        ]
      : [texts.walkInWhenOpen, texts.walkInWhenOpenHint]
  const isChosen = values.way === 'walkIn' && selected === null
  return html`${errorParagraph(source, 'way')}
  ${radio({ id: 'way', value: 'walkIn', title, hint, symbol: 'walk', isChosen })}`
}

/** When somebody plans to come to a clinic that takes walk-ins only. */
export function arrivalChoice(frame: Frame, view: TimeView, source: FieldSource): Html {
  const { language } = frame
  const { arrivals } = view
  const texts = textsIn(language, view.order.reader).clinics
  const isToday = view.days?.days.find(({ date }) => date === view.day)?.isToday === true
  return html`<div class="note info">
      ${icon('walk')}
      <div><b>${texts.walkInsOnlyTitle}</b> ${texts.walkInsOnlyText}</div>
    </div>
    <h2>${view.booked ? texts.pickNew : texts.plannedArrival}</h2>
    ${dayChips(frame, view)}
    <fieldset
      id="time"
      tabindex="-1"
      ${isWrong(source, 'time') ? html`class="wrong" aria-describedby="time-error"` : ''}
    >
      <legend class="hide">${texts.plannedArrival}</legend>
      ${errorParagraph(source, 'way')} ${errorParagraph(source, 'time')} ${errorParagraph(source, 'date')}
      ${arrivals.map((arrival) => arrivalButton(arrival, isToday, view, language))}
      ${arrivals.length === 0 ? banner('warn', html`<b>${texts.noTimes}</b> ${texts.noTimesHint}`) : ''}
    </fieldset>`
}

function arrivalButton(
  { part, from, until, arriveBy }: ArrivalView,
  isToday: boolean,
  view: TimeView,
  language: Language,
): Html {
  const texts = textsIn(language, view.order.reader).clinics
  const at = (moment: Date) => timeOfDay(moment, language, view.zone)
  const name = part === 'nextHour' ? texts.nextHour : (isToday ? texts.thisPart : texts.parts)[part]
  const end = localDate(until, view.zone) === localDate(from, view.zone) ? at(until) : formatTime('24:00', language)
  const title = part === 'nextHour' ? name : `${name}, ${rangeOf(at(from), end)}`
  // Before noon and in the afternoon there is time left anyway.
  const isLast = view.arrivals.at(-1)?.from.getTime() === from.getTime()
  return radio({
    id: slotId(from),
    value: from.toISOString(),
    title,
    hint: isLast && part !== 'nextHour' ? texts.arriveBy(at(arriveBy)) : null,
    isChosen: view.selected?.getTime() === from.getTime(),
  })
}

/** `3 – 5 PM`, and `11 AM – 1 PM`. */
function rangeOf(from: string, to: string): string {
  const period = /\s*[ap]\.?\s?m\.?$/i
  return period.exec(from)?.[0] === period.exec(to)?.[0] ? `${from.replace(period, '')} – ${to}` : `${from} – ${to}`
}

interface Radio {
  id: string
  value: string
  title: Part
  hint: string | null
  symbol?: Icon
  isChosen: boolean
}

const radio = ({ id, value, title, hint, symbol, isChosen }: Radio): Html =>
  html`<div class="choice">
    <div class="check">
      <input id="${id}" name="slot" type="radio" value="${value}" ${isChosen ? html`checked` : ''} />
      <label for="${id}">${title}${hint === null ? '' : html`<span>${hint}</span>`}</label>
      ${symbol ? icon(symbol) : ''}
    </div>
  </div>`
