import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:net'

/** Programs that come with the system; `.ci/run` installs them. Tests that need one are skipped without it. */
const PATHS = {
  nginx: '/usr/sbin/nginx',
  pgbouncer: '/usr/sbin/pgbouncer',
  promtool: '/usr/bin/promtool',
  'systemd-analyze': '/usr/bin/systemd-analyze',
}

export type Program = keyof typeof PATHS

export const pathOf = (program: Program): string => PATHS[program]

/** Whether a program is missing. Says so, because a skipped test is easily overlooked. */
export function isMissing(program: Program): boolean {
  try {
    accessSync(PATHS[program], constants.X_OK)
    return false
  } catch {
    process.stderr.write(`Skipped: tests with ${program}, because ${PATHS[program]} is not installed.\n`)
    return true
  }
}

export interface RunningProgram {
  process: ChildProcess
  printed: () => string
  end(): Promise<void>
}

/** Starts a program that listens on a port, and waits until it does. */
export async function startProgram(program: Program, args: string[], port: number): Promise<RunningProgram> {
  const child = spawn(PATHS[program], args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += String(chunk)))
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${printed}`)
    await sleep(50)
  }
  return {
    process: child,
    printed: () => printed,
    async end() {
      if (child.exitCode !== null) return
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
    },
  }
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
