import { inTurns, ratio, row } from './figures.ts'
import { measureRate } from './load.ts'
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

const BODY_ONLY = '/body-only'
const JSON_TYPE = ['content-type', 'application/json; charset=utf-8']

/** Catalog reads against a bare server that sends the same headers and body, or the same body with minimal headers. */
export async function benchCatalog({ origin, demo }: World, print: (line: string) => void): Promise<void> {
  const load = { headers: demo, connections: CONNECTIONS, seconds: SECONDS }
  const answers = await Promise.all(
    PATHS.map(async (path) => [path, await captureResponse(origin + path, demo)] as const),
  )
  const bodies = answers.map(([path, { body }]) => [`${BODY_ONLY}${path}`, { headers: JSON_TYPE, body }] as const)
  const bare = await startBare({ ANSWERS: JSON.stringify(Object.fromEntries([...answers, ...bodies])) })
  try {
    print(row('catalog reads', 'bytes', 'service/s', 'bare/s', 'ratio', 'body alone', 'ratio'))
    for (const [path, { body }] of answers) {
      const { ours, same, bodyOnly } = await inTurns(ROUNDS, {
        ours: () => measureRate(origin + path, load),
        same: () => measureRate(bare.origin + path, load),
        bodyOnly: () => measureRate(bare.origin + BODY_ONLY + path, load),
      })
      const name = path.slice('/api/v2/'.length)
      print(row(name, body.length, ours, same, ratio(ours, same), bodyOnly, ratio(ours, bodyOnly)))
    }
  } finally {
    await bare.stop()
  }
}

/** Headers that Node adds to every response. */
const BY_NODE = new Set(['date', 'connection', 'keep-alive', 'content-length'])

/** Reads a response for the bare server to repeat. */
async function captureResponse(
  url: string,
  headers: Record<string, string>,
): Promise<{ headers: string[]; body: string }> {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  const sent = [...response.headers].filter(([name]) => !BY_NODE.has(name))
  return { headers: sent.flat(), body: await response.text() }
}
