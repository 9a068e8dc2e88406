import { clinicHours, directionsLink } from './clinic.ts'
import { carriedFields } from './clinics-page.ts'
import { errorParagraph, errorSummary, input, isWrong, titleWith, type FieldSource } from './fields.ts'
import { formatMoment, zoneName } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon, type Icon } from './icons.ts'
import { backLink, banner, hidden, page, pageUrl, progress } from './layout.ts'
import { properName } from './names.ts'
import { textsIn } from './texts.ts'
import type { Frame, TimeView } from './views.ts'

/** The third step: walk in, or make an appointment. */
export function timePage(frame: Frame, view: TimeView): string {
  const { language } = frame
  const { clinic, order } = view
  const texts = textsIn(language, order.reader)
  const source: FieldSource = { language, reader: order.reader, values: view.values, errors: view.errors }
  const body = html`<div class="two">
    <div class="top">
      ${view.isChange ? '' : progress('time', order, language)} ${errorSummary(source)}
      ${backLink(backAddress(frame, view), texts.back)}
      <h1>${texts.whenTitle}</h1>
      ${order.reader === 'requester' ? html`<p class="lead">${texts.forPerson(order.name)}</p>` : ''}
      ${deadline(frame, view)}
    </div>
    <div class="side">${clinicCard(frame, view)}</div>
    <div class="rest">
      <form class="fill" method="post" action="${pageUrl(frame)}" novalidate>
        <input type="hidden" name="step" value="book" />
        ${hidden({ ...carriedFields(view), place: view.values.place, clinic: clinic.id })}
        ${clinic.timezone === null ? walkInOnly(source) : choice(source, view, clinic.timezone)}
        <button>${view.isChange ? texts.rebook : texts.book}</button>
      </form>
    </div>
  </div>`
  const { brand, code } = order
  const title = titleWith(source, texts.steps.time)
  return page(frame, { title, body, sheets: ['forms'], brand, code })
}

function deadline({ language }: Frame, { order, clinic }: TimeView): Html | null {
  const texts = textsIn(language, order.reader)
  if (!order.expiresAt) return null
  const when = formatMoment(order.expiresAt, language, clinic.timezone ?? order.timezone)
  if (order.reader === 'requester') return html`<p class="lead">${texts.comeBy(when)}</p>`
  return html`<p class="lead">${texts.goBy} <b>${when}</b>.</p>`
}

function clinicCard(frame: Frame, view: TimeView): Html {
  const { language } = frame
  const { clinic } = view
  const texts = textsIn(language)
  return html`<section class="card clinic">
    <div class="where">
      ${icon('pin')}
      <div>
        <h2>${properName(clinic.name, language)}</h2>
        ${clinic.address.length > 0 ? html`<address class="hint">${clinic.address.join(', ')}</address>` : ''}
        <p class="row2">
          ${view.choosesClinic ? html`<a class="go" href="${backAddress(frame, view)}">${texts.changeClinic}</a>` : ''}
          ${directionsLink(clinic, language)}
        </p>
        ${clinicHours(clinic, language)}
      </div>
    </div>
  </section>`
}

const walkInOnly = (source: FieldSource): Html =>
  html`${errorParagraph(source, 'way')}
    <div id="way" tabindex="-1">${banner('info', textsIn(source.language, source.reader).walkInOnly)}</div>
    <input type="hidden" name="way" value="walkIn" />`

function choice(source: FieldSource, { from, until }: TimeView, timezone: string): Html {
  const texts = textsIn(source.language, source.reader)
  const way = ({
    value,
    label,
    hint,
    id,
    symbol,
  }: Record<'value' | 'label' | 'hint' | 'id', string> & { symbol: Icon }) =>
    html`<div class="check">
      <input id="${id}" name="way" type="radio" value="${value}" ${source.values.way === value ? html` checked` : ''} />
      <label for="${id}">${label}<span>${hint}</span></label>
      ${icon(symbol)}
    </div>`
  const walkIn = { value: 'walkIn', label: texts.walkIn, hint: texts.walkInHint, id: 'way', symbol: 'walk' } as const
  const { appointment: label, appointmentHint: hint } = texts
  const appointment = { value: 'appointment', label, hint, id: 'way-appointment', symbol: 'calendar' } as const
  return html`<fieldset ${isWrong(source, 'way') ? html`class="wrong" aria-describedby="way-error"` : ''}>
    <legend class="hide">${texts.labels.way}</legend>
    ${errorParagraph(source, 'way')}
    <div class="choice">${way(walkIn)}</div>
    <div class="choice">
      ${way(appointment)}
      <div class="set">
        <p class="hint">${texts.timesAre(zoneName(timezone, source.language))}</p>
        <div class="pair even">
          ${input(source, 'date', { type: 'date', min: from, max: until })} ${input(source, 'time', { type: 'time' })}
        </div>
      </div>
    </div>
  </fieldset>`
}

/** Back to the list of clinics with what was entered, or to the pass if there is no list. */
function backAddress(frame: Frame, view: TimeView): string {
  const list = { step: 'clinics', ...carriedFields(view), place: view.values.place }
  return pageUrl(frame, view.choosesClinic ? list : {})
}
