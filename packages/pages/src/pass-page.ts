import { tile } from './brand.ts'
import { clinicOffNote } from './booking-words.ts'
import { calendarFileName } from './calendar.ts'
import { directionsLink } from './clinic.ts'
import { code128 } from './code128.ts'
import { formatLongMoment, formatMoment } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { noteParagraph, page, pageUrl } from './layout.ts'
import { inEnglish, properName, sentenceWith } from './names.ts'
import { fact } from './order-card.ts'
import { bookingFacts, factsOf } from './pass-facts.ts'
import { lifeCards, lifeTitle } from './pass-life.ts'
import { qrCode } from './qr.ts'
import { bookingTexts, textsIn } from './texts.ts'
import type { Frame, Language, PassView } from './views.ts'
import { hasExam, KIND_ICONS, kindsOf } from './visit-kinds.ts'

/** The pass to show at the clinic: order code, codes to scan, where, when, and what to bring. After check-in: what comes next. */
export function passPage(frame: Frame, view: PassView): string {
  const { language } = frame
  const { brand, code, life } = view
  const title = `${life ? lifeTitle(life, language) : textsIn(language).passTitle} ${code}`
  const body = life ? visited(frame, view, life) : booked(frame, view)
  return page(frame, { title, body, sheets: ['pass'], brand, code })
}

function booked(frame: Frame, view: PassView): Html {
  const { language } = frame
  return html`<div class="two booked">
    <div class="top stack screen">
      ${noteParagraph(view.note, language)} ${clinicOffNote(frame, view)} ${heading(view, language)}
    </div>
    <div class="side">${passCard(view, language)}</div>
    <div class="rest stack">
      ${tools(frame, view)} ${walletLinks(frame, view)}
      <div class="visit">${whatToBring(view, language)} ${whatToExpect(view, language)}</div>
      ${plans(frame, view)}
    </div>
  </div>`
}

/** Codes stay in reach until the sample is taken, and can be shown again until the report is there. */
function visited(frame: Frame, view: PassView, life: NonNullable<PassView['life']>): Html {
  const { language } = frame
  const texts = textsIn(language).pass
  const { banner, cards } = lifeCards(frame, view, life)
  const note = noteParagraph(view.note, language)
  if (life.stage === 'complete') return html`<div class="column stack">${note} ${banner} ${cards}</div>`
  if (life.stage === 'collected')
    return html`<div class="column stack">
      ${note} ${banner} ${cards}
      <details class="card again">
        <summary>${texts.showAgain(view.code)}</summary>
        ${passCard(view, language)}
      </details>
    </div>`
  return html`<div class="two booked">
    <div class="top stack">${note} ${banner}</div>
    <div class="side">${passCard(view, language)}</div>
    <div class="rest stack">${cards}</div>
  </div>`
}

function heading(view: PassView, language: Language): Html {
  const texts = bookingTexts(view, language)
  const { appointmentAt, clinic, sentTo } = view
  if (view.isClinicOff) return html`<h1>${texts.passTitle}</h1>`
  return html`<div>
    <div class="hail">
      <span class="tick">${icon('check')}</span>
      <h1>${texts.bookedTitle(view.firstName)}</h1>
    </div>
    ${appointmentAt ? html`<p class="wide at1">${formatLongMoment(appointmentAt, language, clinic?.timezone ?? view.timezone)}</p>` : ''}
    ${clinic ? html`<p class="wide lead" ${inEnglish(language)}>${[clinic.name, ...clinic.address].join(', ')}</p>` : ''}
    ${sentTo === undefined ? '' : html`<p class="lead sent">${texts.pass.sentTo(sentTo)}</p>`}
  </div>`
}

/** The pass itself, which also prints alone. */
function passCard(view: PassView, language: Language): Html {
  const texts = textsIn(language)
  const { brand, code } = view
  return html`<section class="pass" aria-label="${texts.testingPass}">
    <header>
      ${tile(brand)}
      <p><b>${properName(brand.company, language)}</b><small>${texts.testingPass}</small></p>
    </header>
    <div class="codes">
      <div class="duo">
        ${qrCode(code, texts.qrCode(code))}
        <div>
          <h2 class="hint">${texts.orderCode}</h2>
          <p class="code">${code}</p>
          ${view.isClinicOff ? '' : html`<p class="hint">${texts.showThis}</p>`}
        </div>
      </div>
      ${code128(code, texts.barcode(code))}
    </div>
    ${factsOf(bookingFacts(view, language))}
  </section>`
}

/** What can be done with the pass. The first is the one filled button on a wide page. */
function tools(frame: Frame, view: PassView): Html {
  const { isOpen, appointmentAt, isClinicOff, clinic } = view
  const texts = textsIn(frame.language)
  const file = (name: string) => pageUrl({ ...frame, path: `${frame.path}/${name}` })
  const hasTime = isOpen && appointmentAt && !isClinicOff
  return html`<div class="tools screen">
    ${
      hasTime
        ? html`<a class="button" href="${file('appointment.ics')}" download="${calendarFileName(view)}"
            >${icon('calendar')} ${texts.calendar}</a
          >`
        : ''
    }
    ${clinic && !isClinicOff ? directionsLink(clinic, frame.language, 'button') : ''}
    <a class="button" href="${file('pass.pdf')}">${icon('save')} ${texts.printable}</a>
  </div>`
}

/** Black in both schemes, as the makers of the wallets ask. */
function walletLinks(frame: Frame, { wallets = [], isClinicOff }: PassView): Html | null {
  if (wallets.length === 0 || isClinicOff) return null
  const { wallet } = textsIn(frame.language).pass
  const address = { apple: 'pass.pkpass', google: 'wallet' }
  return html`<div class="wallets screen">
    ${wallets.map(
      (kind) =>
        html`<a class="button" href="${pageUrl({ ...frame, path: `${frame.path}/${address[kind]}` })}"
          >${icon('wallet')} ${wallet[kind]}</a
        >`,
    )}
  </div>`
}

function whatToBring({ services }: PassView, language: Language): Html {
  const texts = textsIn(language)
  const { bringId, bringPass } = texts.visit
  const more = kindsOf(services).flatMap((kind) => {
    const { bring } = texts.pass.visits[kind]
    return bring ? [[kind, bring] as const] : []
  })
  return html`<section class="card">
    <h2>${texts.bring}</h2>
    <ul class="facts">
      ${fact('idCard', ...bringId)} ${fact('file', ...bringPass)}
      ${more.map(([kind, advice]) => fact(/physical|vision/i.test(kind) ? 'glasses' : 'clipboard', ...advice))}
    </ul>
  </section>`
}

function whatToExpect({ services, appointmentAt, isArrival, company, brand }: PassView, language: Language): Html {
  const { visit, noCost, pass } = textsIn(language)
  const kinds = kindsOf(services)
  return html`<section class="card">
    <h2>${visit.title}</h2>
    <ul class="facts">
      ${kinds.map((kind) => fact(KIND_ICONS[kind], ...pass.visits[kind].expect))}
      ${fact('clock', hasExam(kinds) ? visit.durationWithExam : visit.duration, appointmentAt && !isArrival ? visit.early : null)}
      ${fact('wallet', noCost, sentenceWith([brand.contacts[0]?.name ?? company], language, visit.ifAskedToPay))}
    </ul>
  </section>`
}

function plans(frame: Frame, view: PassView): Html | null {
  const { isOpen, choosesClinic, isCancellable, isClinicOff, expiresAt, clinic } = view
  const { language } = frame
  const texts = bookingTexts(view, language)
  const isChangeable = isOpen && (choosesClinic || !isClinicOff)
  if (!isChangeable && !isCancellable) return null
  const step = (name: string) => pageUrl(frame, { step: name })
  return html`<section class="plans screen">
    <h2>${texts.plansChanged}</h2>
    <p>
      ${isChangeable ? html`<a class="button link" href="${step('change')}">${choosesClinic ? texts.change : texts.changeTime}</a>` : ''}
      ${isCancellable ? html`<a class="button link bad" href="${step('cancel')}">${texts.cancel}</a>` : ''}
    </p>
    ${
      expiresAt
        ? html`<p class="hint">
            ${texts.canChangeUntil(formatMoment(expiresAt, language, clinic?.timezone ?? view.timezone))}
          </p>`
        : ''
    }
  </section>`
}
