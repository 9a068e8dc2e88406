import type { CatalogSettings, CreateOrder, Problem } from '@order-testing/contract'
import type { Draft, ServiceFacts } from './references.ts'

export type Option = CreateOrder['settings']['schedulingOption']
export type Mode = NonNullable<CreateOrder['settings']['clinicSelectionMode']>

/** The clinic selection modes of each scheduling option, the default first. */
const MODES: Record<Option, readonly (Mode | null)[]> = {
  link: [null],
  order: [null, 'requesterSelects'],
  schedule: ['closestToParticipant', 'configured'],
}

const BACKGROUND = 'background'

interface Choice {
  schedulingOption: Option
  clinicSelectionMode?: Mode | undefined
}

/** The mode is null if no clinic is selected. */
export function schedulingOf({ schedulingOption, clinicSelectionMode }: Choice): { option: Option; mode: Mode | null } {
  return { option: schedulingOption, mode: clinicSelectionMode ?? MODES[schedulingOption][0] ?? null }
}

/** The services that need a visit to a clinic. The clinic must offer all of them. */
export function inPersonServiceIds(services: readonly Pick<ServiceFacts, 'id' | 'category'>[]): string[] {
  return services.filter(({ category }) => category !== BACKGROUND).map(({ id }) => id)
}

export const hasBackground = (services: readonly Pick<ServiceFacts, 'category'>[]) =>
  services.some(({ category }) => category === BACKGROUND)

export const refusalForClinic = (outcome: keyof typeof CLINIC_REFUSALS): Problem => CLINIC_REFUSALS[outcome]

/** Why there is no clinic to book for `schedule`. */
const CLINIC_REFUSALS = {
  unplaced: {
    code: 'invalidValue',
    detail: 'This address could not be located. Check city, state and postal code.',
    pointer: '/participant/address',
  },
  noneInReach: {
    code: 'invalidValue',
    detail:
      'No clinic in range of this address offers all services of the package. Find clinics with POST /api/v2/clinics/search.',
    pointer: '/participant/address',
  },
  allAboveCap: {
    code: 'scheduleClinicExcludedByFeeCap',
    detail: 'All clinics in range exceed the fee cap of the location or company. Ask the operator to raise it.',
  },
  configuredUnavailable: {
    code: 'scheduleConfiguredClinicUnavailable',
    detail:
      'Neither the location nor its company has a configured clinic that can serve this order. Use another clinic selection mode.',
    pointer: '/settings/clinicSelectionMode',
  },
} satisfies Record<string, Problem>

/** Checks that option, mode and package can be combined. */
export function checkScheduling(
  { settings: { schedulingOption, clinicSelectionMode: mode } = {} }: Draft,
  services: readonly ServiceFacts[] | undefined,
  settings: CatalogSettings | undefined,
  { lacksBackgroundTexts = false } = {},
): Problem[] {
  const isBackground = hasBackground(services ?? [])
  return [
    ...(schedulingOption && mode && !MODES[schedulingOption].includes(mode) ? [invalidMode(schedulingOption)] : []),
    ...(isBackground && schedulingOption && schedulingOption !== 'link' ? [LINK_REQUIRED] : []),
    ...(isBackground ? checkBackground(settings, lacksBackgroundTexts) : []),
  ]
}

function checkBackground(settings: CatalogSettings | undefined, lacksTexts: boolean): Problem[] {
  if (settings && settings.backgroundProvider === undefined) return [NO_PROVIDER]
  return lacksTexts ? [NO_TEXTS] : []
}

function invalidMode(option: Option): Problem {
  const allowed = MODES[option].filter((mode) => mode !== null)
  const detail =
    allowed.length > 0
      ? `requires the clinic selection mode ${allowed.join(' or ')}`
      : 'does not accept a clinic selection mode'
  return {
    code: 'invalidScheduleStrategy',
    detail: `The scheduling option "${option}" ${detail}.`,
    pointer: '/settings/clinicSelectionMode',
  }
}

const LINK_REQUIRED: Problem = {
  code: 'linkRequiredBackground',
  detail: `Background checks require the participant's authorization: use the scheduling option "link".`,
  pointer: '/settings/schedulingOption',
}

const NO_PROVIDER: Problem = {
  code: 'backgroundCheckIntegrationNotConfigured',
  detail: 'No background check provider is configured for this company. Ask the operator to configure one.',
  pointer: '/package',
}

/** Ruling 55: in production the built-in texts, which are placeholders, are not shown to anyone. */
const NO_TEXTS: Problem = {
  code: 'backgroundCheckIntegrationNotConfigured',
  detail: 'The texts of background checks are not configured. Ask the operator to add them to the catalog.',
  pointer: '/package',
}
