import { expect, test } from 'vitest'
import { Newest } from '../../src/http/newest.ts'

test.each([
  [0, []],
  [2, [1, 2]],
  [3, [1, 2, 3]],
  [4, [2, 3, 4]],
  [6, [4, 5, 6]],
  [8, [6, 7, 8]],
])('of %i items, the newest three are kept, oldest first', (added, kept) => {
  const newest = new Newest<number>(3)
  for (let i = 1; i <= added; i++) newest.add(i)
  expect(newest.list()).toEqual(kept)
})
