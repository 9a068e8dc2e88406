import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inTurns } from './figures.ts'
import { measureRate } from './load.ts'
import { startPeer } from './processes.ts'
import type { Report } from './report.ts'
import { CONNECTIONS, ROUNDS, SECONDS } from './settings.ts'
import { orderBody, post, secretHeaders, secretOf, TENANT, type World } from './world.ts'

const FOLDER = fileURLToPath(new URL('../peers/', import.meta.url))
const COMPANY = 'fresh'
const headers = secretHeaders(COMPANY)

/** Orders that each has when it is measured. */
const AHEAD = 5_000
const ORDERS_READ = 500

/** What we are to reach of each peer: many times a usual stack, and nearly a prototype without our features. */
const PEERS = {
  nest: { name: 'NestJS, TypeORM, class-validator', goals: { read: 15, create: 12, list: 20 } },
  tuned: { name: 'Fastify and pg, tuned by hand', goals: { read: 0.8, create: 0.8, list: 0.8 } },
} as const

/** The same requests to other services with their own tables in the same database. */
export async function benchPeers(world: World, report: Report): Promise<void> {
  install()
  const ours = await prepare(`${world.origin}/api/v2/orders`)
  for (const [file, { name, goals }] of Object.entries(PEERS)) {
    const peer = await startPeer(`${FOLDER}dist/${file}.js`, {
      DATABASE_URL: world.databaseUrl,
      TENANT,
      COMPANY,
      SECRET: secretOf(COMPANY),
    })
    try {
      await compare(report, { ours, theirs: await prepare(`${peer.origin}/orders`), name, goals })
    } finally {
      await peer.stop()
    }
    await world.pool.script('vacuum analyze')
  }
}

interface Prepared {
  url: string
  ids: string[]
}

interface Comparison {
  ours: Prepared
  theirs: Prepared
  name: string
  goals: Record<'read' | 'create' | 'list', number>
}

async function compare(report: Report, { ours, theirs, name, goals }: Comparison): Promise<void> {
  const load = { headers, connections: CONNECTIONS, seconds: SECONDS }
  const kinds = {
    read: ({ url, ids }: Prepared) => measureRate(`${url}/`, { ...load, suffixes: ids }),
    create: ({ url }: Prepared) => measureRate(url, { ...load, method: 'POST', body: () => orderBody(COMPANY) }),
    list: ({ url }: Prepared) => measureRate(url, load),
  }
  for (const [kind, measure] of Object.entries(kinds)) {
    const rates = await inTurns(ROUNDS, { ours: () => measure(ours), theirs: () => measure(theirs) })
    report.addRates(kind, name, rates, { least: goals[kind as keyof typeof goals] })
  }
}

/** Creates orders, so that lists have more than a page. */
async function prepare(url: string): Promise<Prepared> {
  const ids: string[] = []
  const create = async () => {
    while (ids.length < AHEAD) ids.push((await post(url, headers, orderBody(COMPANY))).id)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, create))
  return { url, ids: ids.slice(0, ORDERS_READ) }
}

/** Installs and builds the peers the first time. */
function install(): void {
  if (existsSync(`${FOLDER}dist/nest.js`)) return
  process.stderr.write('Installing the peers…\n')
  for (const args of [['ci'], ['run', 'build']]) {
    const { status } = spawnSync('npm', args, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) throw new Error('The peers could not be installed.')
  }
}
