import { emailLink, phoneLink } from './brand.ts'
import { formatShortDay, formatList, formatMoment, formatUnzoned, timeOfDay } from './formats.ts'
import { html, type Html, type Part } from './html.ts'
import { icon, type Icon } from './icons.ts'
import { pageUrl } from './layout.ts'
import { properName, sentenceWith } from './names.ts'
import { fact, serviceName, serviceNames } from './order-card.ts'
import { textsIn } from './texts.ts'
import type { Frame, Language, LifeView, PassView, ServiceView } from './views.ts'

/** What the pass says first after check-in. */
export const lifeTitle = ({ stage }: LifeView, language: Language): string => textsIn(language).pass[stage]

/** What happened, what comes next and who may call. `complete` looks the same for every outcome. */
export function lifeCards(frame: Frame, view: PassView, life: LifeView): { banner: Html; cards: Html[] } {
  const { language } = frame
  const parts = [
    services(view, life, language),
    life.stage === 'complete' ? whoToAsk(view, life, language) : null,
    timeline(view, life, language),
    life.stage === 'checkedIn' ? leaving(language) : null,
    life.stage === 'collected' && life.isReviewed ? mayCall(life, language) : null,
    life.stage === 'complete' ? null : checkAgain(frame),
  ]
  return { banner: banner(view, life, language), cards: parts.filter((part) => part !== null) }
}

function banner(view: PassView, life: LifeView, language: Language): Html {
  const kind = life.stage === 'collected' ? 'good' : 'info'
  return html`<div class="note ${kind} state">
    ${icon('done')}
    <div>
      <h1>${lifeTitle(life, language)}</h1>
      <p>${stateText(view, life, language)}</p>
    </div>
  </div>`
}

function stateText(view: PassView, { stage, checkedInAt, collectedAt, stages }: LifeView, language: Language): Part {
  const texts = textsIn(language).pass
  const { clinic } = view
  const zone = clinic?.timezone ?? view.timezone
  switch (stage) {
    case 'complete':
      return sentenceWith([view.company], language, texts.completeText)
    case 'collected':
      return html`${collectedAt ? texts.sampleAt(formatMoment(collectedAt, language, zone)) : texts.visitOver}
      ${stages.includes('running') ? texts.untilDone : texts.nothingToBook}`
    case 'partly':
      return partlyText(
        view.services.filter((_, i) => stages[i] === 'toDo'),
        language,
      )
    default: {
      if (!checkedInAt || !clinic) return texts.stay
      const time = timeOfDay(checkedInAt, language, zone)
      return html`${sentenceWith([clinic.name], language, (name) => texts.checkedInAt(time, name))} ${texts.stay}`
    }
  }
}

const partlyText = (left: readonly ServiceView[], language: Language): Part =>
  sentenceWith(
    serviceNames(left, language),
    language,
    (...names) => textsIn(language).pass.partlyText(formatList(names, language)),
    (_, i) => serviceName(left[i]!, language),
  )

/** A line for each test, if they are not all at the same stage. */
function services({ services: all }: PassView, { stages }: LifeView, language: Language): Html | null {
  const texts = textsIn(language).pass
  if (new Set(stages).size < 2) return null
  return html`<section class="card">
    <h2>${texts.yourTests}</h2>
    <ul class="stages">
      ${all.map((service, i) => html`<li><b>${serviceName(service, language)}</b> <span>${texts.stages[stages[i]!]}</span></li>`)}
    </ul>
  </section>`
}

type State = 'done' | 'now' | 'later'
interface Step {
  title: Part
  text: Part
  state: State
}

function timeline(view: PassView, life: LifeView, language: Language): Html {
  const texts = textsIn(language).pass
  const { stage } = life
  const title = stage === 'complete' ? texts.happened : stage === 'collected' ? texts.next : texts.now
  const steps = stage === 'complete' ? past(view, life, language) : ahead(view, life, language)
  return html`<section class="card">
    <h2>${title}</h2>
    <ol class="line">
      ${steps.map(stepItem(language))}
    </ol>
  </section>`
}

const stepItem = (language: Language) => {
  const texts = textsIn(language).pass
  const words: Record<State, string> = { done: texts.stepDone, now: texts.stepNow, later: '' }
  return ({ title, text, state }: Step): Html =>
    html`<li class="${state}" ${state === 'now' ? html` aria-current="step"` : ''}>
      <span class="dot">${state === 'done' ? icon('check') : ''}</span>
      <div>
        <b>${title}</b>${words[state] === '' ? '' : html`<span class="hide">(${words[state]})</span>`}
        ${text ? html`<small>${text}</small>` : ''}
      </div>
    </li>`
}

function visitSteps(view: PassView, life: LifeView, language: Language): Step[] {
  const texts = textsIn(language).pass
  const zone = view.clinic?.timezone ?? view.timezone
  const { bookedAt, checkedInAt } = life
  return [
    {
      title: view.isArrival ? texts.steps.planned : texts.steps.booked,
      text: bookedAt && formatShortDay(bookedAt, language, zone),
      state: 'done',
    },
    { title: texts.steps.checkedIn, text: checkedInAt && formatUnzoned(checkedInAt, language, zone), state: 'done' },
  ]
}

/** Everything up to the report. It is the same whether a sample was given or not. */
function past(view: PassView, life: LifeView, language: Language): Step[] {
  const { steps } = textsIn(language).pass
  const zone = view.clinic?.timezone ?? view.timezone
  return [
    ...visitSteps(view, life, language),
    { title: steps.visited, text: null, state: 'done' },
    { title: steps.reported, text: life.completeAt && formatShortDay(life.completeAt, language, zone), state: 'done' },
  ]
}

function ahead(view: PassView, life: LifeView, language: Language): Step[] {
  const texts = textsIn(language).pass
  const { steps } = texts
  const { stage, hasSample, goesToLaboratory } = life
  const isOver = stage === 'collected'
  const atClinic: Step = isOver
    ? collectedStep(view, life, language)
    : {
        title: hasSample && stage !== 'partly' ? steps.sample : steps.visit,
        text: stage === 'partly' ? null : hasSample ? texts.calledIn : texts.calledInVisit,
        state: 'now',
      }
  const lab: Step = {
    title: isOver ? steps.atLab : steps.lab,
    text: isOver ? texts.labTime : null,
    state: isOver ? 'now' : 'later',
  }
  const report: Step = {
    title: sentenceWith([view.company], language, steps.report),
    text: isOver ? texts.theyTell : null,
    state: isOver && !goesToLaboratory ? 'now' : 'later',
  }
  return [...visitSteps(view, life, language), atClinic, ...(goesToLaboratory ? [lab] : []), report]
}

function collectedStep(view: PassView, { hasSample, collectedAt }: LifeView, language: Language): Step {
  const { steps } = textsIn(language).pass
  const zone = view.clinic?.timezone ?? view.timezone
  return {
    title: hasSample ? steps.collected : steps.visited,
    text: collectedAt && formatUnzoned(collectedAt, language, zone),
    state: 'done',
  }
}

function note(kind: 'info' | 'warn', symbol: Icon, text: Part): Html {
  return html`<div class="note ${kind}">
    ${icon(symbol)}
    <div>${text}</div>
  </div>`
}

function leaving(language: Language): Html {
  const [title, text] = textsIn(language).pass.leaving
  return note('warn', 'alarm', html`<strong>${title}</strong> ${text}`)
}

/** Said about every reviewed test, so that it is no hint. */
function mayCall({ reviewer }: LifeView, language: Language): Html {
  const texts = textsIn(language).pass
  const calls = reviewer
    ? html`${sentenceWith([reviewer.name], language, texts.reviewerCalls)}${reviewer.phone === null ? '' : html` ${texts.from} ${phoneLink(reviewer)}`}.`
    : texts.someoneCalls
  return note('info', 'phone', html`<strong>${texts.mayCall}</strong> ${calls} ${texts.pickUp}`)
}

function whoToAsk(view: PassView, life: LifeView, language: Language): Html {
  const texts = textsIn(language).pass
  const { representative, isReviewed, reviewer } = life
  const [contact] = representative ? [representative] : view.brand.contacts
  const name = representative ? `${representative.name}, ${view.company}` : (contact?.name ?? view.company)
  const reach = contact && (phoneLink(contact) ?? (contact.email === null ? null : emailLink(contact.email)))
  const [title, text] = texts.copy
  const number = reviewer && reviewer.phone !== null ? html`${texts.theirNumber} ${phoneLink(reviewer)}.` : ''
  return html`<section class="card">
    <h2>${texts.whoToAsk}</h2>
    <ul class="facts">
      ${fact('phone', properName(name, language), reach ?? texts.aboutReport)}
      ${isReviewed ? fact('file', title, html`${text} ${number}`) : ''}
    </ul>
  </section>`
}

/** A page that reloads itself would interrupt screen readers (WCAG 2.2.4). */
const checkAgain = (frame: Frame): Html =>
  html`<p class="screen">
    <a class="button link quiet" href="${pageUrl(frame)}"
      >${icon('refresh')} ${textsIn(frame.language).pass.checkAgain}</a
    >
  </p>`
