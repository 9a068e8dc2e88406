import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { EmbeddedTarget } from '../src/target.ts'

/** A process that starts the embedded server and runs it until its input ends, at the latest with the test process. */
export interface OwnerProcess {
  pid: number
  /** The outcome of the start. */
  outcome: Promise<{ target?: EmbeddedTarget; refused?: string }>
  /** The processes it has started; only known on Linux. */
  children(): number[]
  kill(): Promise<void>
  stop(): Promise<void>
}

// Compiled, because Node 20 does not run TypeScript; `npm test` builds first.
const SERVER = new URL('../dist/server.js', import.meta.url)

const PROGRAM = `
  import { startEmbedded } from ${JSON.stringify(SERVER.href)}
  const print = (value) => console.log(JSON.stringify(value))
  const server = await startEmbedded({ dataDir: process.argv[1] }).catch((error) => print({ refused: error.message }))
  if (server) {
    print({ target: server.target })
    process.stdin.on('end', () => server.stop()).resume()
  } else process.exit(1)
`

export function startOwnerProcess(dataDir: string, user?: { uid: number; gid: number }): OwnerProcess {
  accessSync(SERVER)
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    process.execPath,
    ['--input-type=module', '-e', PROGRAM, dataDir],
    { stdio: ['pipe', 'pipe', 'inherit'], cwd: '/', ...user },
  )
  const ended = once(child, 'exit')
  const pid = child.pid ?? 0
  return {
    pid,
    outcome: firstLine(child.stdout),
    children: () => childrenOf(pid),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}

/** Whether another user can run the compiled service, which needs a checkout that others can enter. */
export function isBuiltFor(user: { uid: number; gid: number }): Promise<boolean> {
  const child = spawn('/bin/sh', ['-c', 'test -r "$1"', 'sh', fileURLToPath(SERVER)], { cwd: '/', ...user })
  return once(child, 'exit').then(([code]) => code === 0)
}

async function firstLine(output: Readable): Promise<{ target?: EmbeddedTarget; refused?: string }> {
  for await (const line of createInterface(output)) return JSON.parse(line) as { target?: EmbeddedTarget }
  return {}
}

function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return []
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}
