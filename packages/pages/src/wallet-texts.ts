import { formatMoment } from './formats.ts'
import { adjustAccent } from './style/accent.ts'
import { LIGHT } from './style/tokens.ts'
import { textsIn } from './texts.ts'
import type { Language, PassView } from './views.ts'

/** What a wallet shows: no name and no test, because others may see a locked phone. */
export function walletTexts(view: PassView, language: Language) {
  const texts = textsIn(language)
  const { appointmentAt, isArrival, expiresAt, clinic, brand } = view
  const zone = clinic?.timezone ?? view.timezone
  const deadline = expiresAt ? `${texts.goBy} ${formatMoment(expiresAt, language, zone)}` : texts.whenever
  const place = clinic ? [clinic.name, ...clinic.address].join(', ') : ''
  return {
    title: texts.testingPass,
    orderCode: texts.orderCode,
    when: {
      label: isArrival ? texts.clinics.plannedArrival : texts.when,
      value: appointmentAt ? formatMoment(appointmentAt, language, zone) : deadline,
    },
    where: { label: texts.where, value: place },
    bring: { label: texts.bring, value: `${texts.visit.bringId.join('. ')} ${texts.pass.paper.latest}` },
    color: adjustAccent(brand.accent ?? LIGHT.accent).light.accent,
  }
}
