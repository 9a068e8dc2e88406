import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchPerTurn } from '../../src/http/turn-batches.ts'

test('what is given in one turn is worked through at its end, in order', async () => {
  const done: number[] = []
  const work = batchPerTurn((item: number) => done.push(item))
  work(1)
  work(2)
  expect(done).toEqual([])
  await nextTurn()
  expect(done).toEqual([1, 2])
})

test('what is given meanwhile is worked through in the next turn', async () => {
  const done: number[] = []
  const work = batchPerTurn((item: number) => {
    done.push(item)
    if (item < 2) work(item + 1)
  })
  work(1)
  await nextTurn()
  expect(done).toEqual([1])
  await nextTurn()
  expect(done).toEqual([1, 2])
})
