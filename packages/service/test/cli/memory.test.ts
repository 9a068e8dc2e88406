import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MEMORY = new URL('../../dist/cli/run/memory.js', import.meta.url).href

/** Keeps 12 MB in each round, and prints the size of the space for new objects at the end. */
const GROW = `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { getHeapSpaceStatistics } from 'node:v8'
  const { limitYoungObjects } = await import(${JSON.stringify(MEMORY)})
  if (process.env.IS_LIMITED) limitYoungObjects()
  const kept = []
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i < 1_500; i++) kept.push(new Array(1_000).fill(i))
    await sleep(300)
  }
  console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1024 / 1024)`

async function growWith(env: Record<string, string>): Promise<number> {
  const args = ['--max-semi-space-size=64', '--input-type=module', '--eval', GROW]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
  return Number(stdout)
}

test('the room for new objects stays at 32 MB where Node would let it grow further', async () => {
  const [limited, unlimited] = await Promise.all([growWith({ IS_LIMITED: 'yes' }), growWith({ IS_LIMITED: '' })])
  expect(limited).toBeLessThanOrEqual(32)
  expect(unlimited).toBeGreaterThan(32)
})
