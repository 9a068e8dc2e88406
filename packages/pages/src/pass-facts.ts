import { clinicAddress, clinicHours } from './clinic.ts'
import { formatMoment, formatUnzoned, hasZonesInWords, zoneOf } from './formats.ts'
import { html, type Html, type Part } from './html.ts'
import { properName } from './names.ts'
import { serviceName } from './order-card.ts'
import { textsIn } from './texts.ts'
import type { Language, PassView } from './views.ts'

interface Fact {
  name: string
  value: Part
  /** Two of these share a line. */
  isHalf?: boolean
  isTime?: boolean
}

/** Facts as a description list. */
export const factsOf = (facts: Fact[]): Html =>
  html`<dl>
    ${facts.map(
      ({ name, value, isHalf, isTime }) =>
        html`<div${isHalf ? html` class="half"` : ''}>
          <dt>${name}</dt>
          <dd${isTime ? html` class="when"` : ''}>${value}</dd>
        </div>`,
    )}
  </dl>`

/** When, where, who, who pays, and what. */
export function bookingFacts(view: PassView, language: Language): Fact[] {
  const texts = textsIn(language)
  const { services } = view
  return [
    ...placeFacts(view, language),
    { name: texts.personName, value: view.name, isHalf: true },
    { name: texts.paidBy, value: properName(view.company, language), isHalf: true },
    {
      name: texts.test(services.length),
      value: html`<ul>
        ${services.map((service) => html`<li>${serviceName(service, language)}</li>`)}
      </ul>`,
    },
  ]
}

export function placeFacts(view: PassView, language: Language): Fact[] {
  const texts = textsIn(language)
  const { clinic, isArrival } = view
  const when: Fact = {
    name: isArrival ? texts.clinics.plannedArrival : texts.when,
    value: whenOf(view, language),
    isTime: true,
  }
  if (!clinic) return [when]
  const where = html`<b>${properName(clinic.name, language)}</b><br />
    ${clinicAddress(clinic, language)} ${clinic.hours ? clinicHours({ ...clinic, phone: null }, language) : ''}`
  return [when, { name: texts.where, value: where }]
}

/** The time, with a long zone on a line of its own, or until when to walk in. */
export function whenOf({ appointmentAt, isArrival, expiresAt, clinic, timezone }: PassView, language: Language): Part {
  const texts = textsIn(language)
  const zone = clinic?.timezone ?? timezone
  if (!appointmentAt) {
    const by = expiresAt && html`${texts.goBy} ${formatMoment(expiresAt, language, zone)}. `
    return html`${texts.whenever}<small>${by}${texts.noAppointment}</small>`
  }
  const time = hasZonesInWords(language)
    ? html`${formatUnzoned(appointmentAt, language, zone)}<small>${zoneOf(appointmentAt, language, zone)}</small>`
    : formatMoment(appointmentAt, language, zone)
  return isArrival ? html`${time}<small>${texts.arrivalHint}</small>` : time
}
