import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../../../scripts/places.js', import.meta.url))

test('the table of places is what npm run places makes of its packages', async () => {
  await expect(promisify(execFile)(process.execPath, [SCRIPT, '--check'])).resolves.toEqual({ stdout: '', stderr: '' })
})
