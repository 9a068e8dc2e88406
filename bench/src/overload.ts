import { setTimeout as sleep } from 'node:timers/promises'
import { median, quantile } from './figures.ts'
import { startBare, startFlood } from './processes.ts'
import type { Report } from './report.ts'
import { ROUNDS, SECONDS } from './settings.ts'
import { orderBody, post, read, type World } from './world.ts'

/** Clients that create orders without a pause. */
const CLIENTS = 500
/** Pause between reads, so that they do not add to the load. */
const PAUSE_MS = 10

/**
 * Reading one order on an idle service, and while many clients of another token create orders. A bare server that responds from
 * memory is read alternately: its slowdown is the machine's, not the service's.
 */
export async function benchOverload({ origin, few, fresh }: World, report: Report): Promise<void> {
  const { id } = await post(`${origin}/api/v2/orders`, few, orderBody('few'))
  const url = `${origin}/api/v2/orders/${id}`
  const body = await read(url, few)
  const bare = await startBare({ ANSWERS: JSON.stringify({ '/order': { headers: [], body } }) })
  const waits = {
    service: { idle: [] as number[], flooded: [] as number[] },
    bare: { idle: [] as number[], flooded: [] as number[] },
  }
  const created: number[] = []
  const refused: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await measure('idle')
      const flood = await startFlood({
        URL: `${origin}/api/v2/orders`,
        TOKEN: fresh['authorization']!,
        CLIENTS: String(CLIENTS),
      })
      await sleep(1_000)
      await measure('flooded')
      const counts = await flood.stop()
      created.push(counts.created / counts.seconds)
      refused.push(counts.refused / counts.seconds)
    }
  } finally {
    await bare.stop()
  }
  async function measure(when: 'idle' | 'flooded'): Promise<void> {
    const until = performance.now() + 2_000 * SECONDS
    while (performance.now() < until) {
      waits.service[when].push(await measureTime(() => read(url, few)))
      await sleep(PAUSE_MS)
      waits.bare[when].push(await measureTime(() => read(`${bare.origin}/order`, {})))
      await sleep(PAUSE_MS)
    }
  }
  const rates = `${median(created).toFixed(0)} creates/s, ${median(refused).toFixed(0)} refused/s`
  for (const name of ['service', 'bare'] as const)
    for (const part of [0.5, 0.99]) {
      const [theirs, ours] = [quantile(waits[name].idle, part), quantile(waits[name].flooded, part)]
      const who = name === 'service' ? `beside ${rates}` : 'the bare server beside the same'
      report.addTimes(`read, p${100 * part}: ${who}`, 'idle', { ours, theirs })
    }
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
