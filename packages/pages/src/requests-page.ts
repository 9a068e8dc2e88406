import { formatMoment } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { page, pageUrl } from './layout.ts'
import { properName } from './names.ts'
import { textsIn } from './texts.ts'
import type { Frame, Language, RequestsView, RequestView } from './views.ts'

/** All orders that a requester can still choose a clinic for or see the booking of. */
export function requestsPage(frame: Frame, { brand, orders, count }: RequestsView): string {
  const texts = textsIn(frame.language).pass.requests
  const lead = count > orders.length ? texts.firstOf(orders.length, count) : texts.count(count)
  const body = html`<div class="column stack">
    <div class="top">
      <h1>${texts.title}</h1>
      <p class="lead">${orders.length === 0 ? texts.none : lead}</p>
    </div>
    ${
      orders.length === 0
        ? ''
        : html`<ul class="requests">
            ${orders.map((order, i) => requestItem(frame, order, i === 0))}
          </ul>`
    }
  </div>`
  return page(frame, { title: texts.title, body, sheets: ['pass'], brand })
}

/** A link to the list, for requesters with more than one open order. */
export const requestsLink = (frame: Frame): Html =>
  html`<p class="screen">
    <a class="button link" href="${pageUrl({ ...frame, path: linkPath(frame) }, { step: 'orders' })}"
      >${textsIn(frame.language).pass.requests.all}</a
    >
  </p>`

/** Only the first has a filled button. */
function requestItem(frame: Frame, order: RequestView, isFirst: boolean): Html {
  const { language } = frame
  const texts = textsIn(language).pass.requests
  const { code, name, company, clinic, expiresAt, timezone } = order
  const address = pageUrl({ ...frame, path: `${linkPath(frame)}/orders/${code}` })
  const due = expiresAt && texts.due(formatMoment(expiresAt, language, timezone))
  return html`<li class="card">
    <div>
      <h2>${name}</h2>
      <p class="hint">${properName(company, language)}${due ? html` · ${due}` : ''}</p>
    </div>
    <p class="state-of ${clinic === null ? 'open' : 'set'}">
      ${icon(clinic === null ? 'alarm' : 'done')}
      <span>${clinic === null ? texts.needsClinic : bookedText(order, clinic, language)}</span>
    </p>
    <a class="button ${isFirst && clinic === null ? '' : 'plain'}" href="${address}"
      >${clinic === null ? texts.choose : texts.see}<span class="hide">: ${name}</span></a
    >
  </li>`
}

function bookedText({ appointmentAt, isArrival, timezone }: RequestView, clinic: string, language: Language): Html {
  const texts = textsIn(language).pass.requests
  const when = appointmentAt ? formatMoment(appointmentAt, language, timezone) : texts.anyTime
  return html`${isArrival ? texts.planned : texts.booked}: ${when}, ${properName(clinic, language)}`
}

/** The address of the link itself, without the order that it was opened for. */
const linkPath = ({ path }: Frame) => path.split('/').slice(0, 3).join('/')
