import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chown, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, runAs } from './account.ts'
import { copyBackup, type BackupSource } from './backup.ts'
import type { Binaries } from './binaries.ts'
import { readText, syncFolder } from './files.ts'
import { type Identity, isAlive, mayServe } from './identity.ts'
import { EmbeddedRefusal, startFailure, USE_ANOTHER_SERVER } from './refusal.ts'
import type { Watchdog } from './watchdog.ts'

/** Owns the embedded database and everything in it. */
export const SUPERUSER = 'ots'

/** How long the server of a killed owner may take to shut down. */
const FORMER_SERVER_MS = 15_000

interface Creation {
  /** A backup to begin with; otherwise the database is empty. */
  backup?: BackupSource | undefined
  account: Account | null
  binaries: Binaries
  watchdog: Watchdog
}

/** Creates the cluster on the first start. It gets its final name when it is complete, so that a kill leaves no partial one. */
export async function ensureCluster(options: Creation & { cluster: string }): Promise<void> {
  const { cluster, binaries } = options
  await removeDrafts(cluster)
  const version = await readText(join(cluster, 'PG_VERSION'))
  if (version !== null && options.backup !== undefined)
    throw new EmbeddedRefusal(
      `There is a database in ${cluster} already. Move it away, or choose another folder with OTS_DATA_DIR.`,
    )
  if (version !== null) return refuseOtherVersion(cluster, version.trim(), binaries.major)
  if ((await readdir(cluster).catch(() => [])).length > 0)
    throw new EmbeddedRefusal(
      `${cluster} contains something other than a PostgreSQL database.\n` +
        `Move it away, or choose another folder with OTS_DATA_DIR. ${USE_ANOTHER_SERVER}`,
    )
  const draft = `${cluster}.new-${randomUUID()}`
  options.watchdog.guardDraft(draft)
  try {
    await mkdir(draft, { mode: 0o700 })
    if (options.account) await chown(draft, options.account.uid, options.account.gid)
    await (options.backup === undefined ? runInitdb(options, draft) : fillFrom(options.backup, options, draft))
    await rename(draft, cluster)
    await syncFolder(dirname(cluster))
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 })
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error // another process was first: use its cluster
  }
}

/**
 * Waits until the server of a dead owner has ended, and stops it in case its watchdog is dead, too. Returns the pid that a
 * crashed server left in its lock file, if any: it may belong to another process by now.
 */
export async function waitForFormerServer(cluster: string, former: Identity | undefined): Promise<number | null> {
  const begun = Date.now()
  let sent: NodeJS.Signals | undefined
  for (;;) {
    const pid = await serverPid(cluster)
    if (!pid || !mayServe(pid, cluster)) return pid
    const waited = Date.now() - begun
    if (waited > FORMER_SERVER_MS)
      throw new EmbeddedRefusal(
        `A PostgreSQL server (process ${pid}) runs on ${cluster} and does not stop.\n` +
          `Stop it, or choose another folder with OTS_DATA_DIR. ${USE_ANOTHER_SERVER}`,
      )
    const signal = waited > FORMER_SERVER_MS * 0.6 ? 'SIGQUIT' : 'SIGINT'
    if (former?.pid === pid && signal !== sent && isAlive(former)) signalServer(pid, (sent = signal))
    await sleep(50)
  }
}

/** The pid in the cluster's lock file, of a running or crashed server. */
export async function serverPid(cluster: string): Promise<number | null> {
  const [pid] = await lockLines(cluster)
  return Number(pid) || null
}

/** The server writes its state to the last line of its lock file; `pg_ctl` relies on it, too. */
export async function isReady(cluster: string, pid: number): Promise<boolean> {
  const lines = await lockLines(cluster)
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

/** Ignores a process that has already ended. */
function signalServer(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function refuseOtherVersion(cluster: string, found: string, shipped: string): void {
  if (found === shipped) return
  throw new EmbeddedRefusal(
    `The database in ${cluster} was created by PostgreSQL ${found}. This release ships PostgreSQL ${shipped}, ` +
      `which cannot open it.\nStart it with the release that created it and move the data with pg_dump, or choose ` +
      `another folder with OTS_DATA_DIR. ${USE_ANOTHER_SERVER}`,
  )
}

/** Only the owner of the folder calls this, so every draft is from an interrupted start. */
async function removeDrafts(cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}.new-`
  // Only our own names: "postgres.new-backup" may be a user's backup.
  const isDraft = (name: string) => name.startsWith(prefix) && /^[0-9a-f-]{36}$/.test(name.slice(prefix.length))
  const drafts = (await readdir(dirname(cluster))).filter(isDraft).map((name) => join(dirname(cluster), name))
  await Promise.allSettled(drafts.map((draft) => rm(draft, { recursive: true, force: true, maxRetries: 3 })))
}

async function fillFrom(backup: BackupSource, { account, binaries }: Creation, folder: string): Promise<void> {
  await copyBackup(backup, folder, account)
  refuseOtherVersion(backup.folder, ((await readText(join(folder, 'PG_VERSION'))) ?? '').trim(), binaries.major)
}

/** The built-in locale sorts the same everywhere and needs no locale of the operating system. */
async function runInitdb({ binaries, account, watchdog }: Creation, folder: string): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const options = ['-D', folder, '-U', SUPERUSER, '--auth=trust', '--no-instructions', ...locale]
  const child = spawn(binaries.initdb, options, { ...runAs(account), stdio: ['ignore', 'pipe', 'pipe'] })
  if (child.pid) watchdog.watch(child.pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve((output += error.message)))
    child.once('close', (status, signal) => resolve(status ?? signal))
  })
  if (code !== 0) throw startFailure('PostgreSQL could not create its database', output)
}

const lockLines = async (cluster: string) => ((await readText(join(cluster, 'postmaster.pid'))) ?? '').split('\n')
