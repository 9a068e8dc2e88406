import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, validateOrder } from '@order-testing/contract'
import { startService, token, type TestService } from '../support/service.ts'
import { ADDRESS, body, clinic, created, DISCREET, PERSON, post, SECRET, world } from './given.ts'

const READER = 'acme-secret-only-reads'

let service: TestService
beforeAll(async () => {
  service = await startService()
  const scopes = SCOPES.filter((scope) => scope !== 'order.create')
  await service.apply(
    world({ clinics: [clinic('near', '60540'), clinic('far', '75201')], tokens: [token(READER, { scopes })] }),
  )
})
afterAll(() => service.stop())

const path = '/api/v2/orders/validation'
const validate = (members: object = {}, secret = SECRET) => post(service, body(members), { path, secret })

/** Everything that a create writes. */
const written = async () => {
  const [row] = await service.pool`
    select (select count(*)::int from orders) as orders, (select count(*)::int from idempotency_keys) as keys,
      (select count(*)::int from callbacks) as callbacks, (select count(*)::int from notifications) as notifications,
      (select count(*)::int from order_matches) as matches`
  return row
}

describe('ruling 44: validation without writing', () => {
  test('a valid order is answered with what a create would resolve, and nothing is written', async () => {
    const before = await written()
    const headers = { 'Idempotency-Key': 'validated' }
    const sent = body({
      callback: { url: 'https://hooks.example.com/x' },
      settings: { schedulingOption: 'link', expiresIn: 2 },
    })
    const answer = await post(service, sent, { path, headers })
    expect(answer.status).toBe(200)
    expect(validateOrder.reply.parse(answer.body)).toEqual(answer.body)
    expect(answer.body).toMatchObject({
      object: 'orderValidation',
      location: { id: 'hq', object: 'location' },
      package: { id: 'basic', object: 'package' },
      services: [{ id: 'urine', object: 'service', attributes: { category: 'drug', type: 'urine' }, isDot: false }],
      agency: null,
      jobCategory: null,
      clinic: null,
      match: null,
    })
    expect(Date.parse(answer.body.expiresAt) - Date.now()).toBeGreaterThan(1.9 * 86_400_000)
    expect(await written()).toEqual(before)
    expect((await post(service, body({ externalId: 'another body' }), { headers })).status).toBe(201)
  })

  test('the clinic is the one that a create would book', async () => {
    const settings = { schedulingOption: 'schedule' }
    const participant = { ...PERSON, address: ADDRESS }
    const { body: answer } = await validate({ settings, participant })
    expect(answer.clinic).toMatchObject({ id: 'near', object: 'clinic' })
  })

  test('agency and job category of a regulated order are resolved', async () => {
    const members = { package: { id: 'dot' }, agency: { code: 'fra' }, jobCategory: { id: 'engine-service' } }
    const { body: answer } = await validate(members)
    expect(answer).toMatchObject({ agency: { id: 'fra', code: 'FRA' }, jobCategory: { id: 'engine-service' } })
  })

  test('an invalid order gets the same errors as its create', async () => {
    for (const members of [
      { location: { id: 'unknown' } },
      { package: { id: 'dot' } },
      { testReason: 'whim', extra: 1 },
    ]) {
      const [checked, refused] = [await validate(members), await post(service, body(members))]
      expect([checked.status, checked.body]).toEqual([refused.status, refused.body])
      expect(checked.status).toBe(400)
    }
  })

  test('a missing scope is refused with 403', async () => {
    expect((await validate({}, READER)).status).toBe(403)
  })

  test('a match is answered as its create would answer it', async () => {
    const orderMatching = { enabled: true }
    const members = { participant: { ...PERSON, lastName: 'Matched' }, orderMatching }
    const order = await created(service, members)
    const before = await written()
    for (const secret of [SECRET, DISCREET]) {
      const { body: answer } = await validate(members, secret)
      expect(answer.match).toMatchObject({ id: order.id, matched: { originalSource: 'api', score: 100 } })
      expect('identifiers' in answer.match.participant).toBe(secret === SECRET)
    }
    expect(await written()).toEqual(before)
    expect((await post(service, body(members))).body).toEqual((await validate(members)).body.match)
  })

  test('a match that can take no other callback is refused as its create would be', async () => {
    const participant = { ...PERSON, lastName: 'Called' }
    const calling = (i: number) => ({
      participant,
      orderMatching: { enabled: true },
      callback: { url: `https://hooks.example.com/${i}` },
    })
    for (let i = 1; i <= 10; i++) await post(service, body(calling(i)))
    const before = await written()
    const [checked, refused] = [await validate(calling(11)), await post(service, body(calling(11)))]
    expect([checked.status, checked.body]).toEqual([refused.status, refused.body])
    expect(checked.status).toBe(422)
    expect((await validate(calling(10))).status).toBe(200)
    expect(await written()).toEqual(before)
  })

  test('clinic and expiry are those of the match', async () => {
    const participant = { firstName: 'Edith', lastName: 'Expiring', birthDate: '1971-05-02', address: ADDRESS }
    const order = await created(service, { participant, settings: { schedulingOption: 'link', expiresIn: 2 } })
    const orderMatching = { enabled: true }
    const settings = { schedulingOption: 'schedule' }
    const { body: answer } = await validate({ participant, orderMatching, settings })
    expect(answer.match).toMatchObject({ id: order.id })
    expect([answer.clinic, answer.expiresAt]).toEqual([null, order.expiresAt])
  })

  test('a wide match is found too, and a token that may only create cannot lower the threshold', async () => {
    const other = {
      ...PERSON,
      firstName: 'Joan',
      lastName: 'Widely',
      identifiers: [],
      birthDate: undefined,
      email: undefined,
    }
    const order = await created(service, { participant: { ...other, phone: undefined } })
    const orderMatching = { enabled: true, matchScore: 20 }
    const members = { participant: { ...other, firstName: 'Joanne', phone: undefined }, orderMatching }
    expect((await validate(members)).body.match).toMatchObject({ id: order.id })
    expect((await validate(members, DISCREET)).body.match).toBeNull()
  })
})

describe('ruling 44: errors say where a rule comes from', () => {
  const entries = async (members: object) =>
    (await validate(members)).body.errors.map(({ source, meta }: { source: { pointer: string }; meta: object }) => [
      source.pointer,
      meta,
    ])

  test.each([
    ['/agency', { package: { id: 'dot' } }, '49 CFR 40.14(g)'],
    ['/jobCategory', { package: { id: 'dot' }, agency: { code: 'FAA' } }, '49 CFR 40.26'],
    [
      '/settings/observedCollection',
      { package: { id: 'dot' }, agency: { code: 'PHMSA' }, testReason: 'followUp' },
      '49 CFR 40.67(b)',
    ],
    ['/participant/identifiers', { package: { id: 'dot' }, agency: { code: 'FMCSA' } }, '49 CFR 382.123'],
  ])('the error at %s names the regulation', async (pointer, members, regulation) => {
    const docs = '/docs/reference/errors#required'
    expect(await entries(members)).toContainEqual([pointer, { regulation, docs }])
  })

  test('a rule of ours names no regulation', async () => {
    expect(await entries({ location: { id: 'unknown' } })).toEqual([
      ['/location', { docs: '/docs/reference/errors#invalidValue' }],
    ])
  })
})
