import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { runAs } from './account.ts'
import type { Binaries } from './binaries.ts'
import { isReady } from './cluster.ts'
import type { LogFile } from './log-file.ts'
import type { Place } from './place.ts'
import { startFailure } from './refusal.ts'
import type { Watchdog } from './watchdog.ts'

/** PostgreSQL's main process. */
export interface Postmaster {
  pid: number
  /** Resolves with the way it ended. */
  ended: Promise<string>
  /** Does nothing after its end, even if its pid is reused. */
  signal(name: NodeJS.Signals): void
}

export const PORT = 5432

const FAST_SHUTDOWN_MS = 10_000

/** For one service on a small machine. Durability settings keep PostgreSQL's defaults. */
const SETTINGS = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '128MB',
  // Parallel workers need shared memory, which is scarce in containers.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // The service gets the errors; in this log they would expose the content of orders.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

export async function startPostmaster(options: {
  place: Place
  binaries: Binaries
  socketDir: string
  logFile: LogFile
  watchdog: Watchdog
  stalePid: number | null
}): Promise<Postmaster> {
  const { cluster, account } = options.place
  const settings = { ...SETTINGS, unix_socket_directories: options.socketDir }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const how = runAs(account)
  const child = spawn(options.binaries.postgres, ['-D', cluster, ...args], {
    ...how,
    // PostgreSQL ignores a lock file with the pid of its grandparent, so a reused pid in a stale one does not block the start.
    env: { ...how.env, ...(options.stalePid ? { PG_GRANDPARENT_PID: String(options.stalePid) } : {}) },
    stdio: ['ignore', options.logFile.fd, options.logFile.fd],
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `by signal ${signal}` : `with code ${code}`))
  })
  if (!child.pid) throw startFailure('PostgreSQL did not start', await ended)
  options.watchdog.watch(child.pid)
  return { pid: child.pid, ended, signal: (name) => void child.kill(name) }
}

/** Returns false if the server ends. There is no time limit: recovery after a power failure may take long. */
export async function untilReady(postmaster: Postmaster, cluster: string): Promise<boolean> {
  let ended = false
  void postmaster.ended.then(() => (ended = true))
  while (!(await isReady(cluster, postmaster.pid))) {
    if (ended) return false
    await sleep(10)
  }
  return true
}

/** A fast shutdown ends connections and writes everything. If it hangs, an immediate one follows, and the next start recovers. */
export async function shutDown(postmaster: Postmaster): Promise<void> {
  postmaster.signal('SIGINT')
  const patience = new AbortController()
  const late = sleep(FAST_SHUTDOWN_MS, 'late', { signal: patience.signal }).catch(() => 'ended')
  if ((await Promise.race([postmaster.ended, late])) === 'late') postmaster.signal('SIGQUIT')
  await postmaster.ended
  patience.abort()
}
