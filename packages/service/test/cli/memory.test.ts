import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MEMORY = new URL('../../dist/cli/run/memory.js', import.meta.url).href

/** Keeps 12 MB in each round, and prints the size of the space for new objects at the end. */
const GROW = `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { getHeapSpaceStatistics } from 'node:v8'
  const { keepHeapSmall } = await import(${JSON.stringify(MEMORY)})
  if (process.env.KEEPS_SMALL) keepHeapSmall()
  const kept = []
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i < 1_500; i++) kept.push(new Array(1_000).fill(i))
    await sleep(300)
  }
  console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1024 / 1024)`

test.each([
  { KEEPS_SMALL: 'yes', most: 32 },
  { KEEPS_SMALL: '', most: 128 },
])('new objects get $most MB if Node would give them 128 (kept small: $KEEPS_SMALL)', async ({ most, ...env }) => {
  const args = ['--max-semi-space-size=64', '--input-type=module', '--eval', GROW]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { ...process.env, ...env },
  })
  expect(Number(stdout)).toBe(most)
})
