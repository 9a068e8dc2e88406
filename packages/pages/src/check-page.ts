import { inItsLanguage, paragraphsOf } from './agreement.ts'
import { phoneLink } from './brand.ts'
import { orderAside, whose } from './details-page.ts'
import { describedBy, errorParagraph, errorSummary, isWrong, titleWith, type FieldSource } from './fields.ts'
import { formatBirthDate, formatMoment } from './formats.ts'
import { html, type Html } from './html.ts'
import { backLink, banner, hidden, noteParagraph, page, pageUrl, progress } from './layout.ts'
import { formatPhone, properName, sentenceWith } from './names.ts'
import { textsIn } from './texts.ts'
import type { AgreementView, CheckView } from './views-details.ts'
import type { Frame, Language } from './views.ts'

/** All details once more, with the notice of a regulated test or the consent to another. */
export function checkPage(frame: Frame, view: CheckView): string {
  const { language } = frame
  const { brand, code, isFirst, back, clinic } = view
  const texts = textsIn(language)
  const { form } = texts
  const source: FieldSource = { language, values: {}, errors: view.errors }
  const part = { text: form.checkPart, done: 1 }
  const agreement = view.agreement?.[language]
  const body = html`<div class="two">
    <div class="top">
      ${clinic === 'choose' ? progress('details', view, language, part) : ''}
      ${back === null ? '' : backLink(pageUrl(frame, { step: back }), form.back)} ${errorSummary(source)}
      <h1>${isFirst ? texts.greeting[clinic](view.firstName) : form.checkTitle}</h1>
      ${isFirst ? html`<p class="lead">${form.checkTitle}. ${form.checkLead}</p>` : ''}
    </div>
    ${orderAside(view, language, isFirst)}
    <div class="rest stack column">
      ${noteParagraph(view.note, language)} ${declinedBanner(view, language, view.timezone)}
      ${isFirst ? whose(view, language) : ''} ${details(frame, view)}
      <form id="fill" class="fill" method="post" action="${pageUrl(frame)}" novalidate>
        ${hidden({ step: 'check', seen: view.seen, shown: agreement?.hash })}
        ${agreement?.kind === 'notice' ? notice(agreement, language) : ''}
        ${agreement?.kind === 'consent' ? consent(frame, source, agreement) : ''}
        <button>${buttonOf(view, language)}</button>
      </form>
      ${representative(view, language)}
    </div>
  </div>`
  return page(frame, { title: titleWith(source, form.checkTitle), body, sheets: ['forms'], brand, code, form: 'fill' })
}

/** What somebody who does not agree has told us, and that they still can. */
export function declinedBanner(
  { declinedAt }: { declinedAt: Date | null },
  language: Language,
  timezone: string | null,
): Html | null {
  const { form } = textsIn(language)
  if (!declinedAt) return null
  return banner('info', html`<b>${form.declined(formatMoment(declinedAt, language, timezone))}</b> ${form.stillAgree}`)
}

function details(frame: Frame, { name, rows }: CheckView): Html {
  const { language } = frame
  const { form, labels } = textsIn(language)
  const { birthDate, identifier, email, phone, address } = rows
  const row = (label: string, lines: (string | Html)[], edit?: [step: string, group: string]) =>
    html`<div>
      <dt>${label}</dt>
      <dd>${lines.map((line) => html`<span>${line}</span>`)}</dd>
      ${
        edit
          ? html`<dd class="act">
              <a href="${pageUrl(frame, { step: edit[0], edit: edit[1] })}" aria-label="${form.changeOf(label)}"
                >${form.change}</a
              >
            </dd>`
          : ''
      }
    </div>`
  const onFile = html`<span class="hint">${form.onFile}</span>`
  const birth = birthDate === null ? onFile : formatBirthDate(birthDate, language)
  const number = 'number' in phone ? formatPhone(phone.number) : form.phoneEnding(phone.ending)
  return html`<dl class="card rows">
    ${row(form.rows.name, [name])} ${row(labels.birthDate, [birth], ['you', 'birthDate'])}
    ${
      identifier
        ? row(
            form.identifiers[identifier.type] ?? form.otherIdentifier,
            [
              identifier.masked === null
                ? onFile
                : html`${identifier.issuer ? properName(identifier.issuer, language) : ''} ${identifier.masked}`,
            ],
            ['you', 'identifier'],
          )
        : ''
    }
    ${row(form.rows.email, [email ?? ''], ['contact', 'email'])} ${row(form.rows.phone, [number], ['contact', 'phone'])}
    ${row(form.rows.address, address.length > 0 ? address : [onFile], ['address', 'address'])}
  </dl>`
}

function notice(text: AgreementView, language: Language): Html {
  const { form } = textsIn(language)
  return banner(
    'info',
    html`<h2 class="small-title">${form.about}</h2>
      <div${inItsLanguage(text, language)}>${paragraphsOf(text.text).map((each) => html`<p>${each}</p>`)}</div>`,
  )
}

/** The box starts empty. */
function consent(frame: Frame, source: FieldSource, text: AgreementView): Html {
  const { language } = source
  const { form } = textsIn(language)
  return html`<div class="card${isWrong(source, 'consent') ? ' unmet' : ''}">
    <h2>${form.consentTitle}</h2>
    ${errorParagraph(source, 'consent')}
    <div class="check">
      <input id="consent" name="consent" type="checkbox" value="yes" required${describedBy(source, 'consent')} />
      <label for="consent" ${inItsLanguage(text, language)}
        >${paragraphsOf(text.text).map((each) => html`<span class="paragraph">${each}</span>`)}</label
      >
    </div>
    <p class="away"><a href="${pageUrl(frame, { step: 'decline' })}">${form.disagree}</a></p>
  </div>`
}

function buttonOf({ agreement, clinic, isBackground }: CheckView, language: Language): string {
  const { form } = textsIn(language)
  if (agreement?.[language].kind !== 'consent') return form.correct
  if (isBackground) return form.agreeAndGoOn
  return clinic === 'choose' ? form.agreeAndChoose : form.agreeAndFinish
}

/** Whom the results of a regulated test go to. */
function representative({ der, company }: CheckView, language: Language): Html | null {
  const { form } = textsIn(language)
  if (!der) return null
  const phone = der.phone === null ? '' : html`, ${phoneLink({ phone: der.phone })}`
  return html`<p class="hint">
    ${sentenceWith([company], language, form.resultsGoTo)} ${properName(der.name, language)}${phone}.
  </p>`
}
