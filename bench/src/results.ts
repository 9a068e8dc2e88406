import { createRate } from './create-order.ts'
import { inTurns } from './figures.ts'
import { measureRate } from './load.ts'
import { whenQuiet } from './quiet.ts'
import type { Report } from './report.ts'
import { CONNECTIONS, ROUNDS, SECONDS } from './settings.ts'
import { orderBody, post, type World } from './world.ts'

/** The events reported for the three services of an order, in turn. */
const STAGES = [
  { panel: 'urine', kind: 'collector', event: 'collected' },
  { panel: 'hair', kind: 'collector', event: 'collected' },
  { panel: 'breath', kind: 'bat', event: 'checkedIn' },
  { panel: 'urine', kind: 'lab', event: 'receivedAtLab' },
  { panel: 'hair', kind: 'lab', event: 'testing' },
  { panel: 'breath', kind: 'bat', event: 'result', result: 'negative' },
  { panel: 'urine', kind: 'lab', event: 'result', result: 'negative' },
  { panel: 'hair', kind: 'lab', event: 'result', result: 'positive' },
]

/** Orders prepared per second of measurement. */
const AHEAD = 1_000

/** Result reports that advance their orders, against the rate of creating orders. */
export async function benchResults(world: World, report: Report): Promise<void> {
  const { origin, staff, pool } = world
  const reports = new Reports(world)
  const take = whenQuiet(pool, () =>
    measureRate(`${origin}/api/operator/v1/results`, {
      headers: staff,
      connections: CONNECTIONS,
      seconds: SECONDS,
      method: 'POST',
      body: () => reports.next(),
    }),
  )
  const rates = await inTurns(ROUNDS, {
    ours: async () => {
      await reports.prepare()
      return take()
    },
    theirs: whenQuiet(pool, () => createRate(world)),
  })
  report.addRates('take a result that moves its order', 'creates in the same run', rates, { least: 0.8 })
}

class Reports {
  readonly #world: World
  #ids: string[] = []
  #taken = 0
  #sent = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Creates enough orders for the next round. */
  async prepare(): Promise<void> {
    const { origin, fresh } = this.#world
    this.#ids = []
    this.#taken = 0
    const make = async () => {
      while (this.#ids.length < AHEAD * Math.max(1, SECONDS)) {
        const { services } = await post<{ services: { id: string }[] }>(
          `${origin}/api/v2/orders`,
          fresh,
          orderBody('fresh'),
        )
        this.#ids.push(...services.map(({ id }) => id))
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, make))
  }

  next(): string {
    const order = this.#taken % (this.#ids.length / 3)
    const stage = STAGES[Math.floor(this.#taken / (this.#ids.length / 3))]
    if (!stage) throw new Error('There are too few prepared orders for this rate. Raise AHEAD.')
    this.#taken++
    const { panel, kind, ...event } = stage
    const serviceId = this.#ids[order * 3 + ['urine', 'hair', 'breath'].indexOf(panel)]
    return JSON.stringify({
      messageId: `bench-${++this.#sent}`,
      sender: { kind, id: 'bench' },
      match: { serviceId },
      occurredAt: new Date().toISOString(),
      ...event,
    })
  }
}
