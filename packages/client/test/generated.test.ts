import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generate } from '../scripts/generate.js'

const FOLDER = new URL('../src/generated/', import.meta.url)

test('the generated types are those of the OpenAPI document', () => {
  const stored = Object.fromEntries(
    readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')]),
  )
  expect(stored).toEqual(generate())
})
