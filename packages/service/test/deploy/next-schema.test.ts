import { expect, test } from 'vitest'
import { SLOW } from '../support/processes.ts'
import { runBothReleases } from './both-releases.ts'

test(
  'nodes of a release and the next one serve together while the schema changes, and nothing fails or is lost',
  SLOW,
  async () => {
    await expect(runBothReleases(30)).resolves.toBeUndefined()
  },
)
