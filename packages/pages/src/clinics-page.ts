import { requestCard } from './booking-page.ts'
import { formatDistance, clinicFacts } from './clinic.ts'
import { errorSummary, input, type FieldSource } from './fields.ts'
import { html, type Html } from './html.ts'
import { pageUrl, hiddenWithLanguage, noteParagraph, page } from './layout.ts'
import { clinicsMap } from './map.ts'
import { textsIn } from './texts.ts'
import type { ClinicsView, ClinicView, Fields, Frame } from './views.ts'

/** The second step: the clinics that can take the order, nearest first. */
export function clinicsPage(frame: Frame, view: ClinicsView): string {
  const { language } = frame
  const { reader } = view.order
  const texts = textsIn(language, reader)
  const source: FieldSource = { language, reader, values: view.values, errors: view.errors }
  const title = texts.steps.clinics
  const body = html`${errorSummary(source)} ${view.isChange ? '' : html`<p class="soft">${texts.stepOf(2, 3)}</p>`}
    <h1 id="clinic" tabindex="-1">${title}</h1>
    ${noteParagraph(view.note, language, reader)} ${reader === 'requester' ? requestCard(view.order, language) : ''}
    <p class="note">${listHeading(view, frame)}</p>
    ${view.map ? clinicsMap({ map: view.map, clinics: view.clinics }, language) : ''}
    ${view.clinics.length > 0 ? list(frame, view) : ''}
    <form class="card" method="get" action="${frame.path}" novalidate>
      ${hiddenWithLanguage(frame, { step: 'clinics', ...carriedFields(view) })}
      <h2>${texts.searchTitle}</h2>
      ${input(source, 'place', { autocomplete: 'off' })}
      <button class="plain">${texts.search}</button>
    </form>
    ${back(frame, view)}`
  return page(frame, { title: view.errors.length > 0 ? `${texts.errorTitle}: ${title}` : title, body })
}

/** The fields that every step passes on. */
export const carriedFields = ({ draft, isChange }: Pick<ClinicsView, 'draft' | 'isChange'>): Fields => ({
  ...(isChange && { change: 'yes' }),
  draft,
})

/** Back to the booking being changed, or to the details, if there is either. */
function back(frame: Frame, { isChange, draft }: ClinicsView): Html | null {
  const address = isChange ? pageUrl(frame) : draft ? pageUrl(frame, { step: 'details', draft }) : null
  return address === null
    ? null
    : html`<p><a class="link button" href="${address}">${textsIn(frame.language).back}</a></p>`
}

function listHeading({ near, radiusMiles, clinics, order }: ClinicsView, { language }: Frame): string {
  const texts = textsIn(language, order.reader)
  if (near === 'nowhere') return texts.nearNowhere
  if (clinics.length === 0) return (near === 'city' ? texts.noneNearCity : texts.noneNear)(radiusMiles)
  if (near === 'city') return texts.nearCity(radiusMiles)
  return near === 'search' ? texts.nearSearch(radiusMiles) : texts.nearAddress(radiusMiles)
}

function list(frame: Frame, view: ClinicsView): Html {
  return html`<form method="get" action="${frame.path}">
    ${hiddenWithLanguage(frame, { step: 'time', ...carriedFields(view), place: view.values.place || undefined })}
    <ol class="clinics">
      ${view.clinics.map((clinic, i) => entry(clinic, i + 1, frame))}
    </ol>
  </form>`
}

function entry(clinic: ClinicView, number: number, { language }: Frame): Html {
  const texts = textsIn(language)
  return html`<li class="card clinic" id="clinic-${number}" tabindex="-1">
    <div class="head">
      <h2><span class="number">${number}</span> ${clinic.name}</h2>
      ${clinic.miles === null ? '' : html`<p class="away">${formatDistance(clinic.miles, language)}</p>`}
    </div>
    ${clinicFacts(clinic, language)}
    <p>
      <button name="clinic" value="${clinic.id}" aria-label="${texts.chooseThis}: ${clinic.name}">
        ${texts.chooseThis}
      </button>
    </p>
  </li>`
}
