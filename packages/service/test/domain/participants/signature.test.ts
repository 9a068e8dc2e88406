import { describe, expect, test } from 'vitest'
import { checkSignature } from '../../../src/domain/participants/signature.ts'

const PERSON = { firstName: 'María José', middleName: 'Elena', lastName: 'O’Neill-Núñez' }
const check = (name: string, person: Partial<typeof PERSON> = {}) => checkSignature(name, { ...PERSON, ...person })

describe('the signature of an authorization', () => {
  test.each([
    'María José O’Neill-Núñez',
    'maria jose oneill nunez',
    'MARIA-JOSE ELENA O NEILL NUNEZ',
    'María José E. O’Neill-Núñez',
    'Mariajose Oneillnunez',
  ])('%j is the name of María José Elena O’Neill-Núñez', (name) => {
    expect(check(name)).toBeNull()
  })

  test.each([
    'María José',
    'O’Neill-Núñez',
    'María O’Neill-Núñez',
    'Mariah Jose O’Neill-Núñez',
    'María José Núñez',
    'Elena',
    'John Doe',
  ])('%j is not the first and last name of María José Elena O’Neill-Núñez', (name) => {
    expect(check(name)).toBe('wrong')
  })

  test('the last name may come first', () => {
    expect(check('O’Neill-Núñez, María José')).toBeNull()
  })

  test('a suffix may be typed or left out', () => {
    const names = { firstName: 'Lee', middleName: '', lastName: 'Ray Jr.' }
    for (const name of ['Lee Ray', 'Lee Ray Jr', 'LEE RAY III']) expect(check(name, names)).toBeNull()
    expect(check('Lee Jr.', names)).toBe('wrong')
  })

  test('a first name that is also the last name must be typed twice', () => {
    const names = { firstName: 'James', middleName: '', lastName: 'James' }
    expect([check('James', names), check('James James', names)]).toEqual(['wrong', null])
  })

  test('names of other scripts, and names of signs alone, can be signed with', () => {
    for (const name of ['小明 王', '王 小明', '王小明'])
      expect(check(name, { firstName: '小明', lastName: '王' })).toBeNull()
    expect(check('Ann', { firstName: 'Ann', lastName: '-' })).toBeNull()
    expect(check('anything', { firstName: '.', lastName: '-' })).toBeNull()
  })

  test('a signature that is empty or too long has another message than a wrong one', () => {
    expect([check(''), check(`María José ${'x'.repeat(300)}`)]).toEqual(['missing', 'tooLong'])
  })
})
