import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'

/** Identifies a process uniquely: a pid may be reused, a pid with a start time is not. */
export interface Identity {
  pid: number
  born: string
}

export const identify = (pid: number): Identity => ({ pid, born: readStartTime(pid) ?? '' })

/** A zombie counts as dead: it holds no resources. */
export function isAlive({ pid, born }: Identity): boolean {
  const found = readStartTime(pid)
  // Where /proc hides other users' processes, any process with that pid counts.
  return found === undefined ? exists(pid) : found !== null && found === born
}

/** Whether the process may be a PostgreSQL server on the cluster; true if that cannot be determined. */
export function mayServe(pid: number, cluster: string): boolean {
  const born = readStartTime(pid)
  if (born === null || (born === undefined && !exists(pid))) return false
  if (process.platform !== 'linux') return /\bpostgres\b(?!:)/.test(ps(pid, 'command') ?? 'postgres')
  try {
    if (statSync(`/proc/${pid}`).uid !== statSync(cluster).uid) return false // a server must own its cluster
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster) // and has it as its working directory
  } catch {
    return true
  }
}

/** The start time. Null: there is no such process; undefined: it cannot be determined. */
function readStartTime(pid: number): string | null | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return null
  if (process.platform !== 'linux') {
    const line = ps(pid, 'stat,lstart')
    return line === null || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '')
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain anything. After it come the state and, as the 20th field, the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? null : `${bootId()}/${fields[19]}`
  } catch {
    return exists(pid) ? undefined : null
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

function ps(pid: number, columns: string): string | null {
  try {
    const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
    const options = columns.split(',').flatMap((column) => ['-o', `${column}=`])
    return execFileSync('ps', [...options, '-p', String(pid)], { env, encoding: 'utf8', stdio: 'pipe' }).trim() || null
  } catch {
    return null
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
