import { inTurns, ratio, row } from './figures.ts'
import { rateOf } from './load.ts'
import { startBare } from './processes.ts'
import { CONNECTIONS, ROUNDS, SECONDS } from './settings.ts'
import { orderBody, post, TENANT, type World } from './world.ts'

/**
 * Reading one order against a bare handler that runs the single prepared point read and sends what it finds: the same text,
 * which is sealed in the service's table and plain in the handler's.
 */
export async function benchRead(
  { origin, databaseUrl, pool, fresh }: World,
  print: (line: string) => void,
): Promise<void> {
  const { id } = await post(`${origin}/api/v2/orders`, fresh, orderBody('fresh'))
  const text = await (await fetch(`${origin}/api/v2/orders/${id}`, { headers: fresh })).text()
  await pool.script(
    'create table if not exists ready_heads (tenant_id text, id text, head text, primary key (tenant_id, id))',
  )
  await pool`insert into ready_heads values (${TENANT}, ${id}, ${text})`
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
