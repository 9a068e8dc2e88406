import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { defineConfig } from 'vitest/config'

/** Files that take longest: begun last, one of them would keep a single core busy at the end. */
const LONG =
  /browser|hostile-|outside|cli\/(serve|roles|local-audit)|scale|counts|plans|worker-(lease|kill|memory)|deadlines|guides\.test/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not the one of arrays
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => Number(LONG.test(moduleId))
    return sorted.toSorted((a, b) => isLong(b) - isLong(a))
  }
}

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    globalSetup: ['packages/service/test/support/global-setup.ts'],
    pool: 'threads',
    isolate: false,
    // One more than the cores of a small machine, because tests also wait for the database and for processes.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Outer limits alone: tests wait for conditions, so a slow machine only takes longer.
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
})
