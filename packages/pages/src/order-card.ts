import { formatMoment } from './formats.ts'
import { html, type Html, type Part } from './html.ts'
import { icon, type Icon } from './icons.ts'
import { properName, sentenceWith } from './names.ts'
import { textsIn } from './texts.ts'
import type { Language, OrderView, ServiceView } from './views.ts'

/** What is asked, by when, and what it costs. */
export function orderCard(order: OrderView, language: Language, needsVisit = true): Html {
  const texts = textsIn(language, order.reader)
  const { services, company, expiresAt } = order
  const reason = sentenceWith([company], language, order.isForNewJob ? texts.forNewJob : texts.askedBy)
  return html`<ul class="card facts ruled">
    ${services.map((service, i) =>
      fact(iconOf(service), serviceName(service, language), i === services.length - 1 ? reason : null),
    )}
    ${expiresAt && needsVisit ? fact('calendar', html`${texts.goBy} ${formatMoment(expiresAt, language, order.timezone)}`, texts.takes) : ''}
    ${fact('wallet', texts.noCost)}
  </ul>`
}

/** An icon, a line, and a second line that explains it. */
export const fact = (name: Icon, title: Part, text: Part = null): Html =>
  html`<li>
    ${icon(name)}
    <div><b>${title}</b>${text === null ? '' : html`<span>${text}</span>`}</div>
  </li>`

/** The name in the language of the page, or marked as English. */
export const serviceName = (service: ServiceView, language: Language): Html | string =>
  service.names[language] ?? properName(service.name, language)

/** The names as plain texts. */
export const serviceNames = (services: readonly ServiceView[], language: Language): string[] =>
  services.map(({ name, names }) => names[language] ?? name)

const LAB_TESTS = /urine|oralfluid|saliva|hair|blood/i

const iconOf = ({ type }: ServiceView): Icon =>
  LAB_TESTS.test(type) ? 'tube' : /breath/i.test(type) ? 'wind' : /physical/i.test(type) ? 'stethoscope' : 'clipboard'
