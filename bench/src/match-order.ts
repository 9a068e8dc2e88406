import { inTurns, ratio, row } from './figures.ts'
import { measureRate } from './load.ts'
import { seedOrders } from './seed.ts'
import { CONNECTIONS, ORDERS, ROUNDS, SECONDS } from './settings.ts'
import { orderBody, type World } from './world.ts'

/** Creating among a million orders, with and without matching. */
export async function benchMatch(world: World, print: (line: string) => void): Promise<void> {
  await seedOrders(world, { company: 'many', count: ORDERS })
  const rate = (enabled: boolean) =>
    measureRate(`${world.origin}/api/v2/orders`, {
      headers: world.many,
      connections: CONNECTIONS,
      seconds: SECONDS,
      method: 'POST',
      body: () => orderBody('many', { orderMatching: { enabled, lookBackPeriod: { unit: 'days', value: 400 } } }),
    })
  const { on, off } = await inTurns(ROUNDS, { on: () => rate(true), off: () => rate(false) })
  print(row('create among many', 'matching/s', 'without/s', 'cost'))
  print(row(`${ORDERS} orders`, on, off, ratio(off, on)))
}
