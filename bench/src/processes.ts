import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface Running {
  origin: string
  pid: number
  stop(): Promise<void>
}

const OTS = fileURLToPath(new URL('../../packages/service/bin/ots.js', import.meta.url))

/** Whatever the shell names, a run works on a database of its own. */
const UNSET = { OTS_CATALOG: undefined, OTS_MODE: undefined, OTS_ROLE: undefined, HOST: undefined }

/** The service as it is run by anyone, in a process of its own. */
export async function startService(env: Record<string, string>): Promise<Running> {
  const port = await freePort()
  const child = spawn(process.execPath, [OTS, 'serve'], {
    env: { ...process.env, ...UNSET, PORT: String(port), OTS_RATE_LIMIT: '1000000000', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const origin = `http://127.0.0.1:${port}`
  for (;;) {
    const ready = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (ready?.ok) return { origin, pid: child.pid!, stop: () => stop(child) }
    if (child.exitCode !== null) throw new Error('The service did not start.')
    await sleep(100)
  }
}

/** A bare server in a process of its own. */
export async function startBare(env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('bare.js', import.meta.url))], {
    env: { ...process.env, DATABASE_URL: undefined, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { port } = JSON.parse(line.toString()) as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid!, stop: () => stop(child) }
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
