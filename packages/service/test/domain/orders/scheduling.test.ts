import { CLINIC_SELECTION_MODES, SCHEDULING_OPTIONS } from '@order-testing/contract'
import { describe, expect, test } from 'vitest'
import { inPersonServiceIds, refusalForClinic, schedulingOf } from '../../../src/domain/orders/scheduling.ts'
import { BACKGROUND, body, DOT_BREATH, PERSON, problemCodes, URINE } from '../../support/orders.ts'

const chosen = (schedulingOption: string, clinicSelectionMode?: string) =>
  body({ participant: PERSON, settings: { schedulingOption, clinicSelectionMode } })

describe('settings.clinicSelectionMode', () => {
  const pairs = new Set(['schedule closestToParticipant', 'schedule configured', 'order requesterSelects'])
  const all = SCHEDULING_OPTIONS.flatMap((option) => CLINIC_SELECTION_MODES.map((mode) => [option, mode] as const))

  test.each(all.filter(([option, mode]) => pairs.has(`${option} ${mode}`)))(
    'the option %s accepts the mode %s',
    (option, mode) => {
      expect(problemCodes(chosen(option, mode))).toEqual([])
    },
  )

  test.each(all.filter(([option, mode]) => !pairs.has(`${option} ${mode}`)))(
    'the option %s refuses the mode %s',
    (option, mode) => {
      expect(problemCodes(chosen(option, mode))).toEqual(['invalidScheduleStrategy /settings/clinicSelectionMode'])
    },
  )

  test.each(SCHEDULING_OPTIONS)('clinicSelectionMode is optional with %s', (option) => {
    expect(problemCodes(chosen(option))).toEqual([])
  })

  test('clinicSelectionMode is not checked while the option is malformed', () => {
    expect(problemCodes(chosen('never', 'configured'))).toEqual(['invalidValue /settings/schedulingOption'])
  })

  test('closestToParticipant is the default mode of schedule', () => {
    expect(schedulingOf({ schedulingOption: 'schedule' })).toEqual({ option: 'schedule', mode: 'closestToParticipant' })
    expect(schedulingOf({ schedulingOption: 'schedule', clinicSelectionMode: 'configured' }).mode).toBe('configured')
    expect(schedulingOf({ schedulingOption: 'order', clinicSelectionMode: 'requesterSelects' }).mode).toBe(
      'requesterSelects',
    )
    expect(schedulingOf({ schedulingOption: 'order' }).mode).toBeNull()
    expect(schedulingOf({ schedulingOption: 'link' }).mode).toBeNull()
  })
})

describe('a package with a background service', () => {
  const services = [URINE, BACKGROUND]
  const provided = { services, settings: { backgroundProvider: 'checkers' } }

  test.each(['order', 'schedule'])('a background service is refused with %s', (option) => {
    expect(problemCodes(chosen(option), provided)).toEqual(['linkRequiredBackground /settings/schedulingOption'])
  })

  test('a background service is allowed with link', () => {
    expect(problemCodes(chosen('link'), provided)).toEqual([])
  })

  test('a background service requires a provider in the settings of the company', () => {
    expect(problemCodes(chosen('link'), { services })).toEqual(['backgroundCheckIntegrationNotConfigured /package'])
  })

  test('both problems of a background service are reported', () => {
    expect(problemCodes(chosen('order'), { services })).toEqual([
      'linkRequiredBackground /settings/schedulingOption',
      'backgroundCheckIntegrationNotConfigured /package',
    ])
  })

  test('a missing provider is not reported while the company is unknown', () => {
    expect(problemCodes(chosen('link'), { services, location: { kind: 'none' } })).toEqual(['invalidValue /location'])
  })
})

describe('clinics', () => {
  test('a clinic must offer the services that need a visit', () => {
    expect(inPersonServiceIds([URINE, BACKGROUND, DOT_BREATH])).toEqual(['srv_1', 'srv_3'])
  })

  test.each([
    ['unplaced', 'invalidValue', '/participant/address'],
    ['noneInReach', 'invalidValue', '/participant/address'],
    ['allAboveCap', 'scheduleClinicExcludedByFeeCap', undefined],
    ['configuredUnavailable', 'scheduleConfiguredClinicUnavailable', '/settings/clinicSelectionMode'],
  ] as const)('the outcome %s is refused with %s', (outcome, code, pointer) => {
    const problem = refusalForClinic(outcome)
    expect([problem.code, problem.pointer]).toEqual([code, pointer])
  })
})
