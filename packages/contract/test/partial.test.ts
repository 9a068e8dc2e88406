import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { constraintCode } from '../src/constraints.ts'
import { CreateOrder } from '../src/create-order.ts'
import { createOrder } from '../src/orders.ts'
import { parsePartly } from '../src/partial.ts'
import { parse, type Problem } from '../src/problems.ts'

const orderRequest = createOrder.example.body
const lookBack = '/orderMatching/lookBackPeriod/value'

describe('a valid body', () => {
  test('a valid body is returned as value and partial value, including defaults', () => {
    const { value, partial, problems } = parsePartly(CreateOrder, orderRequest)
    expect(problems).toEqual([])
    expect(value).toEqual(partial)
    expect(value?.settings).toEqual({ schedulingOption: 'link', expiresIn: 5, expiresInUnit: 'days' })
  })
})

describe('an invalid body', () => {
  test('an invalid body has no value but keeps its valid members', () => {
    const { problems, ...rest } = parsePartly(CreateOrder, { ...orderRequest, testReason: 'curiosity' })
    const { testReason: _, ...others } = orderRequest
    expect(problems).toMatchObject([{ code: 'invalidValue', pointer: '/testReason' }])
    expect(rest).toEqual({ partial: { ...others, settings: { ...others.settings, expiresInUnit: 'days' } } })
  })

  test('nested objects keep their valid members', () => {
    const participant = { firstName: 5, lastName: 'Lopez', address: { city: 'Naperville', state: 7, zip: '60540' } }
    expect(parsePartly(CreateOrder, { participant }).partial).toEqual({
      participant: {
        lastName: 'Lopez',
        address: { city: 'Naperville', country: 'US', line2: '', object: 'address' },
      },
    })
  })

  test('lists keep valid items at their index, and records and unions keep valid members', () => {
    const body = {
      deliveryMethods: [{ type: 'pigeon' }, { type: 'mobile', phone: '5', fax: '6' }],
      participant: { identifiers: [{ type: 'ssn', value: '1' }, { type: 'ssn' }] },
      callback: {
        url: 'https://a.example',
        headers: { good: 'yes', bad: 5 },
        auth: { type: 'basic', username: 'maria', password: 5 },
      },
    }
    expect(parsePartly(CreateOrder, body).partial).toEqual({
      deliveryMethods: [undefined, { type: 'mobile', phone: '5' }],
      participant: { identifiers: [{ type: 'ssn', value: '1' }, { type: 'ssn' }] },
      callback: { url: 'https://a.example', headers: { good: 'yes' }, auth: { type: 'basic', username: 'maria' } },
    })
  })

  test('kept members have their parsed values', () => {
    const settings = { schedulingOption: 'never', expiresIn: '5', observedCollection: 'true' }
    expect(parsePartly(CreateOrder, { settings }).partial).toEqual({
      settings: { expiresIn: 5, expiresInUnit: 'days', observedCollection: true },
    })
  })

  test('nothing is kept of a member that should be an object but is not', () => {
    expect(parsePartly(CreateOrder, { location: 5, package: [], participant: null }).partial).toEqual({})
  })

  test.each([[undefined], [null], [5], ['text'], [[]]])('the body %j keeps no members', (body) => {
    const { partial, problems } = parsePartly(CreateOrder, body)
    expect(partial).toEqual({})
    expect(problems).toHaveLength(1)
    expect(problems[0]).not.toHaveProperty('pointer')
  })

  test('inherited properties do not count as members', () => {
    const schema = z.strictObject({ constructor: z.unknown(), toString: z.unknown(), name: z.string() })
    expect(parsePartly(schema, {}).partial).toEqual({})
  })
})

describe('any input', () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        participant: fc.jsonValue(),
        settings: fc.oneof(fc.jsonValue(), fc.record({ schedulingOption: fc.jsonValue(), expiresIn: fc.jsonValue() })),
        location: fc.oneof(fc.jsonValue(), fc.record({ id: fc.jsonValue(), name: fc.jsonValue() })),
        deliveryMethods: fc.jsonValue(),
        callback: fc.oneof(fc.jsonValue(), fc.record({ url: fc.webUrl(), auth: fc.jsonValue() })),
      },
      { requiredKeys: [] },
    ),
  )

  test('partial parsing never throws and reports the problems of the whole schema', () => {
    fc.assert(
      fc.property(anything, (body) => {
        const whole = parse(CreateOrder, body)
        const { value, problems } = parsePartly(CreateOrder, body)
        expect(problems.map(({ constraint: _, ...problem }) => problem)).toEqual(whole.ok ? [] : whole.problems)
        expect(value !== undefined).toBe(whole.ok)
      }),
    )
  })

  test('kept members, parsed again, have no problems besides missing members and list lengths', () => {
    fc.assert(
      fc.property(anything, (body) => {
        const { partial } = parsePartly(CreateOrder, body)
        const found = parsePartly(CreateOrder, partial).problems.map(({ code, pointer }) => `${code} ${pointer}`)
        const lengths = new Set([
          'tooSmall /deliveryMethods',
          'tooBig /deliveryMethods',
          'tooBig /participant/identifiers',
        ])
        expect(found.filter((each) => !each.startsWith('required') && !lengths.has(each))).toEqual([])
      }),
    )
  })
})

describe('v1 reports the same problems under constraint names', () => {
  test.each<[name: string, body: object, pointer: string, constraint: string]>([
    ['a missing member', { testReason: undefined }, '/testReason', 'isNotEmpty'],
    ['an empty string', { location: { name: '' } }, '/location/name', 'isNotEmpty'],
    ['a name that is not a string', { location: { name: 5 } }, '/location/name', 'isString'],
    ['a duration that is not a number', { settings: { expiresIn: 'soon' } }, '/settings/expiresIn', 'isNumber'],
    [
      'a period that is not a whole number',
      matching({ lookBackPeriod: { unit: 'days', value: 1.5 } }),
      lookBack,
      'isInt',
    ],
    ['a list that is not an array', { deliveryMethods: {} }, '/deliveryMethods', 'isArray'],
    ['a participant that is not an object', { participant: 'Maria' }, '/participant', 'isObject'],
    ['a record that is not an object', { callback: { headers: [] } }, '/callback/headers', 'isObject'],
    [
      'an unknown spelling of a flag',
      { settings: { observedCollection: 'maybe' } },
      '/settings/observedCollection',
      'isBoolean',
    ],
    ['a value outside an enumeration', { testReason: 'curiosity' }, '/testReason', 'isEnum'],
    ['an unknown form of a union', { deliveryMethods: [{ type: 'pigeon' }] }, '/deliveryMethods/0/type', 'isEnum'],
    ['an invalid e-mail address', { requester: { email: 'dana' } }, '/requester/email', 'isEmail'],
    ['an invalid date', { participant: { birthDate: '2023-02-29' } }, '/participant/birthDate', 'isDateFormat'],
    ['an invalid URL', { callback: { url: 'here' } }, '/callback/url', 'isUrl'],
    ['an invalid phone number', { requester: { phone: '\u0000' } }, '/requester/phone', 'isPhoneNumber'],
    ['an invalid country', { participant: { address: { country: 'USA' } } }, at('country'), 'isISO31661Alpha2'],
    [
      'an invalid postal code',
      { participant: { address: { postalCode: '\u0000' } } },
      at('postalCode'),
      'isPostalCode',
    ],
    ['text in another invalid format', { requester: { firstName: '\u0000' } }, '/requester/firstName', 'matches'],
    ['a string too long', { otherTestReason: 'x'.repeat(31) }, '/otherTestReason', 'maxLength'],
    ['a number not above zero', { settings: { expiresIn: 0 } }, '/settings/expiresIn', 'isPositive'],
    ['a number below one', matching({ lookBackPeriod: { unit: 'days', value: 0 } }), lookBack, 'isPositive'],
    ['a number below its minimum', matching({ matchScore: -1 }), '/orderMatching/matchScore', 'min'],
    ['a number above its maximum', matching({ matchScore: 101 }), '/orderMatching/matchScore', 'max'],
    ['a list too short', { deliveryMethods: [] }, '/deliveryMethods', 'arrayMinSize'],
    ['a list too long', { deliveryMethods: twice() }, '/deliveryMethods', 'arrayMaxSize'],
    ['an unknown member', { referrer: 'a friend' }, '/referrer', 'unrecognizedKeys'],
  ])('%s is reported under the name of its constraint', (_, body, pointer, constraint) => {
    const { problems } = parsePartly(CreateOrder, { ...orderRequest, ...body })
    const found = problems.filter((problem) => problem.pointer === pointer)
    expect(found.map((problem) => constraintCode(problem))).toEqual([constraint])
  })

  test.each(['conflict', 'insufficientScope', 'linkRequiredBackground', 'invalidScheduleStrategy'] as const)(
    'the code %s is the same in v1 and v2',
    (code) => {
      expect(constraintCode({ code, detail: '' } satisfies Problem)).toBe(code)
    },
  )
})

function matching(members: object) {
  return { orderMatching: { enabled: true, ...members } }
}

function at(member: string) {
  return `/participant/address/${member}`
}

function twice() {
  return [...orderRequest.deliveryMethods, ...orderRequest.deliveryMethods]
}
