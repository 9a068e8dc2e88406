import { clinicCard } from './clinic-card.ts'
import { FILTERS, type ClinicCard, type ClinicsView, type Filter } from './clinic-views.ts'
import { bookedCard } from './booking-words.ts'
import { describedBy, errorParagraph, errorSummary, isWrong, titleWith, type FieldSource } from './fields.ts'
import { formatMoment } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { backLink, banner, hiddenWithLanguage, noteParagraph, page, pageUrl, progress } from './layout.ts'
import { clinicsMap } from './map.ts'
import { properName, sentenceWith } from './names.ts'
import { requestCard } from './booking-page.ts'
import { requestsLink } from './requests-page.ts'
import { bookingTexts, textsIn } from './texts.ts'
import type { Fields, Frame } from './views.ts'

/** The second step: the clinics that can take the order, nearest first. */
export function clinicsPage(frame: Frame, view: ClinicsView): string {
  const { language } = frame
  const { order } = view
  const texts = textsIn(language, order.reader)
  const source: FieldSource = { language, reader: order.reader, values: view.values, errors: view.errors }
  // Without filters an empty list means that there is no clinic in reach.
  const isNone = view.near !== 'nowhere' && view.clinics.length === 0 && !isFiltered(view) && !isUnknown(view)
  const title = isNone ? texts.clinics.noneWithin(view.radiusMiles) : texts.steps.clinics
  const body = html`<div class="stack">
    <div class="top">
      ${view.booked ? '' : progress('clinic', order, language)} ${errorSummary(source)} ${back(frame, view)}
      <h1 id="clinic" tabindex="-1">${title}</h1>
      ${isNone ? noneLead(frame, view) : deadline(frame, view)}
    </div>
    ${noteParagraph(view.note, language, order.reader)} ${bookedCard(view.booked, frame, order.reader)}
    ${order.reader === 'requester' && !view.booked ? requestCard(order, language) : ''}
    ${order.hasOthers ? requestsLink(frame) : ''}
    ${isNone ? noneInReach(frame, view, source) : inReach(frame, view, source)}
  </div>`
  const { brand, code } = order
  return page(frame, { title: titleWith(source, title), body, sheets: ['forms', 'clinics'], brand, code })
}

/** The fields that every step passes on. */
export const carriedFields = ({ isChange, filters }: Pick<ClinicsView, 'isChange' | 'filters'>): Fields => ({
  ...(isChange && { change: 'yes' }),
  ...filterFields(filters),
})

const filterFields = (filters: Partial<Record<Filter, boolean>>): Fields =>
  Object.fromEntries(FILTERS.map((name) => [name, filters[name] ? 'yes' : undefined]))

/** Back to the booking being changed, or to the details, if there is either. */
function back(frame: Frame, { booked, order, hasDraft }: ClinicsView): Html | null {
  if (booked) return backLink(pageUrl(frame), bookingTexts(booked, frame.language, order.reader).backToPass)
  const texts = textsIn(frame.language, order.reader)
  return hasDraft ? backLink(pageUrl(frame, { step: 'check' }), texts.back) : null
}

function deadline({ language }: Frame, { order, zone }: ClinicsView): Html | null {
  const texts = textsIn(language)
  if (!order.expiresAt || order.reader === 'requester') return null
  return html`<p class="lead">
    ${texts.goBy} <b>${formatMoment(order.expiresAt, language, zone)}</b>. ${texts.canChange}
  </p>`
}

const isFiltered = ({ filters }: ClinicsView) => FILTERS.some((name) => filters[name])

/** Whether a place was searched that was not understood. The list is around the participant's home then, if that is known. */
const isUnknown = ({ errors }: ClinicsView) => errors.some(({ field, fault }) => field === 'place' && fault === 'wrong')

/** The place that was searched; undefined if the list is around the participant's home. */
const searched = ({ near, values }: ClinicsView) => (near === 'search' ? values.place : undefined)

/** The address of the list with other members. */
const listUrl = (frame: Frame, view: ClinicsView, filters: Partial<Record<Filter, boolean>>, place = searched(view)) =>
  pageUrl(frame, {
    step: 'clinics',
    place,
    ...carriedFields(view),
    ...filterFields(filters),
  })

function inReach(frame: Frame, view: ClinicsView, source: FieldSource): Html {
  const { language } = frame
  const { clinics, near } = view
  const texts = textsIn(language, view.order.reader)
  const isBlank = near === 'nowhere' || (clinics.length === 0 && isUnknown(view))
  const list = html`${saturday(frame, view)}
  ${clinics.length > 0 ? found(frame, view) : banner('info', html`<b>${texts.clinics.noMatch(view.radiusMiles)}</b> <a href="${listUrl(frame, view, {})}">${texts.clinics.clearFilters}</a>`)}
  ${clinics.length > 0 ? cards(frame, view, clinics) : ''}`
  return html`${near === 'nowhere' && !isUnknown(view) ? banner('warn', texts.nearNowhere) : ''}
    <div class="list stack">
      ${search(frame, view, source, texts.clinics.near)} ${isBlank ? '' : filterLinks(frame, view)}
      ${isBlank ? '' : list} ${helpLine(frame, view)}
    </div>`
}

function noneLead({ language }: Frame, { order, near, found: place, values }: ClinicsView): Html {
  const texts = textsIn(language, order.reader).clinics
  const where = place?.name ?? values.place ?? ''
  return html`<p class="lead">
    ${near === 'city' ? texts.cityOnly : ''} ${where === '' ? '' : sentenceWith([where], language, texts.noneAround)}
    ${texts.goFarther}
  </p>`
}

/** Help first, then the nearest clinics. */
function noneInReach(frame: Frame, view: ClinicsView, source: FieldSource): Html {
  const { language } = frame
  const { brand, reader } = view.order
  const texts = textsIn(language, reader).clinics
  const ask = html`<section class="card helpcard column">
    ${icon('lifebuoy')}
    <div>
      <h2>${texts.letUsFind}</h2>
      <p class="soft">
        ${brand.answerTime ? sentenceWith([brand.answerTime], language, texts.letUsFindText) : texts.letUsFindText(null)}
      </p>
    </div>
    <a class="button" href="${helpUrl(frame, view)}">${texts.askShort}</a>
  </section>`
  return html`${view.hasAskedForHelp ? banner('info', lookingFor(frame, view)) : view.booked ? '' : ask}
  ${
    view.nearest.length > 0
      ? html`<div class="column stack">
          <div>
            <h2>${texts.nearestTitle}</h2>
            <p class="hint">${texts.nearestHint}</p>
          </div>
          ${cards(frame, view, view.nearest)}
        </div>`
      : ''
  }
  ${search(frame, elsewhere(view), source, texts.lookElsewhere, texts.lookHint)}`
}

/** The search starts empty, unless a place was searched. */
const elsewhere = (view: ClinicsView): ClinicsView =>
  view.near === 'search' || view.errors.length > 0 ? view : { ...view, values: { ...view.values, place: '' } }

const helpUrl = (frame: Frame, view: ClinicsView) =>
  pageUrl(frame, { step: 'help', place: view.values.place || undefined })

const lookingFor = (frame: Frame, view: ClinicsView): Html => {
  const texts = textsIn(frame.language, view.order.reader).clinics
  return html`<b>${texts.looking}</b> <a href="${helpUrl(frame, view)}">${texts.seeRequest}</a>`
}

/** With a booking nobody needs help to find a clinic. */
function helpLine(frame: Frame, view: ClinicsView): Html | null {
  const texts = textsIn(frame.language, view.order.reader).clinics
  if (view.booked) return null
  if (view.hasAskedForHelp) return html`<div class="helpline">${banner('info', lookingFor(frame, view))}</div>`
  return html`<p class="helpline">
    <b>${texts.noneWork}</b> <a class="button link" href="${helpUrl(frame, view)}">${texts.askForHelp}</a>
  </p>`
}

function search(frame: Frame, view: ClinicsView, source: FieldSource, label: string, hint?: string): Html {
  const texts = textsIn(frame.language)
  return html`<form class="search" method="get" action="${frame.path}" novalidate>
    ${hiddenWithLanguage(frame, { step: 'clinics', ...carriedFields(view) })}
    <div class="field${isWrong(source, 'place') ? ' wrong' : ''}">
      <label for="place"
        >${label}${hint === undefined ? html`<span class="hide">: ${texts.labels.place}</span>` : html`<span class="hint">${hint}</span>`}</label
      >
      ${errorParagraph(source, 'place')}
      <div class="row">
        <div class="box">
          ${icon('pin')}
          <input
            id="place"
            name="place"
            type="text"
            value="${view.values.place ?? ''}"
            placeholder="${texts.labels.place}"
            autocomplete="off"
            autocapitalize="words"
            enterkeyhint="search"
            required${describedBy(source, 'place')}
          />
        </div>
        <button class="plain">${texts.search}</button>
      </div>
      ${understood(frame, view)}
    </div>
  </form>`
}

/** Which place was understood, and others of the same name. */
function understood(frame: Frame, view: ClinicsView): Html | null {
  const texts = textsIn(frame.language, view.order.reader).clinics
  if (!view.found) return null
  const { name, others } = view.found
  const links = others.map(
    (other) => html`<a href="${listUrl(frame, view, view.filters, other)}">${properName(other, frame.language)}</a>`,
  )
  // Written without line breaks: they would be spaces before the period.
  const place = html`${texts.showing} <b>${properName(name, frame.language)}</b>.`
  return html`<p class="meant">${place} ${links.length > 0 ? html`<span>${texts.orIn}</span> ${links}` : ''}</p>`
}

/** One tap turns a filter on or off. */
function filterLinks(frame: Frame, view: ClinicsView): Html {
  const texts = textsIn(frame.language).clinics
  const items = FILTERS.map((name) => {
    const isOn = view.filters[name]
    const url = listUrl(frame, view, { ...view.filters, [name]: !isOn })
    return html`<li>
      <a class="pick" href="${url}" ${isOn ? html`aria-current="true"` : ''}
        >${isOn ? icon('check') : ''} ${texts.filter[name]}</a
      >
    </li>`
  })
  return html`<nav class="filters" aria-label="${texts.filters}">
    <ul>
      ${items}
    </ul>
  </nav>`
}

function saturday({ language }: Frame, { isSaturdayTooLate, clinics, order, zone }: ClinicsView): Html | null {
  const texts = textsIn(language, order.reader).clinics
  if (!isSaturdayTooLate || clinics.length === 0 || !order.expiresAt) return null
  const note = texts.saturdayNote(formatMoment(order.expiresAt, language, zone))
  return html`<div class="toolate">${banner('warn', html`<b>${texts.saturdayTooLate}.</b> ${note}`)}</div>`
}

/** How many clinics there are, and their map: beside the list, or to unfold where there is no room. */
function found(frame: Frame, view: ClinicsView): Html {
  const { language } = frame
  const { near, radiusMiles } = view
  const texts = textsIn(language, view.order.reader)
  const map =
    view.map && clinicsMap({ map: view.map, clinics: view.clinics, order: view.order, near: view.near }, language)
  const count = texts.clinics.count(view.clinics.length, view.filters.walkIns)
  return html`<div class="found">
    <div>
      <h2>${count}</h2>
      ${isUnknown(view) ? html`<p class="hint">${texts.clinics.nearInstead}</p>` : ''}
      ${
        near === 'city'
          ? html`<p class="hint">${texts.nearCity(radiusMiles)}</p>`
          : html`<p class="hint wide">${texts.clinics.within(count, radiusMiles)}</p>`
      }
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

/** The nearest clinic that can be booked has the one filled button, unless the page has another. */
function cards(frame: Frame, view: ClinicsView, clinics: ClinicCard[]): Html {
  const { language } = frame
  const nearest = Math.min(...clinics.map(({ miles }) => miles ?? Infinity))
  const isFirst = (i: number) => i === 0 && clinics[0]!.isBookable && view.clinics.length > 0
  return html`<form class="clinicform" method="get" action="${frame.path}">
    ${hiddenWithLanguage(frame, { step: 'time', ...carriedFields(view), place: searched(view) })}
    <ol class="clinics">
      ${clinics.map((clinic, i) => clinicCard(clinic, { number: i + 1, isNearest: clinic.miles === nearest, isFirst: isFirst(i), view, language }))}
    </ol>
  </form>`
}
