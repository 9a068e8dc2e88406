import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { isAbsolute } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface Running {
  origin: string
  /** The id of its process. */
  pid: number
  stop(): Promise<void>
}

const OTS = fileURLToPath(new URL('../../packages/service/bin/ots.js', import.meta.url))

/** Settings of the shell that must not affect a run. */
const UNSET = { OTS_CATALOG: undefined, OTS_MODE: undefined, OTS_ROLE: undefined, HOST: undefined }

/** Starts the service in its own process. */
export async function startService(env: Record<string, string>, ...options: string[]): Promise<Running> {
  const port = await freePort()
  const child = spawn(process.execPath, [OTS, 'serve', ...options], {
    env: { ...process.env, ...UNSET, PORT: String(port), OTS_RATE_LIMIT: '1000000000', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const origin = `http://127.0.0.1:${port}`
  for (;;) {
    const ready = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (ready?.ok) return { origin, pid: child.pid!, stop: () => stop(child) }
    if (child.exitCode !== null) throw new Error('The service did not start.')
    await sleep(10)
  }
}

/** Starts a bare server in its own process. */
export async function startBare(env: Record<string, string>): Promise<Running> {
  const { child, line } = await startScript('bare.js', env)
  const { port } = JSON.parse(line) as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid!, stop: () => stop(child) }
}

/** Starts another service in its own process. */
export async function startPeer(file: string, env: Record<string, string>): Promise<Running> {
  const { child, line } = await startScript(file, env)
  const { port } = JSON.parse(line) as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid!, stop: () => stop(child) }
}

/** Headers that Node adds to every response. */
const BY_NODE = new Set(['date', 'connection', 'keep-alive', 'content-length'])

/** Reads a response for a bare server to repeat. */
export async function captureResponse(
  url: string,
  headers: Record<string, string>,
): Promise<{ headers: string[]; body: string }> {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  const sent = [...response.headers].filter(([name]) => !BY_NODE.has(name))
  return { headers: sent.flat(), body: await response.text() }
}

export interface Receiver {
  port: number
  /** A port that accepts connections and never responds. */
  hangs: number
  /** Discards what has arrived so far. */
  forget(): Promise<void>
  /** Waits for a number of deliveries and returns their times. */
  wait(count: number): Promise<{ at: number; since: number }[]>
  /** The headers of the last delivery, except those of the connection. */
  headers(): Promise<Record<string, string>>
  stop(): Promise<void>
}

const CONNECTION_HEADERS = new Set(['host', 'connection', 'content-length'])

/** Starts a receiver of events in its own process. */
export async function startReceiver(): Promise<Receiver> {
  const { child, line } = await startScript('receiver.js', {})
  const ports = JSON.parse(line) as { port: number; hangs: number }
  const takeArrivals = async () => {
    const response = await fetch(`http://127.0.0.1:${ports.port}/`)
    return (await response.json()) as { at: number; since: number }[]
  }
  return {
    ...ports,
    async forget() {
      await takeArrivals()
    },
    async wait(count) {
      const arrivals: { at: number; since: number }[] = []
      while (arrivals.length < count) {
        arrivals.push(...(await takeArrivals()))
        if (arrivals.length < count) await sleep(count > 1 ? 250 : 5)
      }
      return arrivals
    },
    async headers() {
      const response = await fetch(`http://127.0.0.1:${ports.port}/headers`)
      const headers = (await response.json()) as Record<string, string>
      return Object.fromEntries(Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name)))
    },
    stop: () => stop(child),
  }
}

/** Measures posts per second of undici alone. */
export async function measureBareSender(env: Record<string, string>): Promise<number> {
  const { child, line } = await startScript('bare-sender.js', env)
  await stop(child)
  return Number(line)
}

export interface Flood {
  stop(): Promise<{ created: number; refused: number; failed: number; seconds: number }>
}

/** Starts clients that create orders without a pause, in their own process. */
export async function startFlood(env: Record<string, string>): Promise<Flood> {
  const { child } = await startScript('flood.js', env)
  return {
    async stop() {
      child.kill('SIGTERM')
      const [line] = (await once(child.stdout!, 'data')) as [Buffer]
      return JSON.parse(line.toString()) as Awaited<ReturnType<Flood['stop']>>
    },
  }
}

/** Starts a script, named by its path or within this folder, and reads its first line. */
async function startScript(name: string, env: Record<string, string>): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [isAbsolute(name) ? name : fileURLToPath(new URL(name, import.meta.url))], {
    env: { ...process.env, DATABASE_URL: undefined, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, line: line.toString() }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
