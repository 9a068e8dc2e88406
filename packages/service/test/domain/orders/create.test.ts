import { constraintCode } from '@order-testing/contract'
import { describe, expect, test } from 'vitest'
import {
  ADDRESS,
  BACKGROUND,
  body,
  DOT_BREATH,
  DOT_PHYSICAL,
  DOT_RECORD,
  DOT_URINE,
  PERSON,
  problems,
  problemCodes,
  URINE,
} from '../../support/orders.ts'

const LICENSE = { type: 'driverLicense', value: 'D1', issuingState: 'IL' }
const settings = (members: object) => ({ settings: { schedulingOption: 'link', ...members } })
const underFra = { agency: { code: 'fra' }, jobCategory: { name: 'Train Service' } }
const dotUrine = { services: [DOT_URINE] }

describe('agency', () => {
  test('agency is required if the package includes a DOT service', () => {
    expect(problemCodes(body(), dotUrine)).toEqual(['required /agency'])
    expect(problemCodes(body(), { services: [URINE, DOT_BREATH] })).toEqual(['required /agency'])
  })

  test('agency is refused if the package has no DOT service', () => {
    expect(problemCodes(body({ agency: { code: 'PHMSA' } }))).toEqual(['invalidValue /agency'])
  })

  test('agency must be one of the list of agencies', () => {
    expect(problemCodes(body({ agency: { code: 'NASA' } }), dotUrine)).toEqual(['invalidValue /agency'])
    expect(problemCodes(body({ agency: { code: 'FAA', id: 'fra' } }), dotUrine)).toEqual(['invalidValue /agency'])
    expect(problemCodes(body({ agency: { code: 'NASA' } }))).toEqual(['invalidValue /agency'])
  })

  test('agency is found by id or code', () => {
    expect(problemCodes(body({ agency: {} }), dotUrine)).toEqual(['required /agency'])
  })

  test.each(['PHMSA', 'uscg'])('a DOT urine test under %s requires nothing else', (code) => {
    expect(problemCodes(body({ agency: { code } }), dotUrine)).toEqual([])
  })
})

describe('jobCategory', () => {
  test.each(['FAA', 'FRA', 'FTA'])(
    'jobCategory is required under %s if the package includes a DOT urine test',
    (code) => {
      expect(problemCodes(body({ agency: { code } }), dotUrine)).toEqual(['required /jobCategory'])
      expect(problemCodes(body({ agency: { code } }), { services: [URINE, DOT_BREATH] })).toEqual([])
    },
  )

  test('jobCategory is accepted there with any DOT service', () => {
    expect(problemCodes(body(underFra), dotUrine)).toEqual([])
    expect(problemCodes(body(underFra), { services: [DOT_BREATH] })).toEqual([])
  })

  test.each(['FMCSA', 'PHMSA', 'USCG'])('jobCategory is refused under %s', (code) => {
    const participant = { ...body().participant, identifiers: [LICENSE] }
    const sent = body({ agency: { code }, jobCategory: { name: 'Other' }, participant })
    expect(problemCodes(sent, dotUrine)).toEqual(['invalidValue /jobCategory'])
  })

  test('jobCategory is refused without a DOT service, whatever the agency', () => {
    expect(problemCodes(body({ jobCategory: { name: 'Other' } }))).toEqual(['invalidValue /jobCategory'])
    expect(problemCodes(body(underFra))).toEqual(['invalidValue /agency', 'invalidValue /jobCategory'])
  })

  test.each([{ name: 'Flight Attendant' }, { name: 'train service' }, { id: 'other', name: 'Mechanical' }])(
    'jobCategory must be one of the agency, not %j',
    (jobCategory) => {
      expect(problemCodes(body({ ...underFra, jobCategory }), dotUrine)).toEqual(['invalidValue /jobCategory'])
    },
  )

  test('jobCategory is found by id or name', () => {
    expect(problemCodes(body({ ...underFra, jobCategory: {} }), dotUrine)).toEqual(['required /jobCategory'])
  })

  test('jobCategory is not checked while the agency is unknown', () => {
    expect(problemCodes(body({ jobCategory: { name: 'Other' } }), dotUrine)).toEqual(['required /agency'])
    expect(problemCodes(body({ ...underFra, agency: { code: 'NASA' } }), dotUrine)).toEqual(['invalidValue /agency'])
  })
})

describe('otherTestReason', () => {
  const other = (otherTestReason?: string) => body({ testReason: 'other', otherTestReason })

  test('otherTestReason is allowed only with the test reason other', () => {
    expect(problemCodes(body({ otherTestReason: 'clinical' }))).toEqual(['invalidValue /otherTestReason'])
  })

  test('otherTestReason is optional with the test reason other', () => {
    expect(problemCodes(other())).toEqual([])
  })

  test('otherTestReason must be one of a list for packages without a DOT service', () => {
    expect(problemCodes(other('courtOrdered'))).toEqual([])
    expect(problemCodes(other('a whim'))).toEqual(['invalidValue /otherTestReason'])
    expect(problems(other('a whim')).map((problem) => constraintCode(problem))).toEqual(['isEnum'])
  })

  test.each([DOT_URINE, DOT_BREATH, DOT_PHYSICAL])(
    'otherTestReason is free text with a DOT $category service',
    (dot) => {
      const sent = { ...other('a whim'), agency: { code: 'USCG' } }
      expect(problemCodes(sent, { services: [BACKGROUND, dot], settings: { backgroundProvider: 'x' } })).toEqual([])
    },
  )

  test('otherTestReason is free text only with a DOT service of a category that allows it', () => {
    const sent = { ...other('a whim'), agency: { code: 'USCG' } }
    const given = { services: [DOT_RECORD, URINE], settings: { backgroundProvider: 'x' } }
    expect(problemCodes(sent, given)).toEqual(['invalidValue /otherTestReason'])
  })

  test('otherTestReason has 1 to 30 characters', () => {
    expect(problemCodes(other(''))).toEqual(['tooSmall /otherTestReason'])
    expect(problemCodes(other('x'.repeat(31)))).toEqual(['tooBig /otherTestReason'])
  })

  test('otherTestReason is not checked while the test reason is malformed', () => {
    expect(problemCodes(body({ testReason: 'whim', otherTestReason: 'x' }))).toEqual(['invalidValue /testReason'])
  })
})

describe('settings.observedCollection', () => {
  const observed = (testReason: string, observedCollection?: unknown) =>
    body({ ...underFra, testReason, ...settings({ observedCollection }) })

  test.each(['returnToDuty', 'followUp'])(
    'observedCollection must be true for %s with a DOT urine service',
    (reason) => {
      expect(problemCodes(observed(reason), dotUrine)).toEqual(['required /settings/observedCollection'])
      expect(problemCodes(observed(reason, 'false'), dotUrine)).toEqual(['invalidValue /settings/observedCollection'])
      expect(problemCodes(observed(reason, 'maybe'), dotUrine)).toEqual(['invalidType /settings/observedCollection'])
      expect(problemCodes(observed(reason, 1), dotUrine)).toEqual([])
    },
  )

  test('observedCollection is optional for other reasons and other services', () => {
    expect(problemCodes(observed('random'), dotUrine)).toEqual([])
    expect(problemCodes(observed('followUp'), { services: [DOT_BREATH] })).toEqual([])
    expect(problemCodes(body({ testReason: 'followUp' }))).toEqual([])
  })
})

describe('participant', () => {
  const order = (participant: object) => body({ participant, settings: { schedulingOption: 'order' } })
  const { address: _, ...homeless } = PERSON

  test.each(['address', 'birthDate', 'email', 'phone', 'identifiers'])('the option order requires %s', (member) => {
    expect(problemCodes(order(PERSON))).toEqual([])
    expect(problemCodes(order({ ...PERSON, [member]: undefined }))).toEqual([`required /participant/${member}`])
  })

  test('an empty list of identifiers counts as missing', () => {
    expect(problemCodes(order({ ...PERSON, identifiers: [] }))).toEqual(['required /participant/identifiers'])
  })

  test('the option link requires only the name of the participant', () => {
    expect(problemCodes(body())).toEqual([])
  })

  test.each([undefined, 'closestToParticipant'])('the option schedule with the mode %s requires an address', (mode) => {
    const chosen = { settings: { schedulingOption: 'schedule', clinicSelectionMode: mode } }
    expect(problemCodes(body(chosen))).toEqual(['required /participant/address'])
    expect(problemCodes(body({ ...chosen, participant: { ...body().participant, address: ADDRESS } }))).toEqual([])
  })

  test('the option schedule with a configured clinic requires no address', () => {
    const chosen = { settings: { schedulingOption: 'schedule', clinicSelectionMode: 'configured' } }
    expect(problemCodes(body({ ...chosen, participant: homeless }))).toEqual([])
  })

  test('a malformed clinic selection mode requires no address, unless every mode does', () => {
    const mode = { clinicSelectionMode: 'Configured' }
    expect(problemCodes(body({ settings: { schedulingOption: 'schedule', ...mode } }))).toEqual([
      'invalidValue /settings/clinicSelectionMode',
    ])
    expect(problemCodes(body({ participant: homeless, settings: { schedulingOption: 'order', ...mode } }))).toEqual([
      'invalidValue /settings/clinicSelectionMode',
      'required /participant/address',
    ])
  })

  test('a malformed detail of the participant is reported once', () => {
    expect(problemCodes(order({ ...PERSON, birthDate: '2023-02-29', address: { ...ADDRESS, city: '' } }))).toEqual([
      'tooSmall /participant/address/city',
      'invalidFormat /participant/birthDate',
    ])
    expect(problemCodes({ ...order({}), participant: 'Maria' })).toEqual(['invalidType /participant'])
  })

  test('address.country is a country of ISO 3166 and defaults to US', () => {
    expect(problemCodes(order({ ...PERSON, address: { ...ADDRESS, country: 'de' } }))).toEqual([])
    expect(problemCodes(order({ ...PERSON, address: { ...ADDRESS, country: 'ZZ' } }))).toEqual([
      'invalidValue /participant/address/country',
    ])
    expect(problemCodes(order({ ...PERSON, address: { ...ADDRESS, country: 'USA' } }))).toEqual([
      'invalidFormat /participant/address/country',
    ])
  })

  test('each type of identifier may occur once', () => {
    const identifiers = ['ssn', 'passport', 'ssn', 'ssn'].map((type) => ({ type, value: 'x' }))
    expect(problemCodes(body({ participant: { ...body().participant, identifiers } }))).toEqual([
      'invalidValue /participant/identifiers/2/type',
      'invalidValue /participant/identifiers/3/type',
    ])
  })

  test.each(['link', 'order', 'schedule'])('FMCSA requires a driver’s licence with %s', (schedulingOption) => {
    const under = (participant: object) =>
      body({ agency: { code: 'fmcsa' }, participant, settings: { schedulingOption } })
    expect(problemCodes(under(PERSON), dotUrine)).toEqual(['required /participant/identifiers'])
    expect(problemCodes(under({ ...PERSON, identifiers: undefined }), dotUrine)).toEqual([
      'required /participant/identifiers',
    ])
    expect(problemCodes(under({ ...PERSON, identifiers: [LICENSE] }), dotUrine)).toEqual([])
  })

  test('no driver’s licence is required if the agency itself is refused', () => {
    expect(problemCodes(body({ agency: { code: 'FMCSA' } }))).toEqual(['invalidValue /agency'])
  })
})

describe('phones of requester and delivery', () => {
  const sent = (phone: string) =>
    body({ requester: { ...body().requester, phone }, deliveryMethods: [{ type: 'mobile', phone }] })

  test.each(['(630) 555-0100', '+16305550100', '+44 20 7946 0958'])('%s is accepted as a phone', (phone) => {
    expect(problemCodes(sent(phone))).toEqual([])
  })

  test.each(['555-0100', 'none'])('%s is refused as a phone', (phone) => {
    const found = problems(sent(phone))
    expect(found).toMatchObject([
      { code: 'invalidFormat', pointer: '/requester/phone' },
      { code: 'invalidFormat', pointer: '/deliveryMethods/0/phone' },
    ])
    expect(found.map((problem) => constraintCode(problem))).toEqual(['isPhoneNumber', 'isPhoneNumber'])
  })
})

describe('settings.billingCode', () => {
  test('billingCode is required where the settings say so', () => {
    const given = { settings: { billingCodeRequired: true } }
    expect(problemCodes(body(), given)).toEqual(['required /settings/billingCode'])
    expect(problemCodes(body(settings({ billingCode: '' })), given)).toEqual(['tooSmall /settings/billingCode'])
    expect(problemCodes(body(settings({ billingCode: 'B-7' })), given)).toEqual([])
    expect(problemCodes(body(), { settings: { billingCodeRequired: false } })).toEqual([])
  })
})
