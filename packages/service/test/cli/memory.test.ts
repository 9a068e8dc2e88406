import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MEMORY = new URL('../../dist/cli/run/memory.js', import.meta.url).href

/** What a script prints. */
async function run(script: string, ...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--input-type=module', '--eval', script])
  return JSON.parse(stdout)
}

/** Keeps 12 MB in each round, and prints the size of the space for new objects at the end. */
const grow = (limit: string) => `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { getHeapSpaceStatistics } from 'node:v8'
  const { limitYoungObjects } = await import(${JSON.stringify(MEMORY)})
  ${limit}
  const kept = []
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i < 1_500; i++) kept.push(new Array(1_000).fill(i))
    await sleep(300)
  }
  console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1024 / 1024)`

test('the room for new objects stays at 16 MB where Node would let it grow further', async () => {
  const [limited, unlimited] = await Promise.all([
    run(grow('limitYoungObjects()'), '--max-semi-space-size=64'),
    run(grow(''), '--max-semi-space-size=64'),
  ])
  expect(limited).toBeLessThanOrEqual(16)
  expect(unlimited).toBeGreaterThan(16)
})

/** Drops 40 MB, makes hardly anything new, and prints what is in use at first, and when it is little or the time is over. */
const settle = (how: string, mostMs: number) => `
  import { setTimeout as sleep } from 'node:timers/promises'
  const { keepHeapSmall, settleHeap } = await import(${JSON.stringify(MEMORY)})
  const usedMb = () => process.memoryUsage().heapUsed / 1024 / 1024
  let made = []
  for (let i = 0; i < 5_000; i++) made.push(new Array(1_000).fill(i))
  made = undefined
  keepHeapSmall()
  ${how}
  const before = usedMb()
  const until = performance.now() + ${mostMs}
  while (usedMb() > 20 && performance.now() < until) await sleep(50)
  console.log(JSON.stringify([before, usedMb()]))`

test('what the start leaves behind is collected soon, so that V8 plans with what is in use', async () => {
  const [settled, unsettled] = (await Promise.all([run(settle('settleHeap()', 60_000)), run(settle('', 4_000))])) as [
    number,
    number,
  ][]
  expect(settled![0]).toBeGreaterThan(40)
  expect(settled![1]).toBeLessThan(20)
  expect(unsettled![1]).toBeGreaterThan(40)
})
