import { inTurns, ratio, row } from './figures.ts'
import { rateOf } from './load.ts'
import { startBare } from './processes.ts'
import { CONNECTIONS, ROUNDS, SECONDS } from './settings.ts'
import { orderBody, post, TENANT, type World } from './world.ts'

/** Reading one order against a bare handler that runs the single prepared point read and sends what it finds. */
export async function benchRead({ origin, databaseUrl, fresh }: World, print: (line: string) => void): Promise<void> {
  const { id } = await post(`${origin}/api/v2/orders`, fresh, orderBody('fresh'))
  const bare = await startBare({ DATABASE_URL: databaseUrl, TENANT })
  const load = { headers: fresh, connections: CONNECTIONS, seconds: SECONDS }
  try {
    print(row('orders', 'service/s', 'limit/s', 'ratio'))
    const { ours, theirs } = await inTurns(ROUNDS, {
      ours: () => rateOf(`${origin}/api/v2/orders/${id}`, load),
      theirs: () => rateOf(`${bare.origin}/${id}`, load),
    })
    print(row('read one', ours, theirs, ratio(ours, theirs)))
  } finally {
    await bare.stop()
  }
}
