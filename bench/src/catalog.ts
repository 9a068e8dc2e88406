import { inTurns } from './figures.ts'
import { measureRate } from './load.ts'
import { captureResponse, startBare } from './processes.ts'
import type { Report } from './report.ts'
import { CONNECTIONS, ROUNDS, SECONDS } from './settings.ts'
import type { World } from './world.ts'

const PATHS = [
  '/api/v2/agencies',
  '/api/v2/companies',
  '/api/v2/companies/co-prairie-arrow',
  '/api/v2/locations/loc-prairie-joliet',
  '/api/v2/packages?limit=5',
  '/api/v2/clinics?state=il',
]

/** Catalog reads against a bare server that sends the same headers and body. */
export async function benchCatalog({ origin, demo }: World, report: Report): Promise<void> {
  const load = { headers: demo, connections: CONNECTIONS, seconds: SECONDS }
  const answers = await Promise.all(
    PATHS.map(async (path) => [path, await captureResponse(origin + path, demo)] as const),
  )
  const bare = await startBare({ ANSWERS: JSON.stringify(Object.fromEntries(answers)) })
  try {
    for (const path of PATHS) {
      const rates = await inTurns(ROUNDS, {
        ours: () => measureRate(origin + path, load),
        theirs: () => measureRate(bare.origin + path, load),
      })
      report.addRates(path.slice('/api/v2/'.length), 'bare node:http, the same bytes', rates, { least: 0.75 })
    }
  } finally {
    await bare.stop()
  }
}
