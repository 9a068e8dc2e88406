import { inTurns, ratio, row } from './figures.ts'
import { rateOf } from './load.ts'
import { startBare } from './processes.ts'
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

const ALONE = '/alone'
const JSON_TYPE = ['content-type', 'application/json; charset=utf-8']

/** Catalog reads against a bare server that answers the same bytes, head and body, or the same body with little else. */
export async function benchCatalog({ origin, demo }: World, print: (line: string) => void): Promise<void> {
  const load = { headers: demo, connections: CONNECTIONS, seconds: SECONDS }
  const answers = await Promise.all(PATHS.map(async (path) => [path, await answerOf(origin + path, demo)] as const))
  const bodies = answers.map(([path, { body }]) => [`${ALONE}${path}`, { headers: JSON_TYPE, body }] as const)
  const bare = await startBare({ ANSWERS: JSON.stringify(Object.fromEntries([...answers, ...bodies])) })
  try {
    print(row('catalog reads', 'bytes', 'service/s', 'bare/s', 'ratio', 'body alone', 'ratio'))
    for (const [path, { body }] of answers) {
      const { ours, same, alone } = await inTurns(ROUNDS, {
        ours: () => rateOf(origin + path, load),
        same: () => rateOf(bare.origin + path, load),
        alone: () => rateOf(bare.origin + ALONE + path, load),
      })
      const name = path.slice('/api/v2/'.length)
      print(row(name, body.length, ours, same, ratio(ours, same), alone, ratio(ours, alone)))
    }
  } finally {
    await bare.stop()
  }
}

/** What Node adds to every answer by itself. */
const BY_NODE = new Set(['date', 'connection', 'keep-alive', 'content-length'])

/** An answer as the bare server is to give it too: the same headers, and the same body. */
async function answerOf(url: string, headers: Record<string, string>): Promise<{ headers: string[]; body: string }> {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  const told = [...response.headers].filter(([name]) => !BY_NODE.has(name))
  return { headers: told.flat(), body: await response.text() }
}
