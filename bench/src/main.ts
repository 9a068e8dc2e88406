import { parseArgs } from 'node:util'
import { cpus } from 'node:os'
import { benchCatalog } from './catalog.ts'
import { benchCreate } from './create-order.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchFootprint } from './footprint.ts'
import { benchGrowth } from './growth.ts'
import { benchList } from './list-orders.ts'
import { benchOverload } from './overload.ts'
import { benchPeers } from './peers.ts'
import { benchProcesses } from './several-processes.ts'
import { benchRead } from './read-order.ts'
import { Report } from './report.ts'
import { benchResults } from './results.ts'
import { closeWorlds, startWorld } from './world.ts'
import { benchWriting } from './writing.ts'

/** Each part begins with an empty database, so that none measures what another left behind. */
const PARTS = {
  catalog: benchCatalog,
  read: benchRead,
  create: benchCreate,
  list: benchList,
  results: benchResults,
  deliveries: benchDeliveries,
  overload: benchOverload,
  writing: benchWriting,
  processes: benchProcesses,
  footprint: benchFootprint,
  peers: benchPeers,
  growth: benchGrowth,
}
type Part = keyof typeof PARTS

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
})
const unknown = names.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  process.stderr.write(`Unknown benchmark: ${unknown.join(', ')}. Choose from: ${Object.keys(PARTS).join(', ')}.\n`)
  process.exit(1)
}
const print = (line: string) => void process.stdout.write(`${line}\n`)
print(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closeWorlds().finally(() => process.exit(1)))
}
const report = new Report(print)
for (const part of names.length > 0 ? (names as Part[]) : (Object.keys(PARTS) as Part[])) {
  const world = await startWorld()
  try {
    report.begin(part)
    await PARTS[part](world, report)
  } finally {
    await closeWorlds()
  }
  if (values.write) await report.write()
}
