import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serving } from '../support/processes.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'
import { httpReceiver } from './receivers.ts'
import { arrivals, endWork, startLoad, startWorker, states, until } from './working.ts'

/** A hundred hold too, but to start as many processes takes more than a minute. */
const KILLS = Number(process.env['TEST_KILLS'] ?? 8)
const AT_ONCE = 3

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'ots-kill-'))
})
afterAll(async () => {
  await endWork()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test(`workers are killed ${KILLS} times under load: every event arrives, repeated only if it was in flight`, async () => {
  const receiver = await httpReceiver()
  const stopLoad = startLoad(database.store, receiver.url)
  let left = KILLS
  const killOn = async () => {
    while (left-- > 0) {
      const worker = await startProcess()
      const before = receiver.requests.length
      await until(() => receiver.requests.length > before)
      await sleep(Math.random() * 100)
      expect(await worker.end('SIGKILL')).toBeNull()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, killOn))
  const count = await stopLoad()

  // Nobody is left, so whatever is claimed was at hand when its worker died.
  const atHand = await database.pool`update deliveries set claimed_until = now() where claim_id is not null returning 1`
  expect(atHand.length).toBeGreaterThan(0)
  startWorker(database.store)
  await until(async () => (await states(database.pool))['delivered'] === count, 'all delivered', 120_000)
  // On a busy machine the receiver may answer too late for an attempt, which is then repeated as well.
  const [recorded] = await database.pool<{ answered: number; unanswered: number }[]>`
    select count(*) filter (where status = 200)::int as answered, count(*) filter (where status is null)::int as unanswered
    from delivery_attempts`
  expect(recorded!.answered).toBe(count)
  const ids = arrivals(receiver.requests)
  expect(new Set(ids).size).toBe(count)
  expect(ids.length - count).toBeLessThanOrEqual(atHand.length + recorded!.unanswered)
}, 300_000)

const startProcess = () =>
  serving({
    DATABASE_URL: urlOf(database.target),
    OTS_ROLE: 'worker',
    OTS_DATA_DIR: folder,
    OTS_KEYS: 'test:a key for tests alone',
    OTS_LOG_LEVEL: 'warn',
  })
