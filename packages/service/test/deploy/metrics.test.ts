import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SECRET, world } from '../orders/given.ts'
import { newFolder } from '../support/folders.ts'
import { serving, SLOW, type Serving } from '../support/processes.ts'
import { isMissing, pathOf } from '../support/programs.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'

const DEPLOY = fileURLToPath(new URL('../../../../deploy/', import.meta.url))

let database: TestDatabase
let service: Serving
let metrics: string
beforeAll(async () => {
  const folder = await newFolder()
  database = await freshDatabase()
  await writeFile(join(folder, 'catalog.json'), JSON.stringify(world()))
  service = await serving({
    DATABASE_URL: urlOf(database.target),
    // Not a standby, so it is never used, but it has its metrics.
    OTS_DATABASE_READ_URL: urlOf(database.target),
    OTS_DATA_DIR: folder,
    OTS_CATALOG: join(folder, 'catalog.json'),
  })
  await fetch(`${service.origin}/api/v2/companies`, { headers: { authorization: `Bearer ${SECRET}` } })
  // A service answers before its worker runs, whose metrics come last.
  metrics = await vi.waitUntil(async () => {
    const text = await (await fetch(`${service.origin}/metrics`)).text()
    return text.includes('ots_results_waiting') && text
  }, SLOW.timeout)
}, SLOW.timeout)
afterAll(async () => {
  await service.end('SIGTERM')
  await database.drop()
})

/** Metrics that an expression mentions; `up` is Prometheus' own. */
const mentioned = (text: string) =>
  new Set([...text.matchAll(/\b(?:ots|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')))

const isKnown = (name: string) => metrics.includes(`# TYPE ${name} `) || metrics.includes(`# TYPE ${name}_count `)

test.each(['alerts.yaml', 'grafana-dashboard.json'])('%s uses only metrics that the service has', async (name) => {
  const names = [...mentioned(await readFile(join(DEPLOY, name), 'utf8'))]
  expect(names.length).toBeGreaterThan(8)
  expect(names.filter((each) => !isKnown(each))).toEqual([])
})

test('the metrics tell the version, the use of the database and what waits for operators', () => {
  expect(metrics).toMatch(/^ots_build_info\{version="[\d.]+",node="[\d.]+",role="all"\} 1$/m)
  expect(metrics).toMatch(/^ots_database_connections\{state="idle"\} \d+$/m)
  expect(metrics).toMatch(/^ots_database_waiting 0$/m)
  expect(metrics).toMatch(/^ots_results_waiting 0$/m)
})

describe.skipIf(isMissing('promtool'))('promtool', () => {
  test('promtool finds nothing to criticize in the metrics', async () => {
    const tool = spawn(pathOf('promtool'), ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [tool.stdout, tool.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
    tool.stdin.end(metrics)
    const [code] = await once(tool, 'close')
    expect([code, said]).toEqual([0, ''])
  })

  test('promtool accepts the alert rules', async () => {
    const { stdout } = await promisify(execFile)(pathOf('promtool'), ['check', 'rules', join(DEPLOY, 'alerts.yaml')])
    expect(stdout).toContain('SUCCESS: 13 rules found')
  })
})
