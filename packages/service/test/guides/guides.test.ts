import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { OrderTesting, type CreateOrder } from '@order-testing/client'
import { verifyWebhook } from '@order-testing/client/webhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { freePort, PATIENT, serving, SLOW, type Serving } from '../support/processes.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'
import { until } from '../webhooks/working.ts'
import { FOR_ADMINISTRATORS, isProgram, readGuides, reasonNotRun, type Block, type Guide } from './blocks.ts'
import { Expectations } from './expected.ts'
import { leadsSomewhere, linksOf } from './links.ts'
import { linesOf, prepare, PROGRAM } from './programs.ts'
import { isInstalled, Reader } from './reader.ts'
import { SecondTerminal } from './terminal.ts'
import { deliveryShown, NEXT_HOST, receiveOne } from './webhooks.ts'

const all = await readGuides()
const guides = all.filter(({ name }) => !FOR_ADMINISTRATORS.includes(name))
const named = (name: string) => guides.find((guide) => guide.name === name)!

/** Blocks that no test runs, each with its reason in the guide. */
const NOT_RUN: Record<string, number> = { 'first-order': 2 }

const TOKEN = 'demo-token-full-scope-0001'

/** Where the receivers of guides listen. */
const RECEIVER = 'http://127.0.0.1:4000/'

let [folder, database, sandbox]: [string?, TestDatabase?, Serving?] = []
const ports = new Map<string, number>()
beforeAll(async () => {
  folder = await newFolder()
  database = await freshDatabase()
  sandbox = await serving({ DATABASE_URL: urlOf(database.target), OTS_DATA_DIR: await newFolder() })
  for (const { name } of guides) ports.set(name, await freePort())
  await prepare(folder, guides, adapt)
}, SLOW.timeout)
afterAll(async () => {
  await sandbox?.end('SIGTERM')
  await database?.drop()
})
removeFoldersAfterAll()

/** The guide's text with the addresses of this run. */
const adapt = ({ name }: Guide, text: string) =>
  text.replaceAll(/\b4000\b/g, String(ports.get(name))).replaceAll('http://127.0.0.1:3000', sandbox!.origin)

const placeOf = ({ name }: Guide) => {
  const path = `${join(folder!, 'bin')}:${process.env['PATH']}`
  const plain = { NODE_OPTIONS: undefined, FORCE_COLOR: undefined, NO_COLOR: '1', JDK_JAVA_OPTIONS: SHORT_LIVED }
  const ours = { PATH: path, OTS_URL: sandbox!.origin, OTS_TOKEN: TOKEN, ...plain }
  return { cwd: join(folder!, name), env: { ...process.env, ...ours } }
}

/** Halves the time that Java takes for a program of a few lines. */
const SHORT_LIVED = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto'

const readers: Reader[] = []
function openReader(guide: Guide, adaptMore = (text: string) => text): Reader {
  const reader = new Reader(guide, placeOf(guide), (text) => adaptMore(adapt(guide, text)))
  readers.push(reader)
  return reader
}
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()))
  await cancelOpenOrders()
})

/** So that the same requests can be sent again and find no order to match. */
async function cancelOpenOrders(): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  for (const status of ['ordered', 'scheduled']) {
    const page = await fetch(`${sandbox!.origin}/api/v2/orders?status=${status}`, { headers })
    const { data } = (await page.json()) as { data: { url: string }[] }
    for (const { url } of data) await fetch(`${sandbox!.origin}${url}/cancellation`, { method: 'PUT', headers })
  }
}

describe.each(guides.map((guide) => [guide.name, guide] as const))('the guide %s', (name, guide) => {
  test('every block is run, or says why not', () => {
    const isKnown = ({ language }: Block) => /^(sh|ts|json|text|python|java|http)$/.test(language)
    expect(guide.blocks.filter((block) => !isKnown(block)).map(({ line }) => line)).toEqual([])
    const reasons = guide.blocks.map(reasonNotRun).filter((reason) => reason !== undefined)
    expect(reasons.length).toBe(NOT_RUN[name] ?? 0)
    for (const reason of reasons) expect(reason).toMatch(/\w+ \w+/)
  })

  test.skipIf(!isInstalled('jq'))('its commands print what it shows', SLOW, async () => {
    await expect(openReader(guide).read()).resolves.toBeUndefined()
  })

  test('its TypeScript prints what it says', SLOW, async () => {
    const blocks = guide.blocks.filter(isProgram)
    expect(blocks.length).toBeGreaterThan(0)
    if (blocks.some(({ text }) => text.includes(RECEIVER))) await openReader(guide).startSecondTerminal()
    const program = PROGRAM.replace('.ts', '.js')
    const { stdout } = await promisify(execFile)(process.execPath, [program], placeOf(guide))
    const shown = linesOf(guide).map((line) => adapt(guide, line))
    const isShown = new Expectations().isLines(shown, stdout)
    expect(isShown ? shown : stdout.split('\n')).toEqual(shown)
  })

  test('its links lead somewhere', () => {
    expect(linksOf(guide).filter((link) => !leadsSomewhere(link, guide, all))).toEqual([])
  })
})

describe('the guide webhooks', () => {
  const guide = named('webhooks')

  test.skipIf(!isInstalled('jq')).each(['fastify.ts', 'next-host.ts'])(
    '%s takes a real delivery',
    SLOW,
    async (file) => {
      await writeFile(join(folder!, guide.name, 'next-host.js'), adapt(guide, NEXT_HOST))
      const reader = openReader(guide, (text) => text.replace('tsx express.ts', `tsx ${file}`))
      await expect(reader.read('Step 5: ')).resolves.toBeUndefined()
    },
  )

  test('the delivery that it shows is genuine and has what a real one has', async () => {
    const { requestLine, headers, body } = deliveryShown(guide)
    const now = new Date(1000 * Number(headers['webhook-timestamp']))
    const verified = { version: 'v2', eventId: headers['x-event-id'] }
    expect(await verifyWebhook({ body, headers, secret: 'a-secret-of-your-own', now })).toMatchObject(verified)
    const { 'x-signature': _, ...standard } = headers
    expect(await verifyWebhook({ body, headers: standard, secret: 'a-secret-of-your-own', now })).toMatchObject(
      verified,
    )
    const real = await receiveOne(sandbox!.origin, TOKEN)
    const ofHttp = ['host', 'connection', 'content-length']
    expect(requestLine).toBe(real.requestLine)
    expect([...Object.keys(headers), ...ofHttp].toSorted()).toEqual(Object.keys(real.headers).toSorted())
    for (const name of ['content-type', 'user-agent', 'authorization']) expect(headers[name]).toBe(real.headers[name])
    expect(new Expectations().mismatch(body, real.body, 'json')).toBeUndefined()
    expect(new Expectations().mismatch(real.body, body, 'json')).toBeUndefined()
  })
})

test('sync.ts of the guide sync misses nothing, whenever it is killed', SLOW, async () => {
  const client = new OrderTesting({ baseUrl: sandbox!.origin, token: TOKEN })
  const cwd = join(folder!, 'killed')
  await mkdir(cwd)
  await symlink(join(folder!, 'sync/sync.js'), join(cwd, 'sync.js'))
  const terminal = new SecondTerminal({ ...placeOf(named('sync')), cwd })
  const statuses = async () => {
    const { orders = {} } = JSON.parse(await readFile(join(cwd, 'copy.json'), 'utf8').catch(() => '{}')) as Copy
    return orders
  }
  try {
    for (let round = 1; round <= 3; round++) {
      terminal.clear()
      await terminal.run('npx tsx sync.ts')
      const placed = await Promise.all(Array.from({ length: 5 }, () => client.orders.create(AT_LOCATION)))
      // Killed after its first line: within a page, or between two.
      await until(() => terminal.printed !== '')
      await terminal.close()
      await Promise.all(placed.slice(2).map(({ id }) => client.orders.cancel(id)))
    }
    await terminal.run('npx tsx sync.ts')
    const theirs: Record<string, string> = {}
    for await (const { id, status } of client.orders.list({ locationId: 'loc-boxelder-dfw' })) theirs[id] = status
    await expect.poll(statuses, PATIENT).toEqual(theirs)
  } finally {
    await terminal.close()
  }
})

interface Copy {
  orders?: Record<string, string>
}

const AT_LOCATION: CreateOrder = {
  location: { id: 'loc-boxelder-dfw' },
  package: { id: 'pkg-pre-employment-10' },
  participant: { firstName: 'Ann', lastName: 'Lee' },
  requester: { email: 'dana@example.com', firstName: 'Dana', lastName: 'Reed' },
  deliveryMethods: [{ type: 'email', to: 'ann@example.com' }],
  settings: { schedulingOption: 'link' },
  testReason: 'preEmployment',
}
