import { formatMoment } from './formats.ts'
import { html, type Html, type Part } from './html.ts'
import { sentenceWith } from './names.ts'
import { icon } from './icons.ts'
import { page } from './layout.ts'
import { textsIn } from './texts.ts'
import type { DoneView } from './views-details.ts'
import type { Frame } from './views.ts'

/** What happens after a background check was authorized, where no clinic is needed. It never says how the check ended. */
export function donePage(frame: Frame, { order, provider, authorizedAt, isRunning }: DoneView): string {
  const { language } = frame
  const { form } = textsIn(language)
  const { brand, firstName, company } = order
  const steps = [
    step('done', form.authorized, formatMoment(authorizedAt, language, order.timezone)),
    step(isRunning ? 'now' : 'done', sentenceWith([provider], language, form.checkRuns), form.checkTakes),
    step(isRunning ? 'later' : 'done', sentenceWith([company], language, form.getsReport), form.askForCopy),
  ]
  const body = html`<div class="column stack">
    <div class="hail">
      <span class="tick">${icon('check')}</span>
      <h1>${form.allSet(firstName)}</h1>
    </div>
    <p class="lead">${form.noClinic}</p>
    <section class="card">
      <h2>${form.whatNext}</h2>
      <ol class="course">
        ${steps}
      </ol>
    </section>
  </div>`
  return page(frame, { title: form.allSet(firstName), body, sheets: ['forms'], brand, code: order.code })
}

const step = (state: 'done' | 'now' | 'later', title: Part, text: string): Html =>
  html`<li class="${state}">
    <span class="dot">${state === 'done' ? icon('check') : ''}</span>
    <div><b>${title}</b><span>${text}</span></div>
  </li>`
