import { readFile } from 'node:fs/promises'
import { median } from './figures.ts'
import { rateOf } from './load.ts'
import { startBare, startService } from './processes.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 1)
const CONNECTIONS = 32

const PATHS = [
  '/api/v2/agencies',
  '/api/v2/companies',
  '/api/v2/companies/co-prairie-arrow',
  '/api/v2/locations/loc-prairie-joliet',
  '/api/v2/packages?limit=5',
  '/api/v2/clinics?state=il',
]

/** Catalog reads against a bare server that answers the same bytes, in turns. */
export async function benchCatalog(dataDir: string, print: (line: string) => void): Promise<void> {
  const secret = await demoSecret()
  const headers = { authorization: `Bearer ${secret}` }
  const load = { headers, connections: CONNECTIONS, seconds: SECONDS }
  const service = await startService(dataDir)
  try {
    const bodies = await Promise.all(
      PATHS.map(async (path) => [path, await read(service.origin + path, headers)] as const),
    )
    const bare = await startBare(Object.fromEntries(bodies))
    try {
      print('catalog reads              bytes   service/s      bare/s   ratio')
      for (const [path, body] of bodies) {
        const [ours, theirs]: [number[], number[]] = [[], []]
        for (let round = 0; round < ROUNDS; round++) {
          ours.push(await rateOf(service.origin + path, load))
          theirs.push(await rateOf(bare.origin + path, load))
        }
        const [a, b] = [median(ours), median(theirs)]
        const cells = [
          String(body.length).padStart(6),
          a.toFixed(0).padStart(12),
          b.toFixed(0).padStart(12),
          (a / b).toFixed(2).padStart(8),
        ]
        print(path.slice('/api/v2/'.length).padEnd(26) + cells.join(''))
      }
    } finally {
      await bare.stop()
    }
  } finally {
    await service.stop()
  }
}

async function read(url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}

async function demoSecret(): Promise<string> {
  const file = await readFile(new URL('../../packages/service/catalog/demo.json', import.meta.url), 'utf8')
  const { tokens } = JSON.parse(file) as { tokens: { id: string; secret: string }[] }
  return tokens.find(({ id }) => id === 'demo')!.secret
}
