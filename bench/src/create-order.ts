import { directRate, RUNNER } from './direct.ts'
import { inTurns } from './figures.ts'
import { measureRate } from './load.ts'
import { whenQuiet } from './quiet.ts'
import type { Report } from './report.ts'
import { CONNECTIONS, ROUNDS, SECONDS } from './settings.ts'
import { captureInsert } from './statements.ts'
import { orderBody, post, type World } from './world.ts'

/** Creating orders, with all checks, against the rate of the same insert run directly. */
export async function benchCreate(world: World, report: Report): Promise<void> {
  const { origin, fresh, databaseUrl, pool } = world
  const { id } = await post(`${origin}/api/v2/orders`, fresh, orderBody('fresh'))
  const statement = await captureInsert(world, id)
  const rates = await inTurns(ROUNDS, {
    ours: whenQuiet(pool, () => createRate(world)),
    theirs: whenQuiet(pool, () => directRate(databaseUrl, statement)),
  })
  report.addRates('create an order of three services', `${RUNNER}: the same insert`, rates, { least: 0.85 })
}

export const createRate = ({ origin, fresh }: World) =>
  measureRate(`${origin}/api/v2/orders`, {
    headers: fresh,
    connections: CONNECTIONS,
    seconds: SECONDS,
    method: 'POST',
    body: () => orderBody('fresh'),
  })
