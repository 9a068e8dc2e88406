import { cpus } from 'node:os'
import { benchCatalog } from './catalog.ts'
import { benchCreate } from './create-order.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchList } from './list-orders.ts'
import { benchMatch } from './match-order.ts'
import { benchOverload } from './overload.ts'
import { benchRead } from './read-order.ts'
import { benchResults } from './results.ts'
import { startWorld } from './world.ts'

/** Figures are ratios to a limit measured in the same run: only ratios carry over to another machine. */
const PARTS = {
  catalog: benchCatalog,
  read: benchRead,
  create: benchCreate,
  overload: benchOverload,
  results: benchResults,
  deliveries: benchDeliveries,
  list: benchList,
  match: benchMatch,
}
type Part = keyof typeof PARTS

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  process.stderr.write(`Unknown benchmark: ${unknown.join(', ')}. Choose from: ${Object.keys(PARTS).join(', ')}.\n`)
  process.exit(1)
}
const print = (line: string) => void process.stdout.write(`${line}\n`)
print(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`)
const world = await startWorld()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void world.close().finally(() => process.exit(1)))
}
try {
  for (const part of names.length > 0 ? (names as Part[]) : (Object.keys(PARTS) as Part[])) {
    print('')
    await PARTS[part](world, print)
  }
} finally {
  await world.close()
}
