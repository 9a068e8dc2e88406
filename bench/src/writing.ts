import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from './figures.ts'
import { startFlood } from './processes.ts'
import type { Report } from './report.ts'
import { ROUNDS, SECONDS } from './settings.ts'
import { read, type World } from './world.ts'

const CLIENTS = 32
const PAUSE_MS = 10

/** Enough for ten batches. */
const CHANGES = 50_000

/**
 * Page 1 of a company that is creating orders at full rate, against the same page of the same company when it is quiet, and the
 * changes that wait to be folded into the counts meanwhile.
 */
export async function benchWriting({ origin, pool, fresh }: World, report: Report): Promise<void> {
  const waits = { quiet: [] as number[], writing: [] as number[] }
  let [created, mostWaiting, seconds] = [0, 0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const flood = await startFlood({
      URL: `${origin}/api/v2/orders`,
      TOKEN: fresh['authorization']!,
      CLIENTS: String(CLIENTS),
    })
    await sleep(1_000)
    await measure('writing')
    const counts = await flood.stop()
    created += counts.created
    seconds += counts.seconds
    await untilFolded()
    await measure('quiet')
  }
  const p99 = { ours: quantile(waits.writing, 0.99), theirs: quantile(waits.quiet, 0.99) }
  report.addTimes('list page 1 while creating, p99', 'the same page when quiet', p99, { most: 3 })
  const medians = { ours: quantile(waits.writing, 0.5), theirs: quantile(waits.quiet, 0.5) }
  report.addTimes('list page 1 while creating, median', 'the same page when quiet', medians)
  const rate = created / seconds
  report.add({
    name: 'changes waiting to be folded, most',
    against: 'changes in two seconds',
    ours: String(mostWaiting),
    theirs: String(Math.round(2 * rate)),
    ratio: mostWaiting / (2 * rate),
    goal: { most: 1 },
  })
  await measureFolding()

  async function waiting(): Promise<number> {
    const [row] = await pool<{ n: number }[]>`select count(*)::int as n from order_changes`
    return row!.n
  }

  async function soon(): Promise<number> {
    await sleep(10)
    return waiting()
  }

  async function untilFolded(): Promise<void> {
    while ((await waiting()) > 0) await sleep(100)
  }

  async function measure(when: 'quiet' | 'writing'): Promise<void> {
    const until = performance.now() + 2_000 * SECONDS
    while (performance.now() < until) {
      const begun = performance.now()
      await read(`${origin}/api/v2/orders`, fresh)
      waits[when].push(performance.now() - begun)
      if (when === 'writing') mostWaiting = Math.max(mostWaiting, await waiting())
      await sleep(PAUSE_MS)
    }
  }

  /**
   * How fast waiting changes are folded: each order that was created is changed to its own status again and again. Counted from
   * the end of the first batch, since folding begins up to a second after the changes.
   */
  async function measureFolding(): Promise<void> {
    const rates: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await pool`
        insert into order_changes (tenant_id, company_id, location_id, order_id, old_status, new_status, old_updated_at, new_updated_at)
        select tenant_id, company_id, location_id, id, status, status, updated_at, updated_at
        from orders, generate_series(1, ${CHANGES}) limit ${CHANGES}`
      let left = await waiting()
      while (left >= CHANGES) left = await soon()
      const begun = performance.now()
      const first = left
      while (left > 0) left = await soon()
      rates.push(first / ((performance.now() - begun) / 1000))
    }
    report.addRates('changes folded', 'a goal of 5,000/s', { ours: quantile(rates, 0.5), theirs: 5_000 }, { least: 1 })
  }
}
