import { expect, test } from 'vitest'
import { ALL_SCOPES } from '../../contract/src/scopes.ts'
import { en } from '../src/languages/en.ts'
import { es } from '../src/languages/es.ts'

test.each([
  ['English', en],
  ['Spanish', es],
])('every scope has a sentence in %s', (_, { tokens: { scopeMeanings } }) => {
  expect(Object.keys(scopeMeanings).toSorted()).toEqual([...ALL_SCOPES].toSorted())
})
