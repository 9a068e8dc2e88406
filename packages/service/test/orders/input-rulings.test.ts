import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemsOf, refusalOf } from '../http/answers.ts'
import { startService, type TestService } from '../support/service.ts'
import { body, PERSON, SECRET, world } from './given.ts'

const NOW = new Date('2026-03-02T23:30:00.000Z')

let service: TestService
beforeAll(async () => {
  service = await startService({ now: () => NOW })
  await service.apply(world())
})
afterAll(() => service.stop())

type Version = 'v1' | 'v2'

const post = (members: object, version: Version = 'v2') =>
  service.call(SECRET, { method: 'POST', path: `/api/${version}/orders`, body: body(members) })

const withPerson = (members: object) => ({ participant: { ...PERSON, ...members } })
const withRequester = (members: object) => ({
  requester: { email: 'dana@acme.example', firstName: 'Dana', lastName: 'Reed', ...members },
})

/** The answers of both versions to the same order: `v2's refusal / v1's code`. */
async function refusals(members: object): Promise<string> {
  const [v2, v1] = await Promise.all([post(members), post(members, 'v1')])
  const codes = problemsOf(v1).map((problem) => problem.split(' ')[0])
  return `${refusalOf(v2)} / ${codes.join(', ')}`
}

async function participantOf(members: object) {
  const answer = await post(withPerson(members))
  expect(answer.status).toBe(201)
  return answer.body.participant
}

describe('ruling 34: names', () => {
  test('the names of a participant are trimmed', async () => {
    const names = { firstName: '  Maria\t', lastName: '\n Lopez Garcia ', middleName: ' José ' }
    expect(await participantOf(names)).toMatchObject({
      firstName: 'Maria',
      lastName: 'Lopez Garcia',
      middleName: 'José',
    })
  })

  test.each(['firstName', 'lastName', 'middleName'])('a blank %s is too small', async (name) => {
    for (const blank of ['', '   ', '\t\n', '\u00A0\u2003']) {
      expect(await refusals(withPerson({ [name]: blank }))).toBe(`400 tooSmall /participant/${name} / isNotEmpty`)
      expect(await refusals(withRequester({ [name]: blank }))).toBe(`400 tooSmall /requester/${name} / isNotEmpty`)
    }
  })

  test.each(['firstName', 'lastName', 'middleName'])(
    'a control character in the %s is an invalid format',
    async (name) => {
      for (const control of ['\n', '\r\n', '\t', '\u0000', '\u001B', '\u007F', '\u0085']) {
        const odd = `Ma${control}ria`
        expect(await refusals(withPerson({ [name]: odd }))).toBe(`400 invalidFormat /participant/${name} / matches`)
        expect(await refusals(withRequester({ [name]: odd }))).toBe(`400 invalidFormat /requester/${name} / matches`)
      }
    },
  )

  test('a name may have 255 characters after it is trimmed', async () => {
    expect((await participantOf({ firstName: ` ${'x'.repeat(255)} ` })).firstName).toBe('x'.repeat(255))
    expect(await refusals(withPerson({ firstName: 'x'.repeat(256) }))).toBe(
      '400 tooBig /participant/firstName / maxLength',
    )
  })
})

describe('ruling 35: birth dates', () => {
  test.each(['1900-01-01', '2004-02-29', '2026-03-02'])('the birth date %s is accepted', async (birthDate) => {
    expect((await participantOf({ birthDate })).birthDate).toBe(birthDate)
  })

  test.each([
    ['1899-12-31', 'tooSmall', 'min'],
    ['0001-01-01', 'tooSmall', 'min'],
    ['2026-03-03', 'tooBig', 'max'],
    ['9999-12-31', 'tooBig', 'max'],
    ['1990-02-30', 'invalidFormat', 'isDateFormat'],
  ])('the birth date %s is refused as %s', async (birthDate, code, constraint) => {
    expect(await refusals(withPerson({ birthDate }))).toBe(`400 ${code} /participant/birthDate / ${constraint}`)
  })

  test('a birth date out of range is reported beside other problems', async () => {
    expect(
      refusalOf(await post({ ...withPerson({ birthDate: '1899-12-31', email: 'maria' }), testReason: 'whim' })),
    ).toBe('400 invalidFormat /participant/email, invalidValue /testReason, tooSmall /participant/birthDate')
  })
})

describe('ruling 36: the phone of a participant', () => {
  test.each([
    ['(630) 555-0142', '+16305550142'],
    ['+1 555 123 4567', '+15551234567'],
    ['630-555-0142 ext. 12', '+16305550142;ext=12'],
    ['front desk', 'front desk'],
    ['x'.repeat(64), 'x'.repeat(64)],
  ])('the phone %j is stored as %j', async (phone, stored) => {
    expect((await participantOf({ phone })).phone).toBe(stored)
  })

  test('a participant’s phone has 1 to 64 characters and no control characters', async () => {
    expect(await refusals(withPerson({ phone: '' }))).toBe('400 tooSmall /participant/phone / isNotEmpty')
    expect(await refusals(withPerson({ phone: 'x'.repeat(65) }))).toBe('400 tooBig /participant/phone / maxLength')
    expect(await refusals(withPerson({ phone: '630\n5550142' }))).toBe(
      '400 invalidFormat /participant/phone / isPhoneNumber',
    )
  })

  test('the phone of a requester is checked by length, and may be fictional', async () => {
    for (const phone of ['(555) 010-0199', '123-456-7890', '+15550100199'])
      expect((await post(withRequester({ phone }))).status).toBe(201)
    for (const phone of ['555-0100', 'front desk', '630-555-0142 x12'])
      expect(await refusals(withRequester({ phone }))).toBe('400 invalidFormat /requester/phone / isPhoneNumber')
  })
})

describe('ruling 38: addresses', () => {
  const address = (members: object) => ({ address: { ...PERSON.address, ...members } })

  test.each([
    [{ state: 'Illinois' }, { state: 'IL', postalCode: '60540' }],
    [
      { state: 'armed forces europe', postalCode: '09012-1234' },
      { state: 'AE', postalCode: '09012-1234' },
    ],
    [
      { country: 'ca', state: 'Ontario', postalCode: 'k1a0b6' },
      { country: 'CA', state: 'ON', postalCode: 'K1A 0B6' },
    ],
    [
      { country: 'FR', state: 'Île-de-France', postalCode: '75001 CEDEX 01' },
      { country: 'FR', state: 'Île-de-France', postalCode: '75001 CEDEX 01' },
    ],
    [
      { country: 'GB', state: 's'.repeat(255), postalCode: 'p'.repeat(255) },
      { state: 's'.repeat(255), postalCode: 'p'.repeat(255) },
    ],
  ])('the address %j is stored as %j', async (sent, stored) => {
    expect((await participantOf(address(sent))).address).toMatchObject(stored)
  })

  test.each([
    [{ state: 'ZZ' }, 'invalidValue /participant/address/state', 'isEnum'],
    [{ postalCode: '6054' }, 'invalidFormat /participant/address/postalCode', 'isPostalCode'],
    [{ country: 'CA', state: 'ON' }, 'invalidFormat /participant/address/postalCode', 'isPostalCode'],
    [{ country: 'CA', postalCode: 'K1A 0B6' }, 'invalidValue /participant/address/state', 'isEnum'],
    [{ country: 'ZZ' }, 'invalidValue /participant/address/country', 'isISO31661Alpha2'],
    [{ country: 'GB', state: 's'.repeat(256) }, 'tooBig /participant/address/state', 'maxLength'],
    [{ country: 'GB', postalCode: '' }, 'tooSmall /participant/address/postalCode', 'isNotEmpty'],
  ])('the address %j is refused', async (sent, refusal, constraint) => {
    expect(await refusals(withPerson(address(sent)))).toBe(`400 ${refusal} / ${constraint}`)
  })
})

describe('ruling 39: sizes', () => {
  const many = <T>(count: number, item: (i: number) => T) => Array.from({ length: count }, (_, i) => item(i))
  const record = (count: number, value: unknown) => Object.fromEntries(many(count, (i) => [`X-Member-${i}`, value]))
  const mail = (cc: unknown[]) => ({ deliveryMethods: [{ type: 'email', to: 'maria@example.com', cc }] })
  const callback = (members: object) => ({ callback: { url: 'https://hooks.example.com/', ...members } })

  test('50 copies, 50 identifiers, 100 headers and 100 custom members are accepted', async () => {
    const identifiers = many(50, (i) => ({ type: `type-${i}`, value: '1' }))
    for (const members of [
      mail(many(50, (i) => `copy-${i}@example.com`)),
      withPerson({ identifiers }),
      callback({ headers: record(100, 'x') }),
      callback({ auth: { type: 'custom', custom: record(100, 'x') } }),
    ])
      expect((await post(members)).status).toBe(201)
  })

  test('one item more is refused as too big', async () => {
    expect(await refusals(mail(many(51, () => 'no address')))).toBe('400 tooBig /deliveryMethods/0/cc / arrayMaxSize')
    expect(await refusals(withPerson({ identifiers: many(51, () => ({})) }))).toBe(
      '400 tooBig /participant/identifiers / arrayMaxSize',
    )
    expect(await refusals(callback({ headers: record(101, 5) }))).toBe('400 tooBig /callback/headers / max')
    expect(await refusals(callback({ auth: { type: 'custom', custom: record(101, 'a\nb') } }))).toBe(
      '400 tooBig /callback/auth/custom / max',
    )
  })

  test.each(['v1', 'v2'] as const)(
    'an error body of %s has at most 100 entries, and says what is left out',
    async (version) => {
      const { body: exact } = await post(record(100, 1), version)
      expect(exact.errors).toHaveLength(100)
      expect(exact.errors.at(-1).code).toBe('unrecognizedKeys')
      const { body: over } = await post({ ...record(150, 1), testReason: 'whim' }, version)
      expect(over.errors).toHaveLength(100)
      expect(over.errors.at(-1)).toEqual({
        code: 'badRequest',
        detail: '52 more problems are not listed. Fix the ones above first.',
        meta: { omitted: 52, docs: expect.any(String) },
      })
    },
  )

  test('the limit of 100 entries counts problems of the rules too', async () => {
    const identifiers = many(50, () => ({ type: 'ssn', value: '1' }))
    const headers = Object.fromEntries(many(100, (i) => [`not a name ${i}`, 'x']))
    const { body: answer } = await post({ ...withPerson({ identifiers }), ...callback({ headers }) })
    expect(answer.errors).toHaveLength(100)
    expect(answer.errors.at(-1).meta).toMatchObject({ omitted: 50 })
  })
})
