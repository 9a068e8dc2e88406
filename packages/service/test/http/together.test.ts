import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { goOnTogether, together } from '../../src/http/together.ts'

test('what is given in one turn is worked through at its end, in order', async () => {
  const done: number[] = []
  const work = together((item: number) => done.push(item))
  work(1)
  work(2)
  expect(done).toEqual([])
  await nextTurn()
  expect(done).toEqual([1, 2])
})

test('what is given meanwhile is worked through in the next turn', async () => {
  const done: number[] = []
  const work = together((item: number) => {
    done.push(item)
    if (item < 2) work(item + 1)
  })
  work(1)
  await nextTurn()
  expect(done).toEqual([1])
  await nextTurn()
  expect(done).toEqual([1, 2])
})

test('those who wait go on one after the other, before anything else', async () => {
  const wait = goOnTogether()
  const done: string[] = []
  const goOn = async (name: string) => {
    await wait()
    done.push(name)
  }
  const all = [goOn('first'), goOn('second')]
  setImmediate(() => done.push('a later turn'))
  await Promise.all(all)
  expect(done).toEqual(['first', 'second'])
})
