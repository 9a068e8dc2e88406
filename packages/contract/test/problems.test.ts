import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CatalogFile } from '../src/catalog.ts'
import { ClinicSearch, listClinics } from '../src/clinics.ts'
import { CreateOrder, OrderMatching, OrderSettings, ParticipantInput } from '../src/create-order.ts'
import { Callback } from '../src/callback.ts'
import { listCompanies } from '../src/companies.ts'
import { createOrder, listOrders } from '../src/orders.ts'
import { Flag, text } from '../src/primitives.ts'
import { listFindings, parse, pointerTo, problemOf } from '../src/problems.ts'

const orderRequest = createOrder.example.body
const REQUIRED = ['deliveryMethods', 'location', 'package', 'participant', 'requester', 'settings', 'testReason'].map(
  (member) => `required /${member}`,
)
const unsupported = { code: 'invalidType', pointer: '/page' }

describe('problems of a request', () => {
  test('all problems are reported at once, one entry per member', () => {
    expect(
      codes(CreateOrder, {
        ...orderRequest,
        testReason: 'curiosity',
        otherTestReason: 'x'.repeat(31),
        participant: { firstName: '', birthDate: '2023-02-29', email: 'maria' },
        deliveryMethods: [{ type: 'mobile' }],
        referrer: 'a friend',
      }),
    ).toEqual([
      'required /deliveryMethods/0/phone',
      'tooSmall /participant/firstName',
      'required /participant/lastName',
      'invalidFormat /participant/birthDate',
      'invalidFormat /participant/email',
      'invalidValue /testReason',
      'tooBig /otherTestReason',
      'unrecognizedKeys /referrer',
    ])
  })

  test('every unknown key has its own entry', () => {
    expect(codes(z.strictObject({}), { a: 1, b: 2, 'c/d': 3 })).toEqual([
      'unrecognizedKeys /a',
      'unrecognizedKeys /b',
      'unrecognizedKeys /c~1d',
    ])
  })

  test('keys named like inherited properties are unknown, too', () => {
    const body = JSON.parse('{"firstName":"a","lastName":"b","__proto__":{"admin":true},"constructor":1}') as unknown
    expect(codes(ParticipantInput, body)).toEqual(['unrecognizedKeys /__proto__', 'unrecognizedKeys /constructor'])
  })

  test('details never repeat the value sent', () => {
    const body = {
      ...orderRequest,
      participant: { firstName: 5, lastName: '078-05-1120\u0000', birthDate: '078-05-1120' },
    }
    expect(JSON.stringify(problems(CreateOrder, body))).not.toContain('078-05-1120')
  })

  test('a valid value is returned unchanged', () => {
    expect(parse(text(1, 3), 'abc')).toEqual({ ok: true, value: 'abc' })
  })
})

describe('a missing member is reported as required', () => {
  test.each([
    ['text, object, list or enumeration', CreateOrder, {}, REQUIRED],
    ['flag', OrderMatching, {}, ['required /enabled']],
    [
      'number that may be text',
      OrderMatching,
      { enabled: 1, lookBackPeriod: {} },
      ['required /lookBackPeriod/unit', 'required /lookBackPeriod/value'],
    ],
    ['enumeration of an object', OrderSettings, {}, ['required /schedulingOption']],
    ['discriminator of a union', Callback, { url: 'https://a.example', auth: {} }, ['required /auth/type']],
    [
      'member of a form of a union',
      Callback,
      { url: 'https://a.example', auth: { type: 'basic' } },
      ['required /auth/username', 'required /auth/password'],
    ],
    [
      'member of an item of a list',
      CreateOrder.pick({ deliveryMethods: true }),
      { deliveryMethods: [{}] },
      ['required /deliveryMethods/0/type'],
    ],
  ] as const)('a missing %s is reported as required', (_, schema, input, expected) => {
    expect(codes(schema, input)).toEqual(expected)
  })

  test('null is reported as a wrong type, not as missing', () => {
    expect(codes(ParticipantInput, { firstName: null, lastName: 'b' })).toEqual(['invalidType /firstName'])
  })

  test('a missing body has no pointer', () => {
    expect(problems(CreateOrder, undefined)).toEqual([{ code: 'required', detail: 'A JSON body is required.' }])
    expect(problems(CreateOrder, [])).toEqual([{ code: 'invalidType', detail: 'Expected an object.' }])
  })

  test('a wrong type is not reported as missing when inputs were not reported', () => {
    const { error } = z.strictObject({ a: z.string() }).safeParse({ a: 5 })
    expect(listFindings(error!, (finding) => problemOf(finding))).toEqual([
      { code: 'invalidType', detail: 'Expected a string.', pointer: '/a' },
    ])
  })
})

describe('unions', () => {
  test('an unknown discriminator lists the known ones', () => {
    const auth = { type: 'oauth' }
    expect(problems(Callback, { url: 'https://a.example', auth })).toEqual([
      { code: 'invalidUnion', detail: 'Expected one of apiKey, bearer, basic, custom.', pointer: '/auth/type' },
    ])
  })

  test('problems are those of the form with the type of the input', () => {
    expect(near({ city: 5, zip: '60540' })).toEqual([
      'invalidType /near/address/city',
      'unrecognizedKeys /near/address/zip',
    ])
    expect(near('')).toEqual(['tooSmall /near/address'])
    expect(near(5)).toEqual(['invalidUnion /near/address'])
  })
})

describe('pointers', () => {
  test.each([
    [[], ''],
    [['page'], '/page'],
    [['participant', 'identifiers', 0, 'value'], '/participant/identifiers/0/value'],
    [['headers', 'a/b'], '/headers/a~1b'],
    [['headers', 'm~n'], '/headers/m~0n'],
    [['headers', '~1'], '/headers/~01'],
    [['headers', ''], '/headers/'],
  ])('the pointer to %j is %j', (path, pointer) => {
    expect(pointerTo(path)).toBe(pointer)
  })

  test('pointers reach into nested objects, lists and records', () => {
    expect(
      codes(CreateOrder, {
        ...orderRequest,
        participant: {
          ...orderRequest.participant,
          identifiers: [
            { type: 'ssn', value: '1' },
            { type: 'ssn', value: '' },
          ],
        },
        callback: { url: 'https://a.example', headers: { 'x/y~z': 5, '': 'empty' } },
      }),
    ).toEqual([
      'tooSmall /participant/identifiers/1/value',
      'invalidType /callback/headers/x~1y~0z',
      'invalidKey /callback/headers/',
    ])
  })
})

describe('numbers in a query string (Limits)', () => {
  test.each([
    ['0', { code: 'tooSmall', detail: 'Expected at least 1.', pointer: '/page' }],
    ['-1', { code: 'tooSmall', pointer: '/page' }],
    ['10001', { code: 'tooBig', detail: 'Expected at most 10000.', pointer: '/page' }],
    ['99999999999999999999', { code: 'tooBig', detail: 'Expected at most 10000.', pointer: '/page' }],
    ['9'.repeat(400), { code: 'tooBig', pointer: '/page' }],
    ['1.5', unsupported],
    ['abc', unsupported],
    ['', unsupported],
    [' 1', unsupported],
    ['1e1', unsupported],
    ['0x1', unsupported],
    ['Infinity', unsupported],
    [['1', '2'], unsupported],
  ])('page=%s is refused with one entry', (page, expected) => {
    const found = problems(listOrders.query, { page })
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject(expected)
  })

  test.each(['0', '21', '99999999999999999999', '-99999999999999999999'])(
    'limit=%s is refused with one entry',
    (limit) => {
      const found = problems(listOrders.query, { limit })
      expect(found).toMatchObject([
        { code: limit === '0' || limit.startsWith('-') ? 'tooSmall' : 'tooBig', pointer: '/limit' },
      ])
    },
  )

  test.each([
    [{}, { limit: 20, page: 1 }],
    [
      { limit: '1', page: '10000' },
      { limit: 1, page: 10_000 },
    ],
    [
      { limit: '20', page: '007' },
      { limit: 20, page: 7 },
    ],
  ])('the query %j is parsed as %j', (query, value) => {
    expect(parse(listCompanies.query, query)).toEqual({ ok: true, value })
  })

  test('no name is suggested where an operation has no parameters', () => {
    const result = parse(z.strictObject({}), { x: '1' }, 'parameter')
    expect(result).toMatchObject({
      problems: [{ detail: 'Unknown parameter "x". This operation has no parameters.' }],
    })
    expect(parse(z.strictObject({}), { x: 1 })).toMatchObject({ problems: [{ detail: 'Unknown member "x".' }] })
  })

  test('an unknown parameter is refused, so that a mistyped filter cannot return everything', () => {
    expect(codes(listOrders.query, { Status: 'ordered' })).toEqual(['unrecognizedKeys /Status'])
  })

  test.each(['createdFrom', 'updatedTo'])('%s requires an offset', (name) => {
    expect(codes(listOrders.query, { [name]: '2026-01-31T08:00:00' })).toEqual([`invalidFormat /${name}`])
    expect(parse(listOrders.query, { [name]: '2026-01-31T08:00:00-06:00' })).toMatchObject({ ok: true })
  })
})

describe('numbers in a body', () => {
  test.each([
    [5, 5],
    [0.5, 0.5],
    ['5', 5],
    ['.5', 0.5],
    ['2.50', 2.5],
  ])('expiresIn %j is parsed as %d', (expiresIn, value) => {
    expect(expiring(expiresIn)).toMatchObject({ ok: true, value: { expiresIn: value } })
  })

  test.each([
    [0, 'tooSmall'],
    ['0', 'tooSmall'],
    [100_001, 'tooBig'],
    ['five', 'invalidType'],
    [true, 'invalidType'],
    [null, 'invalidType'],
  ])('expiresIn %j is refused as %s', (expiresIn, code) => {
    expect(expiring(expiresIn)).toMatchObject({ ok: false, problems: [{ code, pointer: '/expiresIn' }] })
  })
})

describe('flags', () => {
  test.each([
    [true, true],
    [1, true],
    ['1', true],
    ['true', true],
    [false, false],
    [0, false],
    ['0', false],
    ['false', false],
  ])('the flag %j is parsed as %j', (spelling, value) => {
    expect(parse(Flag, spelling)).toEqual({ ok: true, value })
  })

  test.each([['yes'], ['TRUE'], [''], [2], [null], [['1']], [{}]])('%j is refused as a flag', (spelling) => {
    expect(codes(listClinics.query, { isActive: spelling })).toEqual(['invalidType /isActive'])
  })
})

describe('text', () => {
  test.each([
    ['a parameter', listOrders.query, { code: 'a\u0000b' }, '/code'],
    ['a name', ParticipantInput, { firstName: 'a\u0000', lastName: 'b' }, '/firstName'],
    ['a callback address', Callback, { url: 'https://a.example/\u0000' }, '/url'],
    ['a header of a callback', Callback, { url: 'https://a.example', headers: { a: '\u0000' } }, '/headers/a'],
    ['a catalog id', CatalogFile, { tenant: { id: '\u0000', name: 'a' } }, '/tenant/id'],
    ['a parameter, as half a surrogate pair', listOrders.query, { code: '\uD800' }, '/code'],
  ])('text that cannot be stored, such as NUL, is refused in %s', (_, schema, input, pointer) => {
    expect(problems(schema, input)).toMatchObject([{ code: 'invalidFormat', pointer }])
  })

  test.each([1, 255])('a filter accepts %d characters', (length) => {
    expect(parse(listOrders.query, { code: 'x'.repeat(length) })).toMatchObject({ ok: true })
  })

  test('a filter refuses text outside 1 to 255 characters', () => {
    expect(codes(listOrders.query, { code: '' })).toEqual(['tooSmall /code'])
    expect(codes(listOrders.query, { code: 'x'.repeat(256) })).toEqual(['tooBig /code'])
  })
})

test('a list of the wrong size reports the expected size', () => {
  const expected = [{ code: 'tooBig', detail: 'Expected exactly 1 item.', pointer: '/deliveryMethods' }]
  const [method] = orderRequest.deliveryMethods
  expect(problems(CreateOrder, { ...orderRequest, deliveryMethods: [method, method] })).toEqual(expected)
  expect(codes(CreateOrder, { ...orderRequest, deliveryMethods: [] })).toEqual(['tooSmall /deliveryMethods'])
})

function problems(schema: z.ZodType, input: unknown) {
  const result = parse(schema, input)
  return result.ok ? [] : result.problems
}

function codes(schema: z.ZodType, input: unknown): string[] {
  return problems(schema, input).map(({ code, pointer }) => `${code} ${pointer}`)
}

function near(address: unknown): string[] {
  return codes(ClinicSearch, { near: { address } })
}

function expiring(expiresIn: unknown) {
  return parse(OrderSettings, { schedulingOption: 'link', expiresIn })
}
