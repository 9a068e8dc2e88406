import { clinicHours, directionsLink, formatMiles } from './clinic.ts'
import { describedBy, errorParagraph, errorSummary, isWrong, titleWith, type FieldSource } from './fields.ts'
import { formatMoment } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { backLink, banner, hiddenWithLanguage, noteParagraph, page, pageUrl, progress } from './layout.ts'
import { clinicsMap } from './map.ts'
import { properName } from './names.ts'
import { requestCard } from './booking-page.ts'
import { requestsLink } from './requests-page.ts'
import { textsIn } from './texts.ts'
import type { ClinicsView, ClinicView, Fields, Frame } from './views.ts'

/** The second step: the clinics that can take the order, nearest first. */
export function clinicsPage(frame: Frame, view: ClinicsView): string {
  const { language } = frame
  const { order } = view
  const texts = textsIn(language, order.reader)
  const source: FieldSource = { language, reader: order.reader, values: view.values, errors: view.errors }
  const body = html`<div class="stack">
    <div class="top">
      ${view.isChange ? '' : progress('clinic', order, language)} ${errorSummary(source)} ${back(frame, view)}
      <h1 id="clinic" tabindex="-1">${texts.steps.clinics}</h1>
      ${deadline(frame, view)}
    </div>
    ${noteParagraph(view.note, language, order.reader)}
    ${order.reader === 'requester' ? requestCard(order, language) : ''} ${order.hasOthers ? requestsLink(frame) : ''}
    ${view.clinics.length === 0 ? banner('warn', listHeading(view, frame)) : ''}
    <div class="list stack">
      ${search(frame, view, source)} ${view.clinics.length > 0 ? found(frame, view) : ''}
      ${view.clinics.length > 0 ? list(frame, view) : ''}
    </div>
  </div>`
  const { brand, code } = order
  const sheets = ['forms', 'clinics'] as const
  return page(frame, { title: titleWith(source, texts.steps.clinics), body, sheets: [...sheets], brand, code })
}

/** The fields that every step passes on. */
export const carriedFields = ({ draft, isChange }: Pick<ClinicsView, 'draft' | 'isChange'>): Fields => ({
  ...(isChange && { change: 'yes' }),
  draft,
})

/** Back to the booking being changed, or to the details, if there is either. */
function back(frame: Frame, { isChange, draft }: ClinicsView): Html | null {
  const address = isChange ? pageUrl(frame) : draft ? pageUrl(frame, { step: 'details', draft }) : null
  return address === null ? null : backLink(address, textsIn(frame.language).back)
}

function deadline({ language }: Frame, { order }: ClinicsView): Html | null {
  const texts = textsIn(language)
  if (!order.expiresAt || order.reader === 'requester') return null
  const when = formatMoment(order.expiresAt, language, order.timezone)
  return html`<p class="lead">${texts.goBy} <b>${when}</b>. ${texts.canChange}</p>`
}

function listHeading({ near, radiusMiles, clinics, order }: ClinicsView, { language }: Frame): string {
  const texts = textsIn(language, order.reader)
  if (near === 'nowhere') return texts.nearNowhere
  if (clinics.length === 0) return (near === 'city' ? texts.noneNearCity : texts.noneNear)(radiusMiles)
  if (near === 'city') return texts.nearCity(radiusMiles)
  return near === 'search' ? texts.nearSearch(radiusMiles) : texts.nearAddress(radiusMiles)
}

function search(frame: Frame, view: ClinicsView, source: FieldSource): Html {
  const texts = textsIn(frame.language)
  return html`<form class="search" method="get" action="${frame.path}" novalidate>
    ${hiddenWithLanguage(frame, { step: 'clinics', ...carriedFields(view) })}
    <div class="field${isWrong(source, 'place') ? ' wrong' : ''}">
      <label for="place">${texts.labels.place}</label>
      ${errorParagraph(source, 'place')}
      <div class="row">
        <div class="box">
          ${icon('pin')}
          <input
            id="place"
            name="place"
            type="text"
            value="${view.values.place ?? ''}"
            autocomplete="off"
            required${describedBy(source, 'place')}
          />
        </div>
        <button class="plain">${texts.search}</button>
      </div>
    </div>
  </form>`
}

/** How many clinics there are, and their map: beside the list, or to unfold where there is no room. */
function found(frame: Frame, view: ClinicsView): Html {
  const { language } = frame
  const texts = textsIn(language)
  const map =
    view.map && clinicsMap({ map: view.map, clinics: view.clinics, order: view.order, near: view.near }, language)
  return html`<div class="found">
    <div>
      <h2>${texts.clinicCount(view.clinics.length)}</h2>
      <p class="hint">${listHeading(view, frame)}</p>
    </div>
    ${
      map
        ? html`<details class="mapbox">
            <summary>${icon('map')} <span>${texts.showMap}</span><span>${texts.hideMap}</span></summary>
            ${map}
          </details>`
        : ''
    }
  </div>`
}

function list(frame: Frame, view: ClinicsView): Html {
  return html`<form class="clinicform" method="get" action="${frame.path}">
    ${hiddenWithLanguage(frame, { step: 'time', ...carriedFields(view), place: view.values.place || undefined })}
    <ol class="clinics">
      ${view.clinics.map((clinic, i) => entry(clinic, i + 1, frame))}
    </ol>
  </form>`
}

/** The nearest clinic has the one filled button. */
function entry(clinic: ClinicView, number: number, { language }: Frame): Html {
  const texts = textsIn(language)
  const { miles, address, timezone } = clinic
  const isNearest = number === 1 && miles !== null
  return html`<li class="card clinic" id="clinic-${number}" tabindex="-1">
    <div class="head">
      <h2><span class="number">${number}</span> ${properName(clinic.name, language)}</h2>
      <div class="at">
        ${miles === null ? '' : html`<b class="away">${formatMiles(miles, language)}</b>`}
        ${address.length > 0 ? html`<address>${address.join(', ')}</address>` : ''}
      </div>
    </div>
    ${
      isNearest || timezone === null
        ? html`<ul class="chips">
            ${isNearest ? html`<li class="chip near">${texts.nearest}</li>` : ''}
            ${timezone === null ? html`<li class="chip">${texts.walkInsOnly}</li>` : ''}
          </ul>`
        : ''
    }
    <div class="row2">
      <button${number === 1 ? '' : html` class="plain"`} name="clinic" value="${clinic.id}" aria-label="${texts.chooseThis}: ${clinic.name}">${texts.chooseThis}</button>
      ${directionsLink(clinic, language)} ${clinicHours(clinic, language)}
    </div>
  </li>`
}
