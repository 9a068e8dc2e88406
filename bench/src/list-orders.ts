import { directRate, RUNNER } from './direct.ts'
import { inTurns } from './figures.ts'
import { measureRate, type Load } from './load.ts'
import type { Report } from './report.ts'
import { CONNECTIONS, ROUNDS, SECONDS } from './settings.ts'
import { fill } from './fill.ts'
import { secretHeaders, TENANT, type World } from './world.ts'

const COUNTS = [0, 10_000, 50_000]

/** More than there are connections, so that no two requests at once are for the same page and share its statement. */
const PAGES = Array.from({ length: 2 * CONNECTIONS }, (_, i) => `?page=${i + 1}`)

/** Page 1 of a company, at several sizes, against pgbench that reads the same rows and a total kept in one row. */
export async function benchList(world: World, report: Report): Promise<void> {
  await world.pool.script('create table kept_total (tenant_id text primary key, total bigint not null)')
  await world.pool`insert into kept_total values (${TENANT}, 1)`
  const text = `
    select id, sealed_answer, (select total from kept_total where tenant_id = '${TENANT}') from orders
    where tenant_id = '${TENANT}' and company_id = 'c-0' order by id desc limit 20`
  const statement = { text, parameters: () => [], script: `${text.replaceAll(/\s+/g, ' ')};` }
  let filled = 0
  for (const count of COUNTS) {
    filled = await fill(world, { from: filled, to: count })
    const lists = (changed: Partial<Load> = {}) =>
      measureRate(`${world.origin}/api/v2/orders`, {
        headers: secretHeaders('c-0'),
        connections: CONNECTIONS,
        seconds: SECONDS,
        ...changed,
      })
    const { ours, theirs, several, compressed } = await inTurns(ROUNDS, {
      ours: () => lists(),
      theirs: () => directRate(world.databaseUrl, statement),
      several: () => lists({ suffixes: PAGES }),
      compressed: () => lists({ headers: { ...secretHeaders('c-0'), 'accept-encoding': 'gzip' } }),
    })
    const name = `list page 1, ${count.toLocaleString('en-US')} orders`
    const against = `${RUNNER}: the rows and a kept total`
    report.addRates(name, against, { ours, theirs }, count === 0 ? undefined : { least: 0.6 })
    if (count === 0) continue
    report.addRates(name.replace('page 1', 'other pages'), against, { ours: several, theirs })
    report.addRates(name.replace('page 1', 'page 1 with gzip'), 'without', { ours: compressed, theirs: ours })
  }
}
