import type { Problem } from '@order-testing/contract'
import { describe, expect, test } from 'vitest'
import { withoutEchoes } from '../../../src/domain/echoes.ts'
import { commonTo } from '../../../src/domain/orders/create.ts'
import { body, DOT_URINE, PERSON, problemCodes } from '../../support/orders.ts'

const dotUrine = { services: [DOT_URINE] }

describe('all problems of a request are reported at once', () => {
  test('problems of the schema and problems of the rules are reported together', () => {
    const sent = body({ testReason: 'whim', requester: { email: 'dana', firstName: 'Dana', phone: '5' }, extra: 1 })
    expect(problemCodes({ ...sent, callback: { url: 'http://10.0.0.1/' } }, dotUrine)).toEqual([
      'invalidFormat /requester/email',
      'required /requester/lastName',
      'invalidValue /testReason',
      'unrecognizedKeys /extra',
      'invalidFormat /requester/phone',
      'required /agency',
      'invalidFormat /callback/url',
      'invalidValue /callback/url',
    ])
  })

  test('a body that is not an object is reported as one problem', () => {
    expect(problemCodes([], { location: { kind: 'unnamed' }, package: { kind: 'unnamed' } })).toEqual([
      'invalidType undefined',
    ])
  })

  test('a problem that follows from another is left out, but not those of members with a similar name', () => {
    const at = (pointer?: string) =>
      ({ code: 'required', detail: '', ...(pointer !== undefined && { pointer }) }) as const
    const rules = [at('/a'), at('/a/b'), at('/a/b/c'), at('/a/bc'), at('/d'), at()]
    expect(withoutEchoes([at('/a/b')], rules)).toEqual([at('/a/bc'), at('/d'), at()])
    expect(withoutEchoes([at()], rules)).toEqual([])
    expect(withoutEchoes([], rules)).toEqual(rules)
  })

  test('an unknown member hides no problem, unless it may be the one that its object lacks', () => {
    const at = (code: Problem['code'], pointer?: string): Problem => ({ code, detail: '', ...(pointer && { pointer }) })
    const unknown = at('unrecognizedKeys', '/a/b/x')
    const rules = [at('invalidValue', '/a/b'), at('required', '/a'), at('required', '/a/b/y'), at('conflict')]
    expect(withoutEchoes([unknown], [...rules, at('required', '/a/b')])).toEqual(rules)
    // The name was too long to be repeated.
    expect(withoutEchoes([at('unrecognizedKeys')], rules)).toEqual(rules)
  })

  test('an unknown member of a reference does not hide that nothing is found', () => {
    const unknown = { location: { kind: 'none' }, package: { kind: 'none' } } as const
    const sent = body({ location: { id: 'missing', nmae: 'x' }, package: { name: 'missing', code: 'x' } })
    expect(problemCodes(sent, unknown)).toEqual([
      'unrecognizedKeys /location/nmae',
      'unrecognizedKeys /package/code',
      'invalidValue /location',
      'invalidValue /package',
    ])
    const misspelled = body({ location: { nmae: 'x' }, package: { id: 5 } })
    expect(problemCodes(misspelled, { location: { kind: 'unnamed' }, package: { kind: 'unnamed' } })).toEqual([
      'unrecognizedKeys /location/nmae',
      'invalidType /package/id',
    ])
  })

  test('an unknown member of an identifier does not hide that another one is missing', () => {
    const withIdentifier = (identifier: object) =>
      problemCodes(body({ agency: { code: 'FMCSA' }, participant: { ...PERSON, identifiers: [identifier] } }), dotUrine)
    expect(withIdentifier({ type: 'ssn', value: '123-45-6780', x: 1 })).toEqual([
      'unrecognizedKeys /participant/identifiers/0/x',
      'required /participant/identifiers',
    ])
    expect(withIdentifier({ type: 'driverLicense', value: 'D1', x: 1 })).toEqual([
      'unrecognizedKeys /participant/identifiers/0/x',
    ])
    expect(withIdentifier({ typ: 'driverLicense', value: 'D1' })).toEqual([
      'required /participant/identifiers/0/type',
      'unrecognizedKeys /participant/identifiers/0/typ',
    ])
  })

  test('a list of the wrong length does not hide problems of its items', () => {
    const phones = [
      { type: 'mobile', phone: '5' },
      { type: 'mobile', phone: '(630) 555-0142' },
      { type: 'mobile', phone: '6' },
    ]
    expect(problemCodes(body({ deliveryMethods: phones }))).toEqual([
      'tooBig /deliveryMethods',
      'invalidFormat /deliveryMethods/0/phone',
      'invalidFormat /deliveryMethods/2/phone',
    ])
  })

  test('a malformed item does not hide problems of the others', () => {
    const identifiers = [{ type: 'ssn' }, { type: 'ssn', value: '1' }, 5, { type: 'passport', value: '' }]
    expect(problemCodes(body({ participant: { ...PERSON, identifiers } }))).toEqual([
      'required /participant/identifiers/0/value',
      'invalidType /participant/identifiers/2',
      'tooSmall /participant/identifiers/3/value',
      'invalidValue /participant/identifiers/1/type',
    ])
  })

  test('a malformed header does not hide problems of the others', () => {
    const url = 'https://hooks.example.com'
    const headers = { 'X-Good': 'yes', 'X-Bad': 5, 'Content-Length': '1', 'x-good': 'no' }
    const auth = { type: 'custom', custom: { 'X-Bad': 5, 'not a name': 'x' } }
    expect(problemCodes(body({ callback: { url, headers, auth } }))).toEqual([
      'invalidType /callback/headers/X-Bad',
      'invalidType /callback/auth/custom/X-Bad',
      'invalidKey /callback/headers/Content-Length',
      'invalidKey /callback/headers/x-good',
      'invalidKey /callback/auth/custom/not a name',
    ])
    expect(problemCodes(body({ callback: { url, auth: { type: 'basic', username: 'a:b' } } }))).toEqual([
      'required /callback/auth/password',
      'invalidFormat /callback/auth/username',
    ])
  })

  test('an ambiguous request reports the problems that all readings share, or all problems if they share none', () => {
    const at = (pointer: string) => ({ code: 'required', detail: '', pointer }) as const
    expect(commonTo([[at('/a'), at('/b')], [at('/b')]])).toEqual([at('/b')])
    expect(commonTo([[at('/a')], [at('/b')]])).toEqual([at('/a'), at('/b')])
    expect(commonTo([[at('/a')], []])).toEqual([])
  })
})
