import { describe, expect, test } from 'vitest'
import { maskParticipant, plainName, shortName } from '../src/api/masking.ts'

const PERSON = {
  firstName: 'Ray',
  middleName: null,
  lastName: 'Hollis',
  birthDate: '1974-07-16',
  email: 'ray.hollis@example.com',
  phone: '+18155550134',
  address: null,
  identifiers: [
    {
      object: 'participantIdentifier' as const,
      type: 'driverLicense',
      value: 'D400-7836-4417',
      issuingCountry: 'US',
      issuingState: 'IL',
    },
  ],
}

describe('a masked participant', () => {
  test('has a first name, a last initial and the ends of numbers', () => {
    expect(maskParticipant(PERSON)).toEqual({
      name: 'Ray H.',
      birthDate: '••••-••-••',
      phone: '(•••) •••-0134',
      email: 'r••••@example.com',
      identifiers: [{ type: 'driverLicense', value: 'IL •••• 4417' }],
    })
  })

  test('keeps nothing that identifies the person', () => {
    const text = JSON.stringify(maskParticipant(PERSON))
    for (const secret of ['Hollis', '1974', 'ray.hollis', '815555', 'D400']) expect(text).not.toContain(secret)
  })

  test('says what nobody knows', () => {
    const unknown = { email: null, phone: null, identifiers: [] }
    expect(maskParticipant({ ...PERSON, ...unknown })).toMatchObject(unknown)
  })
})

test('a last name of emoji is cut by whole characters', () => {
  expect(shortName({ firstName: 'Dana', lastName: '👩‍🔬 Smith' })).toBe('Dana 👩‍🔬.')
  expect(shortName({ firstName: 'Dana', lastName: '😀' })).toBe('Dana 😀.')
})

test('controls that turn the direction of text are not shown in a name', () => {
  expect(shortName({ firstName: 'Da\u202Ena\u2066', lastName: '\u202EReed' })).toBe('Dana R.')
  expect(plainName('Ana\u0000\u200F Luz')).toBe('Ana Luz')
})
