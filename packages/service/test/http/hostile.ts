import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { serving, type Serving } from '../support/processes.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'
import type { Answer } from './answers.ts'

/**
 * What the event loop may spend on one request, in milliseconds of CPU. The service itself is to stay below 50; the rest
 * is for slow machines. What is tested here took between 100 and 19,000 before it was bounded.
 */
export const MOST_CPU_MS = 250

/** The first request of a kind also pays for compiling what answers it. */
const TRIES = 3

export interface HostileService extends Serving {
  database: TestDatabase
  /** Milliseconds of CPU that the event loop has used so far, without the threads beside it. */
  cpu(): Promise<number>
  stop(): Promise<void>
}

/** The service in a separate process, so that its CPU time can be measured. */
export async function startHostile(catalog: object): Promise<HostileService> {
  const folder = await mkdtemp(join(tmpdir(), 'ots-hostile-'))
  const file = join(folder, 'catalog.json')
  await writeFile(file, JSON.stringify(catalog))
  const database = await freshDatabase()
  const service = await serving({
    DATABASE_URL: urlOf(database.target),
    OTS_DATA_DIR: join(folder, 'data'),
    OTS_CATALOG: file,
    OTS_RATE_LIMIT: '0',
    OTS_ROLE: 'api',
  })
  return {
    ...service,
    database,
    cpu: () => cpuOf(service),
    async stop() {
      await service.end('SIGTERM')
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The answer to a request, and what CPU the event loop spent on it: in the first of a few tries that is cheap enough. */
export async function costOf<A>(
  service: HostileService,
  attempt: () => Promise<A>,
): Promise<{ answer: A; cpuMs: number }> {
  let [answer, cpuMs] = [undefined as A | undefined, Number.POSITIVE_INFINITY]
  for (let i = 0; i < TRIES && cpuMs >= MOST_CPU_MS; i++) {
    const before = await service.cpu()
    answer = await attempt()
    cpuMs = Math.min(cpuMs, (await service.cpu()) - before)
  }
  return { answer: answer as A, cpuMs }
}

/** The answer to a request that must cost the event loop little, whatever is in it. The figure is printed. */
export async function cheaply(service: HostileService, what: string, sent: Sent): Promise<Answer> {
  const { answer, cpuMs } = await costOf(service, () => send(service, sent))
  print(what, cpuMs, String(answer.status))
  expect(cpuMs).toBeLessThan(MOST_CPU_MS)
  return answer
}

export const print = (what: string, cpuMs: number, outcome: string) =>
  process.stdout.write(`${what.padEnd(60)} ${cpuMs.toFixed(0).padStart(5)} ms  ${outcome}\n`)

/** How an error body ends that leaves problems out. */
export function leftOut({ text }: Answer): { entries: number; last: { code: string; detail: string } | undefined } {
  const { errors } = JSON.parse(text) as { errors: { code: string; detail: string }[] }
  return { entries: errors.length, last: errors.at(-1) }
}

export interface Sent {
  method?: string
  path: string
  secret?: string | null
  body?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

export async function send(
  { origin }: Serving,
  { method = 'POST', path, secret, body, headers }: Sent,
): Promise<Answer> {
  const response = await fetch(origin + path, {
    method,
    headers: { ...(secret && { authorization: `Bearer ${secret}` }), 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Linux tells the CPU of a single thread; elsewhere that of the process has to do, which the threads are part of. */
async function cpuOf({ process: { pid }, origin }: Serving): Promise<number> {
  const path = `/proc/${pid}/task/${pid}/schedstat`
  const statistics = await readFile(path, 'utf8').catch(() => undefined)
  if (statistics !== undefined) return Number(statistics.split(' ')[0]) / 1e6
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^process_cpu_seconds_total ([\d.]+)/m.exec(metrics)?.[1]) * 1000
}
