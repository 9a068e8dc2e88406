import { expect, test } from 'vitest'
import { SLOW } from '../support/processes.ts'
import { runBothReleases } from './both-releases.ts'

test(
  'nodes of a release and the next one serve thousands of orders together, and nothing fails or is lost',
  { timeout: 10 * SLOW.timeout },
  async () => {
    await expect(runBothReleases(2_000)).resolves.toBeUndefined()
  },
)
