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

describe('a body that is all well', () => {
  test('is its value and its partial value, defaults included', () => {
    const { value, partial, problems } = parsePartly(CreateOrder, orderRequest)
    expect(problems).toEqual([])
    expect(value).toEqual(partial)
    expect(value?.settings).toEqual({ schedulingOption: 'link', expiresIn: 5, expiresInUnit: 'days' })
  })
})

describe('a body with something wrong', () => {
  test('has no value, and keeps the members that are well-formed each on its own', () => {
    const { problems, ...rest } = parsePartly(CreateOrder, { ...orderRequest, testReason: 'curiosity' })
    const { testReason: _, ...others } = orderRequest
    expect(problems).toMatchObject([{ code: 'invalidValue', pointer: '/testReason' }])
    expect(rest).toEqual({ partial: { ...others, settings: { ...others.settings, expiresInUnit: 'days' } } })
  })

  test('keeps the well-formed members of plain objects within', () => {
    const participant = { firstName: 5, lastName: 'Lopez', address: { city: 'Naperville', state: 7, zip: '60540' } }
    expect(parsePartly(CreateOrder, { participant }).partial).toEqual({
      participant: {
        lastName: 'Lopez',
        address: { city: 'Naperville', country: 'US', line2: '', object: 'address' },
      },
    })
  })

  test('keeps what is well-formed of lists, in its place, of objects of any names and of the form that was meant', () => {
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

  test('gives what was read, not what was written', () => {
    const settings = { schedulingOption: 'never', expiresIn: '5', observedCollection: 'true' }
    expect(parsePartly(CreateOrder, { settings }).partial).toEqual({
      settings: { expiresIn: 5, expiresInUnit: 'days', observedCollection: true },
    })
  })

  test('keeps nothing of a member that is no object where one is expected', () => {
    expect(parsePartly(CreateOrder, { location: 5, package: [], participant: null }).partial).toEqual({})
  })

  test.each([[undefined], [null], [5], ['text'], [[]]])('that is %j has no members', (body) => {
    const { partial, problems } = parsePartly(CreateOrder, body)
    expect(partial).toEqual({})
    expect(problems).toHaveLength(1)
    expect(problems[0]).not.toHaveProperty('pointer')
  })

  test('does not take what all objects inherit for what was sent', () => {
    const schema = z.strictObject({ constructor: z.unknown(), toString: z.unknown(), name: z.string() })
    expect(parsePartly(schema, {}).partial).toEqual({})
  })
})

describe('whatever is sent', () => {
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

  test('nothing throws, and the problems are those of the whole schema', () => {
    fc.assert(
      fc.property(anything, (body) => {
        const whole = parse(CreateOrder, body)
        const { value, problems } = parsePartly(CreateOrder, body)
        expect(problems.map(({ constraint: _, ...problem }) => problem)).toEqual(whole.ok ? [] : whole.problems)
        expect(value !== undefined).toBe(whole.ok)
      }),
    )
  })

  test('what is kept is well-formed: read again, it has no problem but missing members and the length of lists', () => {
    fc.assert(
      fc.property(anything, (body) => {
        const { partial } = parsePartly(CreateOrder, body)
        const told = parsePartly(CreateOrder, partial).problems.map(({ code, pointer }) => `${code} ${pointer}`)
        const lengths = new Set([
          'tooSmall /deliveryMethods',
          'tooBig /deliveryMethods',
          'tooBig /participant/identifiers',
        ])
        expect(told.filter((each) => !each.startsWith('required') && !lengths.has(each))).toEqual([])
      }),
    )
  })
})

describe('v1 names the same problems by constraint', () => {
  test.each<[name: string, body: object, pointer: string, constraint: string]>([
    ['a missing member', { testReason: undefined }, '/testReason', 'isNotEmpty'],
    ['an empty string', { location: { name: '' } }, '/location/name', 'isNotEmpty'],
    ['no string', { location: { name: 5 } }, '/location/name', 'isString'],
    ['no number', { settings: { expiresIn: 'soon' } }, '/settings/expiresIn', 'isNumber'],
    ['no whole number', matching({ lookBackPeriod: { unit: 'days', value: 1.5 } }), lookBack, 'isInt'],
    ['no array', { deliveryMethods: {} }, '/deliveryMethods', 'isArray'],
    ['no object', { participant: 'Maria' }, '/participant', 'isObject'],
    ['no object of any names', { callback: { headers: [] } }, '/callback/headers', 'isObject'],
    ['no flag', { settings: { observedCollection: 'maybe' } }, '/settings/observedCollection', 'isBoolean'],
    ['none of the choices', { testReason: 'curiosity' }, '/testReason', 'isEnum'],
    ['none of the forms', { deliveryMethods: [{ type: 'pigeon' }] }, '/deliveryMethods/0/type', 'isEnum'],
    ['no e-mail address', { requester: { email: 'dana' } }, '/requester/email', 'isEmail'],
    ['no date', { participant: { birthDate: '2023-02-29' } }, '/participant/birthDate', 'isDateFormat'],
    ['no address', { callback: { url: 'here' } }, '/callback/url', 'isUrl'],
    ['no telephone', { requester: { phone: '\u0000' } }, '/requester/phone', 'isPhoneNumber'],
    ['no country', { participant: { address: { country: 'USA' } } }, at('country'), 'isISO31661Alpha2'],
    ['no postal code', { participant: { address: { postalCode: '\u0000' } } }, at('postalCode'), 'isPostalCode'],
    ['another format', { requester: { firstName: '\u0000' } }, '/requester/firstName', 'matches'],
    ['a string too long', { otherTestReason: 'x'.repeat(31) }, '/otherTestReason', 'maxLength'],
    ['a number not above zero', { settings: { expiresIn: 0 } }, '/settings/expiresIn', 'isPositive'],
    ['a number below one', matching({ lookBackPeriod: { unit: 'days', value: 0 } }), lookBack, 'isPositive'],
    ['a number below its minimum', matching({ matchScore: -1 }), '/orderMatching/matchScore', 'min'],
    ['a number above its maximum', matching({ matchScore: 101 }), '/orderMatching/matchScore', 'max'],
    ['a list too short', { deliveryMethods: [] }, '/deliveryMethods', 'arrayMinSize'],
    ['a list too long', { deliveryMethods: twice() }, '/deliveryMethods', 'arrayMaxSize'],
    ['a member that is not known', { referrer: 'a friend' }, '/referrer', 'unrecognizedKeys'],
  ])('%s', (_, body, pointer, constraint) => {
    const { problems } = parsePartly(CreateOrder, { ...orderRequest, ...body })
    const found = problems.filter((problem) => problem.pointer === pointer)
    expect(found.map((problem) => constraintCode(problem))).toEqual([constraint])
  })

  test.each(['conflict', 'insufficientScope', 'linkRequiredBackground', 'invalidScheduleStrategy'] as const)(
    '%s stays as it is',
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
