import { describe, expect, test } from 'vitest'
import { matchingOf, mergeSettings, withSettingAsFloor } from '../../../src/domain/orders/settings.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const enabled = true

describe('settings: location overrides company', () => {
  test('each setting of the location overrides that of the company', () => {
    const company = { billingCodeRequired: true, clinicFeeCap: 50, backgroundProvider: 'checkers' }
    expect(mergeSettings(company, { clinicFeeCap: 80, configuredClinic: 'cln_1' })).toEqual({
      billingCodeRequired: true,
      clinicFeeCap: 80,
      backgroundProvider: 'checkers',
      configuredClinic: 'cln_1',
    })
  })

  test('a setting of false or zero overrides too', () => {
    const company = { billingCodeRequired: true, clinicFeeCap: 50 }
    expect(mergeSettings(company, { billingCodeRequired: false, clinicFeeCap: 0 })).toEqual({
      billingCodeRequired: false,
      clinicFeeCap: 0,
    })
  })

  test('expiresIn is overridden together with its unit', () => {
    const company = { expiresIn: 48, expiresInUnit: 'hours' } as const
    expect(mergeSettings(company, { expiresIn: 3 })).toEqual({ expiresIn: 3 })
    expect(mergeSettings(company, { expiresInUnit: 'days' })).toEqual(company)
    expect(mergeSettings(company, {})).toEqual(company)
  })

  test('each member of orderMatching is overridden on its own', () => {
    const company = { orderMatching: { enabled: false, profile: 'appCollection', matchScore: 95 } } as const
    expect(mergeSettings(company, { orderMatching: { enabled } })).toEqual({
      orderMatching: { enabled, profile: 'appCollection', matchScore: 95 },
    })
    expect(mergeSettings(company, {})).toEqual(company)
    expect(mergeSettings({}, company)).toEqual(company)
  })
})

describe('order matching: request over location over company', () => {
  test.each([
    [
      'order matching is off by default',
      undefined,
      undefined,
      { enabled: false, profile: 'standard', lookBackMs: 30 * DAY, minScore: 85 },
    ],
    [
      'standard looks back 30 days for a score of 85',
      { enabled },
      undefined,
      { enabled, profile: 'standard', lookBackMs: 30 * DAY, minScore: 85 },
    ],
    [
      'appCollection looks back 7 days for a score of 90',
      { enabled, profile: 'appCollection' },
      undefined,
      { enabled, profile: 'appCollection', lookBackMs: 7 * DAY, minScore: 90 },
    ],
    [
      'the location or company turns order matching on',
      undefined,
      { enabled, profile: 'appCollection' },
      { enabled, profile: 'appCollection', lookBackMs: 7 * DAY, minScore: 90 },
    ],
    ['the request turns order matching off', { enabled: false }, { enabled }, { enabled: false }],
    ['the request turns order matching on', { enabled }, { enabled: false }, { enabled }],
    [
      'each member of the request overrides the setting',
      { enabled, matchScore: 0 },
      { enabled, matchScore: 99, lookBackPeriod: { unit: 'hours', value: 5 } },
      { minScore: 0, lookBackMs: 5 * HOUR },
    ],
    [
      'the look-back period of the request overrides the setting',
      { enabled, lookBackPeriod: { unit: 'days', value: 2 } },
      { enabled, lookBackPeriod: { unit: 'hours', value: 5 } },
      { lookBackMs: 2 * DAY },
    ],
    [
      'the profile of the request brings its own defaults',
      { enabled, profile: 'standard' },
      { enabled, profile: 'appCollection' },
      { profile: 'standard', lookBackMs: 30 * DAY, minScore: 85 },
    ],
  ] as const)('%s', (_, request, orderMatching, options) => {
    expect(matchingOf(request, { orderMatching })).toMatchObject(options)
  })
})

describe('ruling 40: a token without order.participant.read cannot ask for less than the setting', () => {
  test.each([
    [0, undefined, 85],
    [84.9, undefined, 85],
    [92, undefined, 92],
    [0, { enabled, matchScore: 70 }, 70],
    [100, { enabled, matchScore: 70 }, 100],
    [50, { enabled, profile: 'appCollection' }, 90],
  ] as const)('a matchScore of %f over the setting %j counts as %f', (matchScore, orderMatching, minScore) => {
    expect(withSettingAsFloor(matchingOf({ enabled, matchScore }, { orderMatching })).minScore).toBe(minScore)
  })
})
