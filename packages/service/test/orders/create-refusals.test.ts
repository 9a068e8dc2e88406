import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { body, PERSON, post, SECRET, world } from './given.ts'

const READER = 'acme-secret-reads-only'
const CREATOR = 'acme-secret-creates-only'

let service: TestService
beforeAll(async () => {
  service = await startService({ policy: { production: true, callbackAllow: [] } })
  await service.apply(
    world({
      packages: [
        { id: 'panel', name: 'Panel', services: ['urine'] },
        { id: 'panel-caps', name: 'PANEL', services: ['hair'] },
      ],
      offered: ['panel', 'panel-caps'],
      tokens: [
        token(READER, { scopes: SCOPES.filter((scope) => scope !== 'order.create') }),
        token(CREATOR, { scopes: ['order.create'] }),
      ],
    }),
  )
})
afterAll(() => service.stop())

const refusalFor = async (members: object) => refusalOf(await post(service, body(members)))

/** A request with one problem, its code and pointer, and the constraint that v1 names. */
const WRONG: [string, object, string, string][] = [
  ['a missing member', { testReason: undefined }, 'required /testReason', 'isNotEmpty'],
  ['a value outside its list', { testReason: 'whim' }, 'invalidValue /testReason', 'isEnum'],
  [
    'a number for a text',
    { participant: { firstName: 7, lastName: 'L' } },
    'invalidType /participant/firstName',
    'isString',
  ],
  ['an empty name', { participant: { firstName: '', lastName: 'L' } }, 'tooSmall /participant/firstName', 'isNotEmpty'],
  ['an object for a list', { deliveryMethods: {} }, 'invalidType /deliveryMethods', 'isArray'],
  ['a text for an object', { participant: 'Maria' }, 'invalidType /participant', 'isObject'],
  [
    'a malformed e-mail address',
    { deliveryMethods: [{ type: 'email', to: 'maria' }] },
    'invalidFormat /deliveryMethods/0/to',
    'isEmail',
  ],
  [
    'a malformed phone',
    { deliveryMethods: [{ type: 'mobile', phone: '12' }] },
    'invalidFormat /deliveryMethods/0/phone',
    'isPhoneNumber',
  ],
  [
    'a date that does not exist',
    { participant: { ...PERSON, birthDate: '1990-02-29' } },
    'invalidFormat /participant/birthDate',
    'isDateFormat',
  ],
  [
    'an unknown country',
    { participant: { ...PERSON, address: { ...PERSON.address, country: 'XX' } } },
    'invalidValue /participant/address/country',
    'isISO31661Alpha2',
  ],
  ['what is no address', { callback: { url: 'nowhere' } }, 'invalidFormat /callback/url', 'isUrl'],
  [
    'a code that is too long',
    { settings: { schedulingOption: 'link', billingCode: 'x'.repeat(256) } },
    'tooBig /settings/billingCode',
    'maxLength',
  ],
  [
    'an expiry of zero',
    { settings: { schedulingOption: 'link', expiresIn: 0 } },
    'tooSmall /settings/expiresIn',
    'isPositive',
  ],
  [
    'a score over 100',
    { orderMatching: { enabled: true, matchScore: 101 } },
    'tooBig /orderMatching/matchScore',
    'max',
  ],
  ['a member nobody knows', { colour: 'blue' }, 'unrecognizedKeys /colour', 'unrecognizedKeys'],
  ['a package nobody knows', { package: { id: 'none' } }, 'invalidValue /package', 'invalidValue'],
]

describe('Errors: a request with one problem', () => {
  test.each(WRONG)('a request with %s is refused', async (_, members, expected) => {
    expect(await refusalFor(members)).toBe(`400 ${expected}`)
  })

  test.each(WRONG)('v1 names the constraint of a refusal: %s', async (_, members, expected, constraint) => {
    const answer = await post(service, body(members), { path: '/api/v1/orders' })
    expect(answer.status).toBe(400)
    const { code, source } = answer.body.errors[0]
    expect([answer.body.errors.length, code, source.pointer]).toEqual([1, constraint, expected.split(' ')[1]])
  })
})

describe('Errors: a request with many problems', () => {
  const ALL = {
    deliveryMethods: [{ type: 'email', to: 'nobody' }],
    location: { id: 'missing' },
    package: { name: 'panel' },
    participant: {
      firstName: 'Maria',
      identifiers: [
        { type: 'ssn', value: '1' },
        { type: 'ssn', value: '2' },
      ],
    },
    requester: { email: 'dana@acme.example', firstName: 'Dana', lastName: 'Reed', phone: '555' },
    settings: { schedulingOption: 'order', clinicSelectionMode: 'configured', expiresIn: -1 },
    testReason: 'random',
    otherTestReason: 'clinical',
    agency: { code: 'XYZ' },
    callback: { url: 'http://10.0.0.1/hook', headers: { Host: 'elsewhere' } },
    extra: 1,
  }
  const EXPECTED = [
    'invalidFormat /callback/url',
    'invalidFormat /deliveryMethods/0/to',
    'invalidFormat /requester/phone',
    'invalidKey /callback/headers/Host',
    'invalidScheduleStrategy /settings/clinicSelectionMode',
    'invalidValue /agency',
    'invalidValue /callback/url',
    'invalidValue /location',
    'invalidValue /otherTestReason',
    'invalidValue /participant/identifiers/1/type',
    'required /participant/address',
    'required /participant/birthDate',
    'required /participant/email',
    'required /participant/lastName',
    'required /participant/phone',
    'tooSmall /settings/expiresIn',
    'unrecognizedKeys /extra',
  ]

  test('problems of the schema and of the rules are reported at once, one entry each', async () => {
    const answer = await post(service, ALL)
    expect(refusalOf(answer)).toMatch(/^400 /)
    expect(refusalOf(answer).slice(4).split(', ').toSorted()).toEqual(EXPECTED)
  })

  test('v1 reports the same problems in the same order', async () => {
    const pointers = async (path: string) => {
      const { body: refusal } = await post(service, ALL, { path })
      return refusal.errors.map(({ source }: { source: { pointer: string } }) => source.pointer)
    }
    expect(await pointers('/api/v1/orders')).toEqual(await pointers('/api/v2/orders'))
  })

  test('problems of headers and query are reported beside those of the body', async () => {
    const posting = { path: '/api/v2/orders?dryRun=1', headers: { 'idempotency-key': 'x'.repeat(256) } }
    const sent = body({ testReason: 'whim', location: { id: 'missing' } })
    expect(refusalOf(await post(service, sent, posting))).toBe(
      '400 unrecognizedKeys /dryRun, tooBig /Idempotency-Key, invalidValue /testReason, invalidValue /location',
    )
  })

  test('problems of headers and query are refused with a valid body', async () => {
    expect(refusalOf(await post(service, body(), { path: '/api/v2/orders?dryRun=1' }))).toBe(
      '400 unrecognizedKeys /dryRun',
    )
    const posting = { path: '/api/v1/orders', headers: { 'idempotency-key': 'x'.repeat(256) } }
    expect((await post(service, body(), posting)).body.errors).toMatchObject([
      { code: 'maxLength', source: { pointer: '/Idempotency-Key' } },
    ])
  })

  test('a conflict is not reported beside other problems', async () => {
    const conflict = { package: { name: 'panel' } }
    expect(await refusalFor(conflict)).toBe('409 conflict /package')
    expect(refusalOf(await post(service, body(conflict), { path: '/api/v2/orders?dryRun=1' }))).toBe(
      '400 unrecognizedKeys /dryRun',
    )
  })

  test.each([
    [undefined, '400 required'],
    [null, '400 invalidType'],
    [[], '400 invalidType'],
    ['"text"', '400 invalidType'],
    ['{', '400 badRequest'],
  ])('a body that is not an order is refused: %j', async (sent, expected) => {
    expect(refusalOf(await post(service, sent === null ? 'null' : sent))).toBe(expected)
  })

  test('a refused request creates no order', async () => {
    const before = (await service.call(SECRET, '/api/v2/orders')).body.total
    await post(service, ALL)
    expect((await service.call(SECRET, '/api/v2/orders')).body.total).toBe(before)
  })
})

describe('unknown members', () => {
  test.each([
    ['participant', { ...PERSON, ssn: '1' }, '/participant/ssn'],
    ['settings', { schedulingOption: 'link', 'a/b~c': 1 }, '/settings/a~1b~0c'],
    ['location', { id: 'hq', code: 'x' }, '/location/code'],
    ['requester', { email: 'a@b.example', firstName: 'A', lastName: 'B', role: 'x' }, '/requester/role'],
  ])('unknown members are refused in %s', async (member, value, pointer) => {
    expect(await refusalFor({ [member]: value })).toBe(`400 unrecognizedKeys ${pointer}`)
  })

  test('a member with the name of an inherited one is refused as unknown', async () => {
    const sent = JSON.stringify(body()).replace('{', '{"__proto__":{},"constructor":1,')
    expect(refusalOf(await post(service, sent))).toBe('400 unrecognizedKeys /__proto__, unrecognizedKeys /constructor')
    const callback = JSON.stringify(body({ callback: { url: 'https://hooks.example.com', headers: { a: 'b' } } }))
    const named = callback.replace('"headers":{', '"headers":{"__proto__":"x",')
    expect(refusalOf(await post(service, named))).toBe('400 invalidKey /callback/headers/__proto__')
  })
})

describe('a token without the scope', () => {
  test.each(['/api/v1/orders', '/api/v2/orders'])('POST %s answers 403 insufficientScope', async (path) => {
    expect(refusalOf(await post(service, {}, { secret: READER, path }))).toBe('403 insufficientScope')
    expect(refusalOf(await post(service, {}, { secret: 'nobody-has-this-secret', path }))).toBe('401 unauthenticated')
  })

  test.each([
    ['GET', '/api/v2/orders'],
    ['GET', '/api/v2/orders/any'],
    ['PUT', '/api/v2/orders/any/cancellation'],
  ])('%s %s answers 401 insufficientScope', async (method, path) => {
    expect(refusalOf(await service.call(CREATOR, { method, path }))).toBe('401 insufficientScope')
  })
})
