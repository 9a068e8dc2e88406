import { expect, test } from 'vitest'
import { en } from '../src/languages/en.ts'
import { share, stageSentence, type StageRow } from '../src/pages/figures/measures.ts'

const stage = (count: number): StageRow => ({
  name: 'Medical review',
  actor: 'Reviewer',
  count,
  median: 3600,
  tail: 7200,
  before: null,
})

test('a share of fewer than 20 cases is not told', () => {
  expect(share(en, 1, 1)).toBe(en.none)
  expect(share(en, 19, 19)).toBe(en.none)
  expect(share(en, 5, 20)).toBe('25 %')
})

test('a stage with fewer than 20 cases is not called the slowest', () => {
  expect(stageSentence(en, [stage(19)]).text).toBe(en.figures.tooFew)
  expect(stageSentence(en, [stage(20)]).text).toContain('Medical review')
  expect(stageSentence(en, [{ ...stage(0), median: null, tail: null }]).text).toBe(en.figures.noStages)
})
