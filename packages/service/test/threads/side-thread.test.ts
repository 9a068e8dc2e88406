import { afterEach, describe, expect, test } from 'vitest'
import { Refusal } from '../../src/domain/refusal.ts'
import { Overloaded, Unavailable } from '../../src/store/db/errors.ts'
import { OutOfMemory, SideThread, threadFile } from '../../src/threads/side-thread.ts'
import { startThreads, type ThreadJob } from '../../src/threads/thread-jobs.ts'
import { freshDatabase, startService, TEST_KEY } from '../support/service.ts'
import { wayTo } from '../faults/proxy.ts'
import { operate, staffed } from '../support/operator.ts'
import { refusalOf } from '../http/answers.ts'

/** A thread that throws what its jobs say, or ends. */
const SCRIPT = `
  import { Refusal } from '${moduleOf('domain', 'refusal')}'
  import { Overloaded, Unavailable } from '${moduleOf('store/db', 'errors')}'
  import { doJobs } from '${moduleOf('threads', 'side-thread')}'
  const jobs = {
    refuse: () => { throw new Refusal([{ code: 'conflict', detail: 'No.' }]) },
    overload: () => { throw new Overloaded() },
    lose: () => { throw new Unavailable('The server is away.', { code: '57P01' }) },
    fail: () => { throw Object.assign(new Error('Broken.'), { code: 'E42' }) },
    end: () => process.exit(1),
    exhaust: () => void setImmediate(() => { throw Object.assign(new Error('No heap.'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }) }),
    wait: () => new Promise(() => setTimeout(() => {}, 60_000)),
  }
  doJobs(async (job) => ({ done: (await jobs[job]()) ?? (await jobs.wait()) }))`

type Job = 'refuse' | 'overload' | 'lose' | 'fail' | 'end' | 'exhaust' | 'wait'

const threads: SideThread<Job, never>[] = []
afterEach(async () => void (await Promise.all(threads.splice(0).map((thread) => thread.stop()))))

function startThread(): SideThread<Job, never> {
  const thread = new SideThread<Job, never>(new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`))
  threads.push(thread)
  return thread
}

const thrownBy = (job: Promise<unknown>) => job.catch((error: unknown) => error) as Promise<Error & { code?: string }>

describe('errors of jobs in a thread', () => {
  test('an error of a job is rethrown with its class', async () => {
    const thread = startThread()
    expect(await thrownBy(thread.run('refuse'))).toBeInstanceOf(Refusal)
    expect(await thrownBy(thread.run('overload'))).toBeInstanceOf(Overloaded)
    const lost = await thrownBy(thread.run('lose'))
    expect(lost).toBeInstanceOf(Unavailable)
    expect(lost).toMatchObject({ message: 'The server is away.', code: '57P01' })
    const failed = await thrownBy(thread.run('fail'))
    expect(failed).not.toBeInstanceOf(Unavailable)
    expect(failed).toMatchObject({ message: 'Broken.', code: 'E42' })
  })
})

test('jobs do not wait for one that takes long, while others end', async () => {
  const thread = startThread()
  const waiting = thrownBy(thread.run('wait'))
  const others = Array.from({ length: 12 }, () => thrownBy(thread.run('refuse')))
  for (const error of await Promise.all(others)) expect(error).toBeInstanceOf(Refusal)
  await thread.stop()
  expect(await waiting).toBeInstanceOf(Unavailable)
})

describe('a thread that ends', () => {
  test('a thread that ends makes its jobs unavailable, and the next job starts another', async () => {
    const thread = startThread()
    const [ended, waiting] = [thrownBy(thread.run('end')), thrownBy(thread.run('wait'))]
    expect(await ended).toBeInstanceOf(Unavailable)
    expect(await waiting).toBeInstanceOf(Unavailable)
    expect(await thrownBy(thread.run('refuse'))).toBeInstanceOf(Refusal)
  })

  test('a thread that runs out of memory reports it to a job that was alone', async () => {
    const alone = startThread()
    expect(await thrownBy(alone.run('exhaust'))).toBeInstanceOf(OutOfMemory)
    const shared = startThread()
    const both = await Promise.all([thrownBy(shared.run('wait')), thrownBy(shared.run('exhaust'))])
    for (const error of both) expect(error).toBeInstanceOf(Unavailable)
  })

  test('a stopped thread is not started again', async () => {
    const thread = startThread()
    const running = thrownBy(thread.run('wait'))
    await thread.stop()
    expect(await running).toBeInstanceOf(Unavailable)
    expect(await thrownBy(thread.run('refuse'))).toBeInstanceOf(Unavailable)
  })

  test('a stopped thread accepts no more jobs of requests', async () => {
    const database = await freshDatabase()
    const { catalogs, stop } = startThreads(database.store, { target: database.target, keys: () => [TEST_KEY] })
    await stop()
    expect(await thrownBy(catalogs({ operation: 'exportCatalog' } as ThreadJob))).toBeInstanceOf(Unavailable)
    await database.drop()
  })
})

test('a thread whose database goes away is answered 503 with Retry-After', async () => {
  const database = await freshDatabase()
  const way = await wayTo(database.target)
  const service = await startService({ database: { target: way.target, keys: () => [TEST_KEY] } })
  try {
    await service.apply(staffed())
    await way.cut()
    const answer = await operate(service, 'GET', '/catalog')
    expect(refusalOf(answer)).toBe('503 internalError')
    expect(answer.headers.get('retry-after')).toBe('1')
  } finally {
    await service.stop()
    await database.drop()
  }
})

function moduleOf(folder: string, name: string): string {
  return threadFile(name, new URL(`../../src/${folder}/${name}.ts`, import.meta.url).href).href
}
