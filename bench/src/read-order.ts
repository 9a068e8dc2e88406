import { arch } from 'node:os'
import { inTurns } from './figures.ts'
import { measureRate } from './load.ts'
import { captureResponse, startBare } from './processes.ts'
import type { Report } from './report.ts'
import { CONNECTIONS, ROUNDS, SECONDS } from './settings.ts'
import { orderBody, post, read, TENANT, type World } from './world.ts'

/** Enough that concurrent reads are hardly ever of the same order. */
const ORDERS_READ = 500

/** On arm64 the bare server is the slower part. */
const OF_BARE = arch() === 'arm64' ? 0.7 : 0.4

/**
 * Reading one order against a bare server that sends the same bytes from memory, and against a bare handler with one prepared
 * point read of the same text, which only the service has to unseal.
 */
export async function benchRead({ origin, databaseUrl, pool, fresh }: World, report: Report): Promise<void> {
  await pool.script(
    'create table if not exists ready_heads (tenant_id text, id text, head text, primary key (tenant_id, id))',
  )
  const ids: string[] = []
  for (let i = 0; i < ORDERS_READ; i++) {
    const { id } = await post(`${origin}/api/v2/orders`, fresh, orderBody('fresh'))
    ids.push(id)
    await pool`insert into ready_heads values (${TENANT}, ${id}, ${await read(`${origin}/api/v2/orders/${id}`, fresh)})`
  }
  const sent = await captureResponse(`${origin}/api/v2/orders/${ids[0]}`, fresh)
  const bare = await startBare({ ANSWERS: JSON.stringify({ '/': sent }) })
  const prepared = await startBare({ DATABASE_URL: databaseUrl, TENANT })
  const load = { headers: fresh, connections: CONNECTIONS, seconds: SECONDS }
  try {
    const { ours, same, point } = await inTurns(ROUNDS, {
      ours: () => measureRate(`${origin}/api/v2/orders/`, { ...load, suffixes: ids }),
      same: () => measureRate(`${bare.origin}/`, load),
      point: () => measureRate(`${prepared.origin}/`, { ...load, suffixes: ids }),
    })
    const name = `read one of ${ORDERS_READ} orders`
    report.addRates(name, 'bare node:http, the same bytes', { ours, theirs: same }, { least: OF_BARE })
    report.addRates(name, 'bare handler, one prepared read', { ours, theirs: point }, { least: 1.2 })
  } finally {
    await bare.stop()
    await prepared.stop()
  }
}
