import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { defaultExclude, defineConfig } from 'vitest/config'

/** Many processes, broken networks, guides, the main paths in a browser: `npm run test:long`, and so `.ci/run`, runs what `npm test` leaves out. */
const LONG = [
  'embedded-postgres/test/{clusters,outside}',
  'service/test/cli/{processes,several-processes}',
  'service/test/console/{areas,sign-in}-browser',
  'service/test/deploy/{files,metrics,next-schema,pooler,restarts}',
  'service/test/faults/*',
  'service/test/growth/*',
  'service/test/guides/{administration,guides,machinery}',
  'service/test/http/{deadlines,hostile-catalog}',
  'service/test/orders/counts',
  'service/test/sandbox/generators',
  'service/test/users/passkeys-browser',
  'service/test/webhooks/worker-{kill,lease,memory}',
].map((name) => `packages/${name}.test.ts`)

/** Large data, kills and races, every state of every page in a browser, the guides for administrators, and the image: `npm run test:release`, before a release or a change of these. */
const RELEASE = [
  'docs/test/building',
  'embedded-postgres/test/{binaries,owners,users}',
  'service/test/catalog/{large-files,scale}',
  'service/test/console/{audit,book,bookings,catalog,changed-meanwhile,connection,days-work,figures,looks,new-order,notifications,order,orders,people,results,scale,today,tokens,undo,unsaved,webhooks}-browser',
  'service/test/deploy/{fresh-install,image,next-schema-long}',
  'service/test/docs/browser',
  'service/test/guides/{following,production}',
  'service/test/http/mailbox-browser',
  'service/test/matching/searches',
  'service/test/notifications/mail-browser',
  'service/test/notifications/kill',
  'service/test/orders/{races,search-scale}',
  'service/test/participants/{browser,browser-history,browser-map,details-browser,pass-browser,requester-browser,visit-browser}',
  'service/test/participants/{journey-browser,journey-links-browser,journey-turns-browser}',
  'service/test/retention/counts',
  'service/test/sealing/earlier-build',
  'service/test/store/bounds',
  'service/test/webhooks/{list-cost,worker-faults,worker-isolation}',
].map((name) => `packages/${name}.test.ts`)

/** Files that take longest: begun last, one of them would keep a single core busy at the end. */
const FIRST =
  /browser|hostile-|outside|cli\/(serve|roles|local-audit)|scale|counts|plans|worker-|deadlines|(guides|following|production)\.test/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not the one of arrays
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => Number(FIRST.test(moduleId))
    return sorted.toSorted((a, b) => isLong(b) - isLong(a))
  }
}

/** `--mode long` and `--mode release` run those tests alone, `--mode all` all of them. */
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? LONG : mode === 'release' ? RELEASE : ['packages/*/test/**/*.test.ts'],
    exclude: mode === 'test' ? [...defaultExclude, ...LONG, ...RELEASE] : defaultExclude,
    globalSetup: ['packages/service/test/support/global-setup.ts'],
    pool: 'threads',
    isolate: false,
    // One more than the cores of a small machine, because tests also wait for the database and for processes.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Outer limits alone: tests wait for conditions, so a slow machine only takes longer.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
}))
