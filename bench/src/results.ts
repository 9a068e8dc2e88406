import { inTurns, ratio, row } from './figures.ts'
import { rateOf } from './load.ts'
import { CONNECTIONS, ROUNDS, SECONDS } from './settings.ts'
import { orderBody, post, type World } from './world.ts'

/** What a laboratory and a collection site report of each of the three services, in turn. */
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

/** Orders are made as they are needed, some thousand messages ahead. */
const AHEAD = 1_000

/** Results that move their orders, beside the rate at which orders are created. */
export async function benchResults(world: World, print: (line: string) => void): Promise<void> {
  const { origin, fresh, staff } = world
  const messages = new Messages(world)
  const load = { connections: CONNECTIONS, seconds: SECONDS, method: 'POST' }
  const { results, creates } = await inTurns(ROUNDS, {
    results: async () => {
      await messages.provide()
      return rateOf(`${origin}/api/operator/v1/results`, { ...load, headers: staff, body: () => messages.next() })
    },
    creates: () => rateOf(`${origin}/api/v2/orders`, { ...load, headers: fresh, body: () => orderBody('fresh') }),
  })
  print(row('results taken', 'results/s', 'creates/s', 'ratio'))
  print(row('by JSON, each moves its order', results, creates, ratio(results, creates)))
}

class Messages {
  readonly #world: World
  #ids: string[] = []
  #taken = 0
  #sent = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Enough orders for the next round, however fast it is. */
  async provide(): Promise<void> {
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
    if (!stage) throw new Error('More results were taken than were provided for.')
    this.#taken++
    const { panel, kind, ...said } = stage
    const serviceId = this.#ids[order * 3 + ['urine', 'hair', 'breath'].indexOf(panel)]
    return JSON.stringify({
      messageId: `bench-${++this.#sent}`,
      sender: { kind, id: 'bench' },
      match: { serviceId },
      occurredAt: new Date().toISOString(),
      ...said,
    })
  }
}
