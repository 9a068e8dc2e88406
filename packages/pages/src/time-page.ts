import { clinicFacts } from './clinic.ts'
import { carriedFields } from './clinics-page.ts'
import { errorParagraph, errorSummary, input, type FieldSource } from './fields.ts'
import { html, type Html } from './html.ts'
import { pageUrl, hidden, page } from './layout.ts'
import { formatDateTime, textsIn, zoneName } from './texts.ts'
import type { Frame, TimeView } from './views.ts'

/** The third step: walk in, or make an appointment. */
export function timePage(frame: Frame, view: TimeView): string {
  const { language } = frame
  const { clinic, order } = view
  const texts = textsIn(language, order.reader)
  const source: FieldSource = { language, reader: order.reader, values: view.values, errors: view.errors }
  const title = texts.steps.time
  const body = html`${errorSummary(source)} ${view.isChange ? '' : html`<p class="soft">${texts.stepOf(3, 3)}</p>`}
    <h1>${title}</h1>
    ${order.reader === 'requester' ? html`<p>${texts.forPerson(order.name)}</p>` : ''}
    <section class="card clinic">
      <h2>${clinic.name}</h2>
      ${clinicFacts(clinic, language, true)}
    </section>
    ${order.expiresAt ? html`<p class="note">${texts.comeBy(formatDateTime(order.expiresAt, language, clinic.timezone))}</p>` : ''}
    <form class="card" method="post" action="${pageUrl(frame)}" novalidate>
      <input type="hidden" name="step" value="book" />
      ${hidden({ ...carriedFields(view), place: view.values.place, clinic: clinic.id })}
      ${clinic.timezone === null ? walkInOnly(source) : choice(source, view, clinic.timezone)}
      <button>${view.isChange ? texts.rebook : texts.book}</button>
    </form>
    ${back(frame, view)}`
  return page(frame, { title: view.errors.length > 0 ? `${texts.errorTitle}: ${title}` : title, body })
}

const walkInOnly = (source: FieldSource): Html =>
  html`${errorParagraph(source, 'way')}
    <p id="way" tabindex="-1">${textsIn(source.language, source.reader).walkInOnly}</p>
    <input type="hidden" name="way" value="walkIn" />`

function choice(source: FieldSource, { from, until }: TimeView, timezone: string): Html {
  const texts = textsIn(source.language, source.reader)
  const way = (value: string, label: string, id: string) =>
    html`<div class="check">
      <input id="${id}" name="way" type="radio" value="${value}" ${source.values.way === value ? html` checked` : ''} />
      <label for="${id}">${label}</label>
    </div>`
  const isWrong = source.errors.some(({ field }) => field === 'way')
  return html`<fieldset ${isWrong ? html`aria-describedby="way-error"` : ''}>
    <legend>${texts.labels.way}</legend>
    ${errorParagraph(source, 'way')} ${way('walkIn', texts.walkIn, 'way')}
    ${way('appointment', texts.appointment, 'way-appointment')}
    <div class="set">
      <p class="hint">${texts.timesAre(zoneName(timezone, source.language))}</p>
      <div class="pair">
        ${input(source, 'date', { type: 'date', min: from, max: until })} ${input(source, 'time', { type: 'time' })}
      </div>
    </div>
  </fieldset>`
}

/** Back to the list of clinics with what was entered, or to the pass if there is no list. */
function back(frame: Frame, view: TimeView): Html {
  const list = { step: 'clinics', ...carriedFields(view), place: view.values.place }
  const address = pageUrl(frame, view.choosesClinic ? list : {})
  return html`<p><a class="link button" href="${address}">${textsIn(frame.language).back}</a></p>`
}
