import { expect, test } from 'vitest'
import { logChanges, repeat } from '../../src/cli/run/repeat.ts'

test('work that fails again and again is logged once for each change, and when it succeeds again', async () => {
  const lines: string[] = []
  const logger = {
    warn: ({ err }: { err: Error }, message: string) => void lines.push(`${message}: ${err.message}`),
    info: (message: string) => void lines.push(message),
  }
  const outcomes = ['no key', 'no key', 'no disk', 'no disk', 'done', 'done', 'no disk', 'done']
  const work = async () => {
    const outcome = outcomes.shift()
    if (outcome?.startsWith('no ')) throw new Error(outcome)
  }
  const repeated = repeat(work, 1, logChanges(logger as never, 'Failed'))
  await expect.poll(() => outcomes).toEqual([])
  await repeated.stop()
  expect(lines).toEqual([
    'Failed: no key',
    'Failed: no disk',
    'No longer: Failed',
    'Failed: no disk',
    'No longer: Failed',
  ])
})

test('the first run may come at once, and the next ones wait', async () => {
  let runs = 0
  const work = async () => void runs++
  const repeated = repeat(work, 3_600_000, () => {}, { firstMs: 0 })
  await expect.poll(() => runs).toBe(1)
  await repeated.stop()
  expect(runs).toBe(1)
})
