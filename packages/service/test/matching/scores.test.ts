import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_SCORE_BY_NAMES, personKeys, searchKeys, type Purpose } from '../../src/domain/matching/blocking-keys.ts'
import { conflictsWith, hasConflict, scorePair } from '../../src/domain/matching/score.ts'
import { startService, type TestService } from '../support/service.ts'
import { body, created, post, stored, world } from '../orders/given.ts'

const LOW = { orderMatching: { enabled: true, matchScore: 1 } }
const APP = { orderMatching: { enabled: true, profile: 'appCollection' } }
const NOW = new Date('2026-03-10T10:00:00.000Z')
const DAY = 86_400_000

let service: TestService
let sites = 0
beforeAll(async () => {
  service = await startService({ now: () => NOW })
  const locations = Array.from({ length: 40 }, (_, i) => ({ id: `site-${i}`, name: `Site ${i}` }))
  await service.apply(world({ locations }))
})
afterAll(() => service.stop())

/** A location without orders. */
const elsewhere = () => ({ location: { id: `site-${sites++}` } })

const ssn = (value: string) => ({ identifiers: [{ type: 'ssn', value }] })
const BORN = { birthDate: '1988-03-07' }
const CONTACTS = { email: 'a.person@example.com', phone: '(630) 555-0142' }
const NAMES = { firstName: 'Anna', lastName: 'Novak' }

const PAIRS: [string, object, object, number][] = [
  [
    'sent again, phone spelled otherwise',
    { ...NAMES, ...BORN, ...CONTACTS },
    { ...NAMES, ...BORN, ...CONTACTS, phone: '+1 630 555 0142' },
    100,
  ],
  [
    'José Núñez-Ortiz and JOSE NUNEZ ORTIZ with birth date',
    { firstName: 'José', lastName: 'Núñez-Ortiz', ...BORN },
    { firstName: 'JOSE', lastName: 'NUNEZ ORTIZ', ...BORN },
    100,
  ],
  [
    'Bob and Robert, same birth date and phone',
    { firstName: 'Robert', lastName: 'Hale', ...BORN, phone: '6305550199' },
    { firstName: 'Bob', lastName: 'Hale', ...BORN, phone: '6305550199' },
    98.8,
  ],
  [
    'twins Maria and Mario, shared phone',
    { firstName: 'Maria', lastName: 'Lopez', ...BORN, phone: '6305550142' },
    { firstName: 'Mario', lastName: 'Lopez', ...BORN, phone: '6305550142' },
    84,
  ],
  [
    'maiden name, same birth date, SSN, contacts',
    { ...NAMES, ...BORN, ...CONTACTS, ...ssn('536228841') },
    { ...NAMES, lastName: 'Whitfield', ...BORN, ...CONTACTS, ...ssn('536-22-8841') },
    89.4,
  ],
  [
    'maiden name, same birth date and contacts, no identifier',
    { ...NAMES, ...BORN, ...CONTACTS },
    { ...NAMES, lastName: 'Whitfield', ...BORN, ...CONTACTS },
    60,
  ],
  [
    'Lopez and Lopez-Garcia, same birth date and email',
    { firstName: 'Maria', lastName: 'Lopez', ...BORN, email: CONTACTS.email },
    { firstName: 'Maria', lastName: 'Lopez-Garcia', ...BORN, email: CONTACTS.email },
    97,
  ],
  [
    'Lopez and Lopez-Garcia, same birth date, email and phone',
    { firstName: 'Maria', lastName: 'Lopez', ...BORN, ...CONTACTS },
    { firstName: 'Maria', lastName: 'Lopez-Garcia', ...BORN, ...CONTACTS },
    97.3,
  ],
  [
    'Campbell and Campos, same first name, birth date, email and phone',
    { firstName: 'Ann', lastName: 'Campbell', ...BORN, ...CONTACTS },
    { firstName: 'Ann', lastName: 'Campos', ...BORN, ...CONTACTS },
    60,
  ],
  [
    'birth date 03-07 and 07-03, same email and phone',
    { ...NAMES, ...BORN, ...CONTACTS },
    { ...NAMES, birthDate: '1988-07-03', ...CONTACTS },
    93.3,
  ],
  [
    'SSN and birth date equal, names differ',
    { ...NAMES, ...BORN, ...ssn('536228841') },
    { firstName: 'Gregory', lastName: 'Whitfield', ...BORN, ...ssn('536228841') },
    56.2,
  ],
  [
    'SSN in conflict, the rest equal',
    { ...NAMES, ...BORN, ...CONTACTS, ...ssn('536228841') },
    { ...NAMES, ...BORN, ...CONTACTS, ...ssn('401559213') },
    60,
  ],
]

/** The examples at or below this score are those with a conflict. */
const CONFLICT = 60

describe('Order matching: the worked examples', () => {
  test.each(PAIRS.filter(([, , , score]) => score > CONFLICT))('%s score %f', async (_, first, second, score) => {
    const place = elsewhere()
    const { id } = await created(service, { ...place, participant: first })
    const sent = body({ ...place, participant: second, ...LOW })
    const answer = await post(service, sent)
    expect({ status: answer.status, matched: answer.body.matched, id: answer.body.id }).toEqual({
      status: 200,
      matched: { originalSource: 'api', score },
      id,
    })
    const usual = await post(service, { ...sent, orderMatching: { enabled: true } })
    expect(usual.status).toBe(score >= 85 ? 200 : 201)
  })

  test.each(PAIRS.filter(([, , , score]) => score <= CONFLICT))(
    'ruling 40: %s do not match at any matchScore',
    async (_, first, second) => {
      const place = elsewhere()
      await created(service, { ...place, participant: first })
      const answer = await post(service, body({ ...place, participant: second, ...LOW }))
      expect(answer.status).toBe(201)
    },
  )
})

describe('ruling 40: a low matchScore', () => {
  test('a low matchScore finds orders of people without a common blocking key', async () => {
    const place = elsewhere()
    const { id } = await created(service, { ...place, participant: { firstName: 'Maria', lastName: 'Lopez' } })
    const sent = body({ ...place, participant: { firstName: 'Maria', lastName: 'Lopes' } })
    for (const [matchScore, status] of [
      [60, 200],
      [70, 201],
    ] as const) {
      const answer = await post(service, { ...sent, orderMatching: { enabled: true, matchScore } })
      expect({ matchScore, status: answer.status, found: answer.body.id === id }).toEqual({
        matchScore,
        status,
        found: status === 200,
      })
    }
  })

  test('a matchScore of 0 matches neither people in conflict nor another test reason', async () => {
    const place = elsewhere()
    const zero = { orderMatching: { enabled: true, matchScore: 0 } }
    const stranger = body({ ...place, participant: { firstName: 'Zo', lastName: 'Quirk' } })
    const first = await post(service, { ...stranger, ...zero })
    expect(first.status).toBe(201)
    expect((await post(service, body({ ...place, ...zero }))).status).toBe(201)
    const again = await post(service, { ...stranger, ...zero })
    expect({ status: again.status, id: again.body.id, score: again.body.matched?.score }).toEqual({
      status: 200,
      id: first.body.id,
      score: 70,
    })
    expect((await post(service, { ...stranger, ...zero, testReason: 'sweep' })).status).toBe(201)
  })
})

/** Nine digits in several spellings, four digits, and values that are never compared. */
const NUMBERS =
  '536228841,536-22-8841,５３６２２８８４１,536228842,401559213,8841,8842,0000,36228841,XXX-XX-8841'.split(',')
const maybe = <T>(values: T[]) => fc.option(fc.constantFrom(...values), { nil: null })
const person = fc.record({
  firstName: fc.constantFrom('Maria', 'Mario', 'Mary', 'M', 'Robert', 'Bob'),
  lastName: fc.constantFrom('Lopez', 'Lopes', 'Lopez-Garcia', 'Lopezz', 'Quirk'),
  middleName: maybe(['Ann', 'A', 'Maria']),
  birthDate: maybe(['1988-03-07', '1988-07-03', '1988-03-08', '1970-12-31']),
  email: maybe(['a@example.com', 'A@example.com ', 'b@example.com']),
  phone: maybe(['6305550142', '+1 630 555 0142', '3125550000']),
  identifiers: fc.uniqueArray(
    fc.record({
      type: fc.constantFrom('ssn', 'passport'),
      value: fc.constantFrom(...NUMBERS),
    }),
    { selector: ({ type }) => type, maxLength: 2 },
  ),
})
const profiles = fc.constantFrom('standard' as const, 'appCollection' as const)

test('people without a common blocking key never score above the limit of wide searches', () => {
  const purpose: Purpose = {
    locationId: 'l',
    companyId: 'c',
    packageIds: ['p'],
    testReason: 'random',
    otherTestReason: null,
    agencyId: null,
    observed: false,
    services: [],
  }
  fc.assert(
    fc.property(person, person, profiles, (a, b, profile) => {
      const kept = new Set(personKeys(purpose, b, profile))
      fc.pre(!searchKeys(purpose, a, profile, MAX_SCORE_BY_NAMES + 0.1).some((key) => kept.has(key)))
      expect(scorePair(a, b, profile).score).toBeLessThanOrEqual(MAX_SCORE_BY_NAMES)
    }),
    { numRuns: 3000 },
  )
})

test('a conflict in names and birth date is a conflict of the whole comparison', () => {
  fc.assert(
    fc.property(person, person, profiles, (a, b, profile) => {
      fc.pre(conflictsWith(a)(b))
      expect(hasConflict(scorePair(a, b, profile))).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

describe('Order matching: the profile appCollection', () => {
  const RECORDED = { firstName: 'Anna', lastName: 'Novak', ...BORN }
  const app = async (members: Parameters<typeof stored>[1]) => {
    const place = elsewhere()
    const order = await stored(service, {
      source: 'app',
      createdAt: NOW,
      location: { id: place.location.id, name: 'x' },
      services: [{ status: 'collected' }],
      ...members,
      participant: { ...RECORDED, lastName: `Novak${place.location.id}` },
    })
    return { order, participant: { ...RECORDED, lastName: `Novak${place.location.id}` } }
  }
  const statusFor = async (members: Parameters<typeof stored>[1], request: object = {}) => {
    const { participant } = await app(members)
    return (await post(service, body({ participant, ...APP, ...request }))).status
  }

  test('appCollection finds a test that a collector’s app recorded at another location of the company', async () => {
    const { order, participant } = await app({})
    const answer = await post(service, body({ participant, ...APP }))
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      id: order.id,
      status: 'pending',
      matched: { originalSource: 'app', score: 100 },
    })
  })

  test('appCollection finds only orders of the source app', async () => {
    expect(await statusFor({ source: 'api' })).toBe(201)
    expect(await statusFor({ source: 'import' })).toBe(201)
  })

  test('appCollection requires the same company', async () => {
    expect(await statusFor({ company: { id: 'globex', name: 'Globex' } })).toBe(201)
  })

  test('appCollection requires the same set of services', async () => {
    expect(await statusFor({}, { package: { id: 'several' } })).toBe(201)
    expect(await statusFor({}, { package: { id: 'dot' }, agency: { code: 'PHMSA' } })).toBe(201)
  })

  test('appCollection requires the same reason, unless one is unknown', async () => {
    expect(await statusFor({ testReason: 'postAccident' })).toBe(201)
    expect(await statusFor({ testReason: 'unknown' })).toBe(200)
    expect(await statusFor({ testReason: 'postAccident' }, { testReason: 'unknown' })).toBe(200)
  })

  test('appCollection looks back seven days, or as the request says', async () => {
    const before = (days: number) => ({ createdAt: new Date(NOW.getTime() - days * DAY) })
    expect(await statusFor(before(7))).toBe(200)
    expect(await statusFor(before(7.01))).toBe(201)
    const longer = { ...APP.orderMatching, lookBackPeriod: { unit: 'days', value: 9 } }
    expect(await statusFor(before(8), { orderMatching: longer })).toBe(200)
  })

  test.each([
    ['negative', 200],
    ['cancelled', 201],
    ['expired', 201],
    ['noShow', 201],
    ['testCancelled', 201],
  ] as const)('a candidate that is %s answers %i', async (status, expected) => {
    expect(await statusFor({ services: [{ status }] })).toBe(expected)
  })

  test('appCollection requires a score of 90', async () => {
    const { participant } = await app({})
    const soft = { ...participant, birthDate: '1988-07-03' }
    expect((await post(service, body({ participant: soft, ...APP }))).status).toBe(201)
    const lower = { orderMatching: { ...APP.orderMatching, matchScore: 80 } }
    expect((await post(service, body({ participant: soft, ...lower }))).status).toBe(200)
  })

  test('the profile standard finds an order of an app too', async () => {
    const { order, participant } = await app({
      location: { id: 'hq', name: 'Headquarters' },
      services: [{ status: 'scheduled' }],
    })
    const answer = await post(service, body({ participant, orderMatching: { enabled: true } }))
    expect(answer.body).toMatchObject({ id: order.id, matched: { originalSource: 'app' } })
  })
})
