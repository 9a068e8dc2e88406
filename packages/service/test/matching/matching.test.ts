import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { body, cancelled, created, GLOBEX, only, PERSON, post, SECRET, stored, world } from '../orders/given.ts'

const START = new Date('2026-03-02T10:00:00.000Z')
const DAY = 86_400_000
const clock = { now: START }
const ON = { orderMatching: { enabled: true } }

let service: TestService
beforeAll(async () => {
  service = await startService({ now: () => clock.now })
  await service.apply(
    world({
      linked: ['eager'],
      locations: [
        { id: 'site', name: 'Site' },
        { id: 'eager-site', name: 'Eager Site', settings: { orderMatching: { enabled: true } } },
      ],
      companies: [
        {
          id: 'eager',
          name: 'Eager',
          packages: ['basic', 'several'],
          settings: { orderMatching: { enabled: true, lookBackPeriod: { unit: 'hours', value: 2 }, matchScore: 99.5 } },
          locations: [
            { id: 'eager-hq', name: 'Eager HQ' },
            { id: 'reluctant', name: 'Reluctant', settings: { orderMatching: { enabled: false } } },
          ],
        },
      ],
    }),
  )
})
afterAll(() => service.stop())

let people = 0
/** A person without orders. */
function somebody(members: object = {}): typeof PERSON {
  people += 1
  const letters = Array.from(String(people), (digit) => 'abcdefghij'[Number(digit)]).join('')
  const person = { ...PERSON, lastName: `Q${letters}zx${letters}`, email: `${letters}@example.com` }
  const digits = String(people).padStart(4, '0')
  const identifiers = [{ type: 'ssn', value: `5${digits}${digits}` }]
  return { ...person, birthDate: dateOf(people), phone: `(630) 555-${digits}`, identifiers, ...members }
}

const dateOf = (day: number) => new Date(Date.UTC(1970, 0, 1 + day * 97)).toISOString().slice(0, 10)

/** Places two orders, and returns whether the second matched the first. */
async function isMatched(first: object, second: object, later = 0): Promise<boolean> {
  const participant = somebody()
  clock.now = START
  const { id } = await created(service, { participant, ...first, orderMatching: { enabled: false } })
  clock.now = new Date(START.getTime() + later)
  const answer = await post(service, body({ participant, ...ON, ...second }))
  clock.now = START
  const isFirst = answer.status === 200 && answer.body.id === id && answer.body.matched.originalSource === 'api'
  if (!isFirst && answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return isFirst
}

describe('order matching', () => {
  test('a match answers 200 with the order on file, its source and the score', async () => {
    const participant = somebody()
    const first = await created(service, { participant })
    const answer = await post(service, body({ participant, ...ON }))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...first, matched: { originalSource: 'api', score: 100 } })
    expect((await service.call(SECRET, first.url)).body).not.toHaveProperty('matched')
  })

  test('a match records how its score was computed, and nothing of the person', async () => {
    const participant = somebody({ firstName: 'Robert' })
    const { id } = await created(service, { participant })
    await post(service, body({ participant: { ...participant, firstName: 'Bob' }, ...ON }))
    const { score, explanation, tokenId } = only(
      await service.pool<{ score: string; tokenId: string; explanation: { parts: object[]; caps: object[] } }[]>`
        select score, explanation, token_id from order_matches where order_id = ${id}`,
    )
    expect([Number(score), tokenId]).toEqual([99, expect.any(String)])
    expect(explanation).toMatchObject({ profile: 'standard', minScore: 85 })
    expect(explanation.parts).toContainEqual({ field: 'first', weight: 15, similarity: 0.95, kind: 'nickname' })
    expect(explanation.caps).toContainEqual({ reason: 'lessKnown', limit: 99 })
    for (const value of [participant.lastName, participant.email, participant.birthDate]) {
      expect(JSON.stringify(explanation)).not.toContain(value)
    }
  })

  test('a blocking key that an order has twice is stored once', async () => {
    const identifier = { type: 'employeeId', value: 'AB-12', issuingCountry: null, issuingState: null } as const
    const { id } = await stored(service, {
      participant: { identifiers: [identifier, { ...identifier, value: 'ab12' }] },
    })
    const keys = await service.pool.values`select key::text from blocking_keys where order_id = ${id}`
    expect(keys).toHaveLength(new Set(keys).size)
    const [given] = await service.pool.values`select cardinality(blocking_keys) from orders where id = ${id}`
    expect(keys).toHaveLength(Number(given) - 1)
  })

  test('a match creates no order', async () => {
    const participant = somebody()
    await created(service, { participant })
    const total = async () => (await service.call(SECRET, '/api/v2/orders')).body.total
    const before = await total()
    await post(service, body({ participant, ...ON }))
    expect(await total()).toBe(before)
  })

  test.each([
    ['hq', undefined, 201],
    ['hq', { enabled: false }, 201],
    ['hq', { enabled: true }, 200],
    ['eager-site', undefined, 200],
    ['eager-site', { enabled: false }, 201],
    ['eager-hq', undefined, 200],
    ['eager-hq', { enabled: 'false' }, 201],
    ['reluctant', undefined, 201],
    ['reluctant', { enabled: 1 }, 200],
  ])(
    'at %s, order matching is turned on by the request, else the location, else the company: %j',
    async (id, orderMatching, status) => {
      const sent = body({ location: { id }, participant: somebody(), orderMatching })
      expect((await post(service, sent)).status).toBe(201)
      expect((await post(service, sent)).status).toBe(status)
    },
  )

  test('fifty equal concurrent requests create one order', async () => {
    const sent = body({ participant: somebody(), ...ON })
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(service, sent)))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([...Array.from({ length: 49 }, () => 200), 201])
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
  })

  test('equal concurrent requests with different scores create one order', async () => {
    const participant = somebody()
    const scores = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 80 : 90))
    const answers = await Promise.all(
      scores.map((matchScore) => post(service, body({ participant, orderMatching: { enabled: true, matchScore } }))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
  })

  test('of several orders with the same score, the newest matches', async () => {
    const participant = somebody()
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      clock.now = new Date(START.getTime() + i)
      ids.push((await created(service, { participant })).id)
    }
    expect((await post(service, body({ participant, ...ON }))).body.id).toBe(ids[2])
    clock.now = START
  })

  test('of several orders, the one with the best score matches, even if it is older', async () => {
    const participant = somebody()
    const best = await created(service, { participant })
    clock.now = new Date(START.getTime() + 1000)
    await created(service, { participant: { ...participant, firstName: 'Mary' } })
    expect((await post(service, body({ participant, ...ON }))).body.id).toBe(best.id)
    clock.now = START
  })

  test('a match shows the current order, with the clinic and the participant on file', async () => {
    const participant = somebody()
    const given = { identifiers: [{ ...participant.identifiers.at(0)!, issuingCountry: null, issuingState: null }] }
    const on = await stored(service, {
      source: 'portal',
      createdAt: START,
      services: [{ status: 'scheduled' }],
      participant: { ...participant, address: null, phone: '+16305559999', ...given },
    })
    const answer = await post(service, body({ participant, ...ON }))
    expect(answer.body).toMatchObject({
      id: on.id,
      status: 'scheduled',
      participant: { phone: '+16305559999' },
      matched: { originalSource: 'portal' },
    })
  })
})

describe('Order matching: the purpose of the profile standard', () => {
  test('an order with the same purpose matches', async () => {
    expect(await isMatched({}, {})).toBe(true)
  })

  test.each([
    ['location', { location: { id: 'site' } }],
    ['package', { package: { id: 'several' } }],
    ['reason', { testReason: 'postAccident' }],
    ['observed flag', { settings: { schedulingOption: 'link', observedCollection: true } }],
  ])('an order with another %s does not match', async (_, second) => {
    expect(await isMatched({}, second)).toBe(false)
    expect(await isMatched(second, {})).toBe(false)
    expect(await isMatched(second, second)).toBe(true)
  })

  test('an order with another otherTestReason does not match', async () => {
    const other = (otherTestReason?: string) => ({ testReason: 'other', otherTestReason })
    expect(await isMatched(other('clinical'), other('forensic'))).toBe(false)
    expect(await isMatched(other('clinical'), other())).toBe(false)
    expect(await isMatched(other('clinical'), other('clinical'))).toBe(true)
  })

  test('an order with another agency does not match', async () => {
    const under = (code: string) => ({ package: { id: 'dot-alcohol' }, agency: { code } })
    expect(await isMatched(under('PHMSA'), under('USCG'))).toBe(false)
    expect(await isMatched(under('PHMSA'), under('phmsa'))).toBe(true)
  })

  test('scheduling option, billing code and delivery method are not compared', async () => {
    const settings = { schedulingOption: 'order', billingCode: 'x', expiresIn: 3 }
    expect(await isMatched({ settings }, { deliveryMethods: [{ type: 'mobile', phone: '6305550142' }] })).toBe(true)
  })

  test('an expired order does not match', async () => {
    const settings = { schedulingOption: 'link', expiresIn: 1 }
    expect(await isMatched({ settings }, {}, DAY - 1)).toBe(true)
    expect(await isMatched({ settings }, {}, DAY)).toBe(false)
  })

  test('an order that is neither ordered nor scheduled does not match', async () => {
    for (const [status, expected] of [
      ['scheduled', 200],
      ['checkedIn', 201],
      ['negative', 201],
      ['noShow', 201],
      ['expired', 201],
    ] as const) {
      const { identifiers: _, ...participant } = somebody()
      await stored(service, {
        createdAt: START,
        services: [{ status }],
        participant: { ...participant, address: null },
      })
      expect({ status, answer: (await post(service, body({ participant, ...ON }))).status }).toEqual({
        status,
        answer: expected,
      })
    }
  })

  test('a cancelled order does not match', async () => {
    const participant = somebody()
    const { id } = await created(service, { participant })
    await cancelled(service, id)
    expect((await post(service, body({ participant, ...ON }))).status).toBe(201)
  })

  test('an order of another company does not match', async () => {
    const participant = somebody()
    await stored(service, { createdAt: START, participant: { ...participant, address: null, identifiers: [] } })
    const sent = body({ participant, location: { id: 'globex-hq' }, ...ON })
    expect((await post(service, sent, { secret: GLOBEX })).status).toBe(201)
  })

  test('an order does not match after its location moved to another company', async () => {
    const participant = somebody()
    await stored(service, {
      createdAt: START,
      company: { id: 'acme', name: 'Acme' },
      location: { id: 'globex-hq', name: 'Globex HQ' },
      participant: { ...participant, address: null, identifiers: [] },
    })
    const sent = body({ participant, location: { id: 'globex-hq' }, ...ON })
    expect((await post(service, sent, { secret: GLOBEX })).status).toBe(201)
  })
})

describe('Order matching: look-back period and score', () => {
  test('the defaults are 30 days and a score of 85', async () => {
    expect(await isMatched({}, {}, 30 * DAY)).toBe(true)
    expect(await isMatched({}, {}, 30 * DAY + 1)).toBe(false)
  })

  test('the request sets the look-back period and the score', async () => {
    const within = (unit: string, value: number | string) => ({
      orderMatching: { enabled: true, lookBackPeriod: { unit, value } },
    })
    expect(await isMatched({}, within('hours', 1), DAY / 24)).toBe(true)
    expect(await isMatched({}, within('hours', '1'), DAY / 24 + 1)).toBe(false)
    expect(await isMatched({}, within('days', 60), 60 * DAY)).toBe(true)
  })

  test('without them in the request, the settings of the location or company count', async () => {
    const location = { location: { id: 'eager-hq' } }
    const silent = { ...location, orderMatching: undefined }
    expect(await isMatched(location, silent, DAY / 12)).toBe(true)
    expect(await isMatched(location, silent, DAY / 12 + 1)).toBe(false)
    expect(await isMatched(location, { ...location, ...ON }, DAY / 12 + 1)).toBe(false)
  })

  test('a matchScore of 100 matches only exactly', async () => {
    const participant = somebody()
    await created(service, { participant })
    const exact = { orderMatching: { enabled: true, matchScore: 100 } }
    const nickname = body({ participant: { ...participant, firstName: 'Mary' }, ...exact })
    expect((await post(service, nickname)).status).toBe(201)
    expect((await post(service, body({ participant, ...exact }))).status).toBe(200)
  })
})
