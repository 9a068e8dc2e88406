import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { setMode } from '../../src/cli/output/mode.ts'
import { clearProgress, progressText, reportProgress } from '../../src/cli/output/progress.ts'
import { changeCatalogs } from '../../src/cli/run/catalog-files.ts'
import { verifyAudit } from '../../src/operations/audit/verify.ts'
import type { Progress } from '../../src/operations/progress.ts'
import { applyRetention } from '../../src/operations/retention/apply.ts'
import { rotateKeys } from '../../src/operations/sealing/rotate-keys.ts'
import { entryAt, linkAll } from '../audit/given.ts'
import { created, stored, TENANT, world } from '../orders/given.ts'
import { record } from '../support/record.ts'
import { catalogFile, startService, TEST_KEY, type TestService } from '../support/service.ts'

describe('progress on stderr', () => {
  afterEach(() => setMode({}))

  /** Reports on a stream with a clock, and returns what was written. */
  function reporting({ isTTY, columns = 80 }: { isTTY: boolean; columns?: number }) {
    const [written, clock]: [string[], { ms: number }] = [[], { ms: 0 }]
    const stream = { isTTY, columns, write: (text: string) => written.push(text) }
    return { written, clock, reporter: reportProgress('Saving', { stream, now: () => clock.ms }) }
  }

  test('progress names what is counted, the share and the speed', () => {
    const text = (done: number, total?: number, speed = 0) =>
      progressText('Saving', { kind: 'rows', done, total }, speed)
    expect(text(1200, 5000, 340)).toBe('Saving rows: 1,200 of 5,000 (24 %), 340/s')
    expect(text(1200)).toBe('Saving rows: 1,200')
    expect(text(0, 0)).toBe('Saving rows: 0 of 0 (100 %)')
  })

  test('a terminal shows one line that changes at most ten times a second, and is cleared', () => {
    const { written, clock, reporter } = reporting({ isTTY: true })
    for (let done = 0; done <= 1000; done += 10, clock.ms += 10) reporter.update({ kind: 'rows', done, total: 1000 })
    expect(written).toHaveLength(11)
    expect(written[10]).toMatch(
      /^\r(?:\u001B\[2m)?Saving rows: 1,000 of 1,000 \(100 %\), 1,000\/s(?:\u001B\[22m)?\u001B\[K$/,
    )
    reporter.end()
    expect(written.at(-1)).toBe('\r\u001B[K')
    clearProgress()
    expect(written).toHaveLength(12)
  })

  test('a line of progress is cut at the width of the terminal', () => {
    const { written, reporter } = reporting({ isTTY: true, columns: 20 })
    reporter.wait('Waiting until every node uses the new key …')
    expect(written[0]).toContain('Waiting until ever…')
    reporter.end()
  })

  test('without a terminal there is a plain line every ten seconds', () => {
    const { written, clock, reporter } = reporting({ isTTY: false })
    reporter.wait('Waiting …')
    for (let done = 0; done <= 250; done++, clock.ms += 100) reporter.update({ kind: 'rows', done })
    expect(written).toEqual(['Saving rows: 100, 10/s\n', 'Saving rows: 200, 10/s\n'])
  })

  test.each([{ json: true }, { quiet: true }])('there is no progress with %o', (given) => {
    setMode(given)
    const { written, reporter } = reporting({ isTTY: true })
    reporter.update({ kind: 'rows', done: 1 })
    reporter.wait('Waiting …')
    reporter.end()
    expect(written).toEqual([])
  })
})

describe('long work', { timeout: 120_000 }, () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
    await service.apply(world())
  })
  afterAll(() => service.stop())

  /** The last report of each kind. */
  async function reportsOf(work: (onProgress: (progress: Progress) => void) => Promise<unknown>) {
    const last = new Map<string, Progress>()
    await work((progress) => last.set(progress.kind, progress))
    return Object.fromEntries(
      [...last].map(([kind, { done, total }]) => [kind, total === undefined ? done : [done, total]]),
    )
  }

  test('a catalog applied in a thread reports the entries it has saved', async () => {
    const clinics = Array.from({ length: 4_500 }, (_, i) => ({
      id: `c-${i}`,
      name: 'Clinic '.repeat(30).trim(),
      services: ['urine'],
    }))
    const bytes = Buffer.from(JSON.stringify(catalogFile('large', { clinics })))
    expect(bytes.length).toBeGreaterThan(1024 ** 2)
    const seen: number[] = []
    const { entries } = await reportsOf((onProgress) =>
      changeCatalogs(
        'apply',
        [{ name: 'large', bytes }],
        { mode: 'sandbox' },
        { store: service.store, forThreads: { target: service.target, keys: () => [TEST_KEY] } },
        {
          onProgress: (progress) => {
            seen.push(progress.done)
            onProgress(progress)
          },
        },
      ),
    )
    const [done, total] = entries as [number, number]
    expect(done).toBe(total)
    expect(total).toBeGreaterThan(4_500)
    expect(seen.length).toBeGreaterThan(2)
  })

  test('the rotation of keys reports every table, the verification its entries', async () => {
    await created(service)
    const rotated = await reportsOf((onProgress) => rotateKeys(service.store, onProgress))
    expect(rotated).toMatchObject({ orders: 0, callbacks: 0, auditDetails: 0 })
    await service.store.audit.append([1, 2, 3, 4, 5].map((i) => entryAt(i)))
    await linkAll(service)
    const verified = await reportsOf((onProgress) => verifyAudit(TENANT, service.store, { onProgress }))
    expect(verified['audit entries']).toBeGreaterThanOrEqual(5)
  })

  test('retention reports the orders and records it has checked or deleted', async () => {
    for (let i = 0; i < 3; i++)
      await stored(service, { services: [{ status: 'negative' }], createdAt: new Date('2020-01-01') })
    const policy = { keep: { orders: { negative: '2 years' }, notifications: '1 year' } }
    const run = { policy, tenantId: TENANT, store: service.store, record, now: new Date('2030-01-01') }
    const apply = (isDryRun: boolean) => reportsOf((onProgress) => applyRetention({ ...run, isDryRun, onProgress }))
    expect(await apply(true)).toMatchObject({ orders: 3 })
    expect(await apply(false)).toMatchObject({ orders: 3 })
    expect(await apply(true)).toMatchObject({ orders: 0 })
  })
})
