import { describe, expect, test } from 'vitest'
import { en } from '../src/languages/en.ts'
import { es } from '../src/languages/es.ts'
import { groupsOf, type FormField } from '../src/pages/catalog/fields.ts'
import { fieldOfPointer, readField } from '../src/pages/catalog/limits.ts'

const field = (kind: 'clinics' | 'locations', path: string): FormField =>
  groupsOf(kind, en)
    .flatMap(([, fields]) => fields)
    .find((each) => each.path === path)!

describe('a field of a catalog entry', () => {
  test('with a number that is not allowed says what is', () => {
    expect(readField(field('clinics', 'fee'), '-5', en)).toEqual({ problem: 'A number of at least 0.' })
    expect(readField(field('clinics', 'slots.capacity'), '0', en)).toEqual({ problem: 'A whole number from 1 to 100.' })
    expect(readField(field('locations', 'settings.clinicRadiusMiles'), '0', en)).toEqual({
      problem: 'A number more than 0, up to 500.',
    })
    expect(readField(field('locations', 'settings.clinicRadiusMiles'), '0', es)).toEqual({
      problem: 'Un número mayor que 0 y hasta 500.',
    })
    expect(readField(field('clinics', 'fee'), '74.5', en)).toEqual({ value: 74.5 })
  })

  test('with a name that is too long says so', () => {
    expect(readField(field('clinics', 'name'), 'x'.repeat(256), en)).toEqual({
      problem: 'At most 255 characters; these are 256.',
    })
    expect(readField(field('clinics', 'name'), 'x'.repeat(255), en)).toEqual({ value: 'x'.repeat(255) })
  })

  test('is found by the pointer into the whole file', () => {
    expect(fieldOfPointer('/clinics/3/name')).toBe('name')
    expect(fieldOfPointer('/companies/0/locations/1/settings/expiresIn')).toBe('settings.expiresIn')
    expect(fieldOfPointer('/tenant')).toBeUndefined()
  })

  test('for the clinic of a location is a choice, not a typed id', () => {
    expect(field('locations', 'settings.configuredClinic').type).toBe('clinic')
  })
})
