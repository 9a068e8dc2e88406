import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const OTS = fileURLToPath(new URL('../../bin/ots.js', import.meta.url))

type Environment = Record<string, string | undefined>

export interface Exit {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs `ots` with arguments until it exits. Uses the build in dist. */
export async function ots(args: string[], env: Environment = {}): Promise<Exit> {
  const child = start(args, env)
  await once(child.process, 'close')
  return { code: child.process.exitCode, stdout: child.stdout(), stderr: child.stderr() }
}

export interface Serving {
  process: ChildProcess
  origin: string
  stdout(): string
  stderr(): string
  /** Sends the signal and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts `ots serve` and waits until it is ready, or until it has printed a text. */
export async function serving(env: Environment, printed?: string): Promise<Serving> {
  const port = env['PORT'] ?? String(await freePort())
  const child = start(['serve'], { ...env, PORT: port })
  const origin = `http://127.0.0.1:${port}`
  const isUp = async () =>
    printed === undefined
      ? (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok === true
      : child.stdout().includes(printed)
  for (let i = 0; i < 1_200 && child.process.exitCode === null; i++) {
    if (await isUp()) return { ...child, origin, end: (signal) => end(child.process, signal) }
    await sleep(100)
  }
  child.process.kill()
  throw new Error(`The service did not start:\n${child.stdout()}${child.stderr()}`)
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

function start(args: string[], env: Environment) {
  const output = { stdout: '', stderr: '' }
  const clean = {
    ...process.env,
    DATABASE_URL: undefined,
    npm_lifecycle_event: undefined,
    NODE_OPTIONS: undefined,
    ...env,
  }
  const child = spawn(process.execPath, [OTS, ...args], { env: clean, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  return { process: child, stdout: () => output.stdout, stderr: () => output.stderr }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'close')
  child.kill(signal)
  await ended
  return child.exitCode
}
