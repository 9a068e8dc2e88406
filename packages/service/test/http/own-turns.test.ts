import { expect, test } from 'vitest'
import { takeOwnTurn } from '../../src/http/limits/own-turns.ts'

test('each large body gets a turn of the event loop of its own', async () => {
  let turns = 0
  const count = () => {
    turns++
    if (turns < 20) setImmediate(count)
  }
  setImmediate(count)
  const takenAt = await Promise.all([1, 2, 3].map(() => takeOwnTurn().then(() => turns)))
  expect(takenAt.every((turn, i) => i === 0 || turn > takenAt[i - 1]!)).toBe(true)
})
