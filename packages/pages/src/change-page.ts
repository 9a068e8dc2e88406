import { whenAndWhere } from './booking-words.ts'
import type { ChangeView } from './clinic-views.ts'
import { timeOfDay } from './formats.ts'
import { html, type Html, type Part } from './html.ts'
import { backLink, hidden, page, pageUrl } from './layout.ts'
import { properName, sentenceWith } from './names.ts'
import { bookingTexts, textsIn } from './texts.ts'
import type { Frame } from './views.ts'

/** The old and the new time. The old one stays booked until the new one is confirmed. */
export function changePage(frame: Frame, view: ChangeView): string {
  const { language } = frame
  const { order, booked, next, isChange } = view
  const texts = bookingTexts(booked, language, order.reader)
  const { clinics } = texts
  const title = isChange ? clinics.confirmTitle : clinics.alreadyTitle
  const body = html`<div class="column stack">
    <div class="top">
      ${backLink(pageUrl(frame, view.back), texts.back)}
      <h1>${title}</h1>
      ${isChange ? '' : html`<p class="lead">${clinics.alreadyHint}</p>`}
      ${order.reader === 'requester' ? html`<p class="lead">${texts.forPerson(order.name)}</p>` : ''}
    </div>
    <dl class="card swap">
      <div>
        <dt class="hint">${clinics.from}</dt>
        <dd><del>${lines(booked, frame)}</del></dd>
      </div>
      <div>
        <dt class="hint">${bookingTexts(next, language, order.reader).clinics.to}</dt>
        <dd><ins>${lines(next, frame)}</ins></dd>
      </div>
    </dl>
    <p class="soft">${clinics.codeStays}</p>
    <div class="actions">
      <form method="post" action="${pageUrl(frame)}">${hidden(view.fields)}<button>${clinics.confirmYes}</button></form>
      <a class="button plain" href="${pageUrl(frame)}">${keepText(frame, view)}</a>
    </div>
  </div>`
  const { brand, code } = order
  return page(frame, { title, body, sheets: ['times'], brand, code })
}

const lines = ({ clinic, ...rest }: ChangeView['next'], { language }: Frame): Html =>
  whenAndWhere({ ...rest, clinic: properName(clinic, language) }, language)

/** Names what stays: the clinic if it would change, else the time. */
function keepText({ language }: Frame, { booked, next, order }: ChangeView): Part {
  const texts = textsIn(language, order.reader).clinics
  if (booked.clinic !== next.clinic) return sentenceWith([booked.clinic], language, texts.keep)
  return booked.appointmentAt ? texts.keep(timeOfDay(booked.appointmentAt, language, booked.zone)) : texts.keepWalkIn
}
