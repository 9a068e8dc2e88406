import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/**
 * Loaded before `ots`: ends it when the pipe on descriptor 3 closes, which happens however the test process ends. A handler
 * for signals would not do: tests run in threads, which get none, and nothing handles SIGKILL.
 */
export const END_WITH_PARENT = `data:text/javascript,${encodeURIComponent(`
  import { Socket } from 'node:net'
  import { isMainThread } from 'node:worker_threads'
  // Processes that a process of the test starts end with that.
  if (isMainThread && process.channel === undefined) {
    const pipe = new Socket({ fd: 3 }).on('error', () => {}).on('close', () => process.kill(process.pid, 'SIGTERM'))
    pipe.resume().unref()
  }
`)}`

export const OTS = fileURLToPath(new URL('../../bin/ots.js', import.meta.url))

const HOST = fileURLToPath(new URL('./command-host.js', import.meta.url))

type Environment = Record<string, string | undefined>

export interface Exit {
  code: number | null
  stdout: string
  stderr: string
}

/** Limit for conditions that a slow machine takes long to meet: for `expect.poll` and `vi.waitFor`. */
export const PATIENT = { timeout: 100_000, interval: 50 }

/** Limit for tests that run several processes one after the other. */
export const SLOW = { timeout: 400_000 }

/**
 * Runs `ots` with these arguments, one command after the other in a process that they share, because loading a command
 * takes longer than most of them run. It runs what was built, so build before testing.
 */
export async function ots(args: string[], env: Environment = {}): Promise<Exit> {
  host ??= startHost()
  return host.run(args, cleaned(env))
}

/** Runs `ots` as a process of its own, for tests about processes, and once for each command. */
export async function otsProcess(args: string[], env: Environment = {}): Promise<Exit> {
  const child = start(args, env)
  await once(child.process, 'close')
  return { code: child.process.exitCode, stdout: child.stdout(), stderr: child.stderr() }
}

export interface Running {
  process: ChildProcess
  stdout(): string
  stderr(): string
  /** Sends the signal and waits for the process to end. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export interface Serving extends Running {
  origin: string
}

/** Starts `ots` as a process that goes on until it is ended. */
export function startProcess(args: string[], env: Environment, program = OTS): Running {
  const child = start(args, env, program)
  return { ...child, end: (signal) => end(child.process, signal) }
}

/** Runs `ots serve`, of this build or another, and waits until it is ready, or until it has printed a text. */
export async function serving(env: Environment, printed?: string, program = OTS): Promise<Serving> {
  const port = env['PORT'] ?? String(await freePort())
  const child = startProcess(['serve'], { ...env, PORT: port }, program)
  const origin = `http://127.0.0.1:${port}`
  const isUp = async () =>
    printed === undefined
      ? (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok === true
      : child.stdout().includes(printed)
  for (const begun = Date.now(); Date.now() - begun < PATIENT.timeout && child.process.exitCode === null;) {
    if (await isUp()) return { ...child, origin }
    await sleep(100)
  }
  child.process.kill('SIGKILL')
  throw new Error(`The service did not start:\n${child.stdout()}${child.stderr()}`)
}

/** Below the ports that the system gives to receivers and clients, so that none of these takes it before a service does. */
const FIRST_PORT = 12_000
const PORTS_PER_WORKER = 2_000
const firstOfWorker = FIRST_PORT + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 8) * PORTS_PER_WORKER
let turn = Math.floor(Math.random() * PORTS_PER_WORKER)

export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstOfWorker + (turn++ % PORTS_PER_WORKER)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}

let host: { run(args: string[], env: Environment): Promise<Exit> } | undefined

function startHost() {
  const child = fork(HOST, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] })
  const waiting = new Map<number, { resolve: (exit: Exit) => void; reject: (error: Error) => void }>()
  let calls = 0
  child.on('message', ({ id, ...exit }: Exit & { id: number }) => {
    waiting.get(id)!.resolve(exit)
    waiting.delete(id)
  })
  child.on('exit', (code, signal) => {
    host = undefined
    for (const { reject } of waiting.values()) reject(new Error(`The commands' process ended with ${code ?? signal}.`))
  })
  // Neither keeps the test process alive.
  child.unref()
  child.channel!.unref()
  return {
    run: (args: string[], env: Environment) =>
      new Promise<Exit>((resolve, reject) => {
        waiting.set(++calls, { resolve, reject })
        child.send({ id: calls, args, env })
      }),
  }
}

/** The environment of a command: that of the tests, without what would change it. */
const cleaned = (env: Environment): Environment => ({
  ...process.env,
  DATABASE_URL: undefined,
  npm_lifecycle_event: undefined,
  NODE_OPTIONS: undefined,
  FORCE_COLOR: undefined,
  NO_COLOR: undefined,
  ...env,
})

function start(args: string[], env: Environment, program = OTS) {
  const output = { stdout: '', stderr: '' }
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, program, ...args], {
    env: cleaned(env),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcess & { stdout: Readable; stderr: Readable }
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
