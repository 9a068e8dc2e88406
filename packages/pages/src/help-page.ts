import { phoneLink } from './brand.ts'
import type { HelpView } from './clinic-views.ts'
import { formatMoment } from './formats.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { backLink, hidden, page, pageUrl } from './layout.ts'
import { properName, sentenceWith } from './names.ts'
import { textsIn } from './texts.ts'
import type { Frame } from './views.ts'

const MILES = [25, 75, 150]

/** Asks what is in the way of booking, or says what happens with the request. */
export function helpPage(frame: Frame, view: HelpView): string {
  const { order, sentAt } = view
  const texts = textsIn(frame.language, order.reader).clinics
  const body = sentAt === null ? ask(frame, view) : sent(frame, view, sentAt)
  const title = sentAt === null ? texts.helpTitle : texts.sentTitle
  return page(frame, { title, body, sheets: ['forms', 'times'], brand: order.brand, code: order.code })
}

/** Nothing is required: a person in need of help is not sent back to a form. */
function ask(frame: Frame, view: HelpView): Html {
  const { language } = frame
  const texts = textsIn(language, view.order.reader)
  const { clinics } = texts
  const reasons = Object.entries(clinics.reasons).map(
    ([value, name]) =>
      html`<div class="choice">
        <div class="check">
          <input id="reason-${value}" name="helpReason" type="radio" value="${value}" />
          <label for="reason-${value}">${name}</label>
        </div>
      </div>`,
  )
  const miles = MILES.map(
    (far) =>
      html`<label class="pick"
        ><input type="radio" name="helpMiles" value="${far}" />${icon('check')} ${clinics.miles(String(far))}</label
      >`,
  )
  return html`<div class="column stack">
    <div class="top">
      ${backLink(clinicsUrl(frame, view), texts.back)}
      <h1>${clinics.helpTitle}</h1>
      <p class="lead">${clinics.helpKept}</p>
    </div>
    <form class="fill" method="post" action="${pageUrl(frame)}">
      ${hidden({ step: 'help', place: view.place || undefined })}
      <fieldset>
        <legend>${clinics.helpWhy}</legend>
        ${reasons}
      </fieldset>
      <fieldset>
        <legend>${clinics.howFar}</legend>
        <div class="picks">${miles}</div>
      </fieldset>
      <div class="field">
        <label for="helpNote">${clinics.anyNote} <span>(${texts.optional})</span></label>
        <textarea id="helpNote" name="helpNote" rows="3" maxlength="1000"></textarea>
      </div>
      ${reach(frame, view)}
      <button>${clinics.send}</button>
    </form>
  </div>`
}

function reach(frame: Frame, { order, phone, email, canEdit }: HelpView): Html | null {
  const texts = textsIn(frame.language, order.reader).clinics
  const known = [phone, email].filter((each) => each !== null)
  if (known.length === 0) return null
  const edit = canEdit ? html`<a href="${pageUrl(frame, { step: 'check' })}">${texts.change}</a>` : ''
  return html`<div>
    <h2 class="label">${texts.reachYou}</h2>
    <p>${known.join(' · ')} ${edit}</p>
  </div>`
}

function sent(frame: Frame, view: HelpView, sentAt: Date): Html {
  const { language } = frame
  const { brand, expiresAt, timezone, reader, code } = view.order
  const texts = textsIn(language, reader).clinics
  const caller = brand.contacts.findLast(({ phone }) => phone !== null)
  const deadline = expiresAt && formatMoment(expiresAt, language, timezone)
  const when = formatMoment(sentAt, language, timezone)
  return html`<div class="column stack">
    <div class="top">
      <div class="hail">
        <span class="tick">${icon('check')}</span>
        <h1>${texts.sentTitle}</h1>
      </div>
      <p class="lead">${sentenceWith([brand.tenant], language, (tenant) => texts.sentBy(tenant, when))}</p>
    </div>
    <section class="card">
      <h2>${texts.nextTitle}</h2>
      <ol class="path">
        <li class="past">${icon('check')} <b>${texts.nextSent}</b></li>
        <li aria-current="step">
          <b>${texts.nextLooks}</b
          >${brand.answerTime ? html`<span>${sentenceWith([brand.answerTime], language, texts.nextWithin)}</span>` : ''}
        </li>
        <li><b>${texts.nextMessage}</b><span>${texts.nextMessageHint}</span></li>
      </ol>
      ${reach(frame, { ...view, canEdit: false })}
    </section>
    ${
      deadline
        ? html`<div class="note info">
            ${icon('calendar')}
            <div><b>${texts.stillUntil(deadline)}</b> ${texts.callIfClose}</div>
          </div>`
        : ''
    }
    ${
      caller
        ? html`<section>
            <h2>${texts.hurry}</h2>
            <p>
              ${texts.hurryCall} ${properName(caller.name, language)} ${phoneLink(caller)} ${texts.hurryCode}
              <b class="nowrap">${code}</b>.
            </p>
          </section>`
        : ''
    }
    <p><a class="button link" href="${clinicsUrl(frame, view)}">${texts.lookAgain}</a></p>
  </div>`
}

const clinicsUrl = (frame: Frame, { place }: HelpView) => pageUrl(frame, { step: 'clinics', place: place || undefined })
