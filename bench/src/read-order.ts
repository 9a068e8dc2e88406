import { inTurns, ratio, row } from './figures.ts'
import { measureRate } from './load.ts'
import { startBare } from './processes.ts'
import { CONNECTIONS, ROUNDS, SECONDS } from './settings.ts'
import { orderBody, post, read, TENANT, type World } from './world.ts'

/** Enough that concurrent reads are hardly ever of the same order. */
const ORDERS_READ = 500

/** Reading one order against a bare handler with one prepared point read of the same text, which only the service has to unseal. */
export async function benchRead(
  { origin, databaseUrl, pool, fresh }: World,
  print: (line: string) => void,
): Promise<void> {
  await pool.script(
    'create table if not exists ready_heads (tenant_id text, id text, head text, primary key (tenant_id, id))',
  )
  const ids: string[] = []
  for (let i = 0; i < ORDERS_READ; i++) {
    const { id } = await post(`${origin}/api/v2/orders`, fresh, orderBody('fresh'))
    ids.push(id)
    await pool`insert into ready_heads values (${TENANT}, ${id}, ${await read(`${origin}/api/v2/orders/${id}`, fresh)})`
  }
  const bare = await startBare({ DATABASE_URL: databaseUrl, TENANT })
  const load = { headers: fresh, connections: CONNECTIONS, seconds: SECONDS, suffixes: ids }
  try {
    print(row('orders', 'service/s', 'limit/s', 'ratio'))
    const { ours, theirs } = await inTurns(ROUNDS, {
      ours: () => measureRate(`${origin}/api/v2/orders/`, load),
      theirs: () => measureRate(`${bare.origin}/`, load),
    })
    print(row('read one', ours, theirs, ratio(ours, theirs)))
  } finally {
    await bare.stop()
  }
}
