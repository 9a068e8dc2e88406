import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { INTAKE_SCOPES, SCOPES } from '@order-testing/contract'
import { startEmbedded } from '@order-testing/embedded-postgres'
import type { Target } from '@order-testing/service/store/db/address'
import { connect, type Pool } from '@order-testing/service/store/db/pool'
import { COMPANY_COUNT } from './made-orders.ts'
import { BIRTH_DATES, NAMES } from './people.ts'
import { startService, type Running } from './processes.ts'

export const TENANT = 'bench'
export const COMPANIES = ['few', 'many', 'fresh']
export const KEY = { id: 'bench', secret: 'a key for measuring alone' }
const DEMO = fileURLToPath(new URL('../../packages/service/catalog/demo.json', import.meta.url))

type Headers = Record<string, string>

/** A running service with its database, the demo catalog, and a tenant to fill with orders. */
export interface World {
  origin: string
  databaseUrl: string
  pool: Pool
  /** Headers with the demo catalog's token. */
  demo: Headers
  /** Headers with the tokens of a company with few orders, one with many, and one for new orders. */
  few: Headers
  many: Headers
  fresh: Headers
  /** Headers with a token that submits result reports. */
  staff: Headers
  /** The id of the service's process. */
  pid: number
  stopService(): Promise<void>
  /** Starts the service again, with further settings. Its origin changes. */
  startService(settings?: Record<string, string>, ...options: string[]): Promise<void>
  close(): Promise<void>
}

const open = new Set<World>()

/** Stops everything that runs. */
export async function closeWorlds(): Promise<void> {
  for (const world of open) await world.close()
}

/** A service with a database of its own: an empty one that is removed at the end, or that of a folder, which stays. */
export async function startWorld(kept?: string): Promise<World> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'ots-bench-')))
  const isNew = kept === undefined || (await mkdir(folder, { recursive: true })) !== undefined
  // Root starts the server as another user, who must be able to enter the folder.
  if (isNew) await chmod(folder, 0o755)
  const embedded = await startEmbedded({ dataDir: folder })
  const databaseUrl = urlOf(embedded.target)
  const catalog = join(folder, 'bench.json')
  await writeFile(catalog, JSON.stringify(benchCatalogFile()))
  const settings = {
    DATABASE_URL: databaseUrl,
    OTS_KEYS: `${KEY.id}:${KEY.secret}`,
    OTS_CATALOG: `${DEMO},${catalog}`,
  }
  let service: Running | undefined = await startService(settings)
  const pool = connect(databaseUrl, { silenceMs: Number.POSITIVE_INFINITY })
  const world: World = {
    origin: service.origin,
    pid: service.pid,
    databaseUrl,
    pool,
    demo: bearer(await demoSecret()),
    few: secretHeaders('few'),
    many: secretHeaders('many'),
    fresh: secretHeaders('fresh'),
    staff: secretHeaders('staff'),
    async stopService() {
      await service?.stop()
      service = undefined
    },
    async startService(more = {}, ...options) {
      service = await startService({ ...settings, ...more }, ...options)
      world.origin = service.origin
      world.pid = service.pid
    },
    async close() {
      open.delete(world)
      await pool.end()
      await service?.stop()
      await embedded.stop()
      if (kept === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
  open.add(world)
  return world
}

/** Headers with the token of a company. */
export const secretHeaders = (company: string): Headers => bearer(secretOf(company))

/** Makes the body of an order of three services, for a different person each time. */
export function orderBody(company: string, more: object = {}): string {
  const person = below(1e9)
  return JSON.stringify({
    deliveryMethods: [{ type: 'email', to: `requester${person}@example.com` }],
    location: { id: `${company}-1` },
    package: { id: 'three' },
    participant: {
      firstName: NAMES[below(NAMES.length)],
      lastName: `${NAMES[below(NAMES.length)]}${below(1_000)}`,
      birthDate: BIRTH_DATES[below(BIRTH_DATES.length)],
      email: `person${person}@example.com`,
      phone: `630555${String(below(10_000)).padStart(4, '0')}`,
      address: { line1: '1200 Ogden Avenue', city: 'Naperville', state: 'IL', postalCode: '60540' },
      identifiers: [{ type: 'employeeId', value: String(person) }],
    },
    requester: { email: 'hr@example.com', firstName: 'Robin', lastName: 'Doe', phone: '+16305550100' },
    settings: { schedulingOption: 'order' },
    testReason: 'preEmployment',
    ...more,
  })
}

const below = (bound: number) => Math.floor(Math.random() * bound)

export async function read(url: string, headers: Headers): Promise<string> {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.text()
}

export async function post<T = { id: string }>(url: string, headers: Headers, body: string): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

export async function cancel(url: string, headers: Headers): Promise<void> {
  const response = await fetch(`${url}/cancellation`, { method: 'PUT', headers })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
}

const bearer = (secret: string): Headers => ({ authorization: `Bearer ${secret}` })
export const secretOf = (company: string) => `${company}-secret-to-measure-with`

function urlOf(target: Exclude<Target, string>): string {
  const { host, port, database, username } = target
  return `postgres://${username}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

async function demoSecret(): Promise<string> {
  const { tokens } = JSON.parse(await readFile(DEMO, 'utf8')) as { tokens: { id: string; secret: string }[] }
  return tokens.find(({ id }) => id === 'demo')!.secret
}

const MANY_COMPANIES = Array.from({ length: COMPANY_COUNT }, (_, i) => `c-${i}`)

function benchCatalogFile(): object {
  const companies = [...COMPANIES, ...MANY_COMPANIES]
  const tokenOf = (id: string, linked: string[]) => ({
    id,
    name: id,
    scopes: SCOPES,
    companies: linked,
    secret: secretOf(id),
  })
  return {
    tenant: { id: TENANT, name: 'Benchmarks' },
    services: [
      { id: 'urine', name: 'Urine', category: 'drug', type: 'urine', isDot: false },
      { id: 'hair', name: 'Hair', category: 'drug', type: 'hair', isDot: false },
      { id: 'breath', name: 'Breath', category: 'alcohol', type: 'breath', isDot: false },
    ],
    packages: [{ id: 'three', name: 'Three', services: ['urine', 'hair', 'breath'] }],
    clinics: [],
    companies: companies.map((id) => ({
      id,
      name: id,
      packages: ['three'],
      locations: [1, 2, 3, 4].map((n) => ({ id: `${id}-${n}`, name: `${id} ${n}` })),
    })),
    tokens: [
      ...[...COMPANIES, 'c-0', 'c-1'].map((id) => tokenOf(id, [id])),
      tokenOf('all', companies),
      // All but one.
      tokenOf(
        'most',
        companies.filter((id) => id !== 'c-1'),
      ),
      { id: 'staff', name: 'staff', scopes: INTAKE_SCOPES, companies: [], secret: secretOf('staff') },
    ],
  }
}
