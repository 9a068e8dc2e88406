import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { body, SECRET, world } from '../orders/given.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { freePort, PATIENT, SLOW, startProcess, type Running } from '../support/processes.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
let env: Record<string, string>
let origin: string
let admin: string
let service: Running
beforeAll(async () => {
  const folder = await newFolder()
  database = await freshDatabase()
  const catalog = join(folder, 'catalog.json')
  await writeFile(catalog, JSON.stringify(world()))
  const [port, adminPort] = [await freePort(), await freePort()]
  origin = `http://127.0.0.1:${port}`
  admin = `http://127.0.0.1:${adminPort}`
  env = {
    PORT: String(port),
    OTS_ADMIN_PORT: String(adminPort),
    OTS_CATALOG: catalog,
    OTS_DATA_DIR: join(folder, 'data'),
    OTS_LOG_LEVEL: 'info',
    DATABASE_URL: urlOf(database.target),
  }
  service = startProcess(['serve', '--processes', '2'], env)
}, SLOW.timeout)
removeFoldersAfterAll()
afterAll(async () => {
  if (service.process.exitCode === null) await service.end('SIGTERM')
  await database.drop()
})

const lines = (running = service) =>
  running
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { pid: number; role?: string; msg: string })

/** The processes that answer requests, by the lines that they logged. */
const listening = (running = service) =>
  lines(running).flatMap(({ pid, role, msg }) => (msg === 'Listening' && role === 'api' ? pid : []))

/** Waits until so many processes have listened, those included that have ended. */
async function untilListening(running: Running, count: number): Promise<void> {
  const said = () => `${running.stdout()}${running.stderr()}`
  await expect
    .poll(() => (new Set(listening(running)).size === count ? 'listening' : said()), PATIENT)
    .toBe('listening')
}

const ask = (path: string, at = origin) =>
  fetch(at + path, { headers: { authorization: `Bearer ${SECRET}`, connection: 'close' } })

async function place(): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json', connection: 'close' }
  const answer = await fetch(`${origin}/api/v2/orders`, { method: 'POST', headers, body: JSON.stringify(body()) })
  expect(answer.status).toBe(201)
  return (await answer.json()) as { id: string }
}

test('an order that one process took is read from each', SLOW, async () => {
  await expect.poll(() => service.stdout(), PATIENT).toContain('Press Ctrl-C')
  expect(new Set(listening()).size).toBe(2)
  const { id } = await place()
  // Connections are handed out in turn.
  for (const _ of [1, 2, 3, 4]) expect((await ask(`/api/v2/orders/${id}`)).status).toBe(200)
})

test('the metrics of all processes are added up, on the port for them alone', SLOW, async () => {
  for (const _ of [1, 2, 3, 4]) await ask('/api/v2/companies')
  const text = await (await ask('/metrics', admin)).text()
  const [, count] = /ots_http_request_duration_seconds_count\{[^}]*companies[^}]*\} (\d+)/.exec(text) ?? []
  expect(Number(count)).toBe(4)
  expect(text).toMatch(/ots_build_info\{[^}]*role="api"\} 1\n/)
  expect((await ask('/metrics')).status).toBe(404)
})

test('a process that ends is replaced, and the others go on', SLOW, async () => {
  const [first] = listening()
  process.kill(first!, 'SIGKILL')
  await expect.poll(() => new Set(listening()).size, PATIENT).toBe(3)
  expect(lines().map(({ msg }) => msg)).toContain('A process of the API has ended')
  for (const _ of [1, 2, 3]) expect((await ask('/api/v2/companies')).status).toBe(200)
})

test('a port in use is reported once', SLOW, async () => {
  const other = startProcess(['serve', '--processes', '3'], env)
  await expect.poll(() => other.process.exitCode, PATIENT).toBe(1)
  expect(other.stderr().match(/is in use/g)).toHaveLength(1)
})

test('SIGTERM ends all processes', SLOW, async () => {
  expect(await service.end('SIGTERM')).toBe(0)
  for (const pid of listening()) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a process that ends before it gets the metrics of all does not end the others', SLOW, async () => {
  const port = await freePort()
  const at = `http://127.0.0.1:${port}`
  const several = startProcess(['serve', '--processes', '2'], { ...env, PORT: String(port), OTS_ADMIN_PORT: undefined })
  await untilListening(several, 2)
  const [silent, asking] = listening(several)
  // It is asked for its metrics, and waited for.
  process.kill(silent!, 'SIGSTOP')
  const [answered, over] = [new AbortController(), new AbortController()]
  const scrape = async () => {
    const answer = await fetch(`${at}/metrics`, { signal: over.signal }).catch(() => undefined)
    if (answer?.ok) answered.abort()
  }
  const scrapes: Promise<void>[] = []
  // Those begun last are not answered yet.
  for (; !answered.signal.aborted; await sleep(20)) scrapes.push(scrape())
  process.kill(asking!, 'SIGKILL')
  process.kill(silent!, 'SIGKILL')
  over.abort()
  await Promise.all(scrapes)
  await untilListening(several, 4)
  expect((await ask('/metrics', at)).status).toBe(200)
  expect(several.stderr()).not.toContain('MaxListenersExceededWarning')
  expect(await several.end('SIGTERM')).toBe(0)
})
