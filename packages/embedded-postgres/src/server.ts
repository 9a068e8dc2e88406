import { access, constants, realpath, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { accountOf } from './account.ts'
import type { BackupSource } from './backup.ts'
import { locateShipped, prepareBinaries } from './binaries.ts'
import { ensureCluster, waitForFormerServer, SUPERUSER } from './cluster.ts'
import { makeFolder } from './files.ts'
import { identify, isAlive } from './identity.ts'
import { type LogFile, openLog } from './log-file.ts'
import { claim, type Claim, readOwner } from './owner.ts'
import { choosePlace, claimOutside, refuseCopy } from './place.ts'
import { writePointer } from './pointer.ts'
import { PORT, type Postmaster, shutDown, startPostmaster, untilReady } from './postmaster.ts'
import { asRefusal, EmbeddedRefusal, startFailure } from './refusal.ts'
import { makeSocketDir, nameSocketDir, removeSocketDir, socketPath } from './socket-dir.ts'
import type { EmbeddedTarget } from './target.ts'
import { startWatchdog } from './watchdog.ts'

export interface EmbeddedServer {
  /** Connects as the owner of the database. */
  target: EmbeddedTarget
  /** Folder of the database files. */
  cluster: string
  /** Whether that is outside of the data folder. */
  isOutside: boolean
  stop(): Promise<void>
  /** Resolves with a reason if the server ends without stop() having been called. */
  readonly ended: Promise<string>
}

const DATABASE = 'ots'

const CONNECT_MS = 10_000

/** How long to wait for a crashed server to end, or for a start in another process. */
const PATIENCE_MS = 15_000

/**
 * Starts the bundled PostgreSQL. This process is the only owner of the data folder until stop(). With a backup, the database begins
 * with it; a data folder that has a database already is refused.
 */
export async function startEmbedded(options: {
  dataDir: string
  backup?: BackupSource | undefined
}): Promise<EmbeddedServer> {
  const undo: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step()
  }
  try {
    const dataDir = await openFolder(options.dataDir)
    await refuseCopy(dataDir)
    const claimed = await claim(dataDir, `The data folder ${dataDir}`)
    undo.push(() => claimed.release())
    return await startOwned({ dataDir, claimed, undo, close, backup: options.backup })
  } catch (error) {
    await close()
    throw asRefusal(error, options.dataDir)
  }
}

/** Finds the server that another process runs on this data folder; null if there is none. */
export async function findRunning(dataDir: string): Promise<EmbeddedTarget | null> {
  try {
    await refuseCopy(dataDir)
    return await findServer(dataDir)
  } catch (error) {
    throw asRefusal(error, dataDir)
  }
}

async function findServer(dataDir: string): Promise<EmbeddedTarget | null> {
  for (const begun = Date.now(); Date.now() - begun < PATIENCE_MS; await sleep(50)) {
    const owner = await readOwner(dataDir)
    if (!owner || !isAlive(owner)) return null
    if (owner.ready && owner.socketDir)
      return (await acceptsConnections(owner.socketDir)) ? targetIn(owner.socketDir) : null
  }
  return null
}

async function startOwned(start: {
  dataDir: string
  claimed: Claim
  undo: (() => Promise<unknown>)[]
  close: () => Promise<void>
  backup: BackupSource | undefined
}): Promise<EmbeddedServer> {
  const { dataDir, claimed, undo, close, backup } = start
  if (claimed.former?.socketDir) await removeSocketDir(claimed.former.socketDir)
  const place = await choosePlace(dataDir)
  const { cluster, account, pointer } = place
  if (pointer) {
    const occupied = await claimOutside(pointer)
    undo.push(() => occupied.release())
  }
  const binaries = await prepareBinaries(locateShipped(), place.home, account)
  const stalePid = await waitForFormerServer(cluster, claimed.former?.server)

  const socketDir = await nameSocketDir(account)
  undo.push(() => removeSocketDir(socketDir))
  await claimed.record({ socketDir })
  const watchdog = startWatchdog({ socketDir, cluster, account })
  undo.push(() => watchdog.release())
  await makeSocketDir(socketDir, account)
  await ensureCluster({ cluster, account, binaries, watchdog, backup })
  // The cluster is complete now: if it is missing later, that is an error.
  if (pointer) await writePointer({ id: pointer.id, dataDir })

  const logFile = await openLog(join(dataDir, 'postgres.log'), account)
  undo.push(() => logFile.close())
  const launch = async () => {
    const launched = await startPostmaster({ place, binaries, socketDir, logFile, watchdog, stalePid })
    undo.push(() => shutDown(launched))
    return launched
  }
  const postmaster = await launchWithRetry({ launch, claimed, cluster, logFile })
  const target = targetIn(socketDir)
  await ensureDatabase(target).catch(async (error: Error) => {
    throw startFailure(`PostgreSQL started, but does not work (${error.message})`, await logFile.written())
  })
  await claimed.record({ ready: true })

  let stopping: Promise<void> | undefined
  const ended = postmaster.ended.then(async (how) => {
    if (stopping) return new Promise<string>(() => undefined)
    const output = await logFile.written().catch(() => '') // stop() may be closing it
    await (stopping = close())
    return `PostgreSQL ended ${how}.\n${output.trim().split('\n').slice(-5).join('\n')}`
  })
  return { target, cluster, isOutside: pointer !== null, ended, stop: () => (stopping ??= close()) }
}

async function openFolder(path: string): Promise<string> {
  await makeFolder(path)
  const folder = await realpath(path)
  await access(folder, constants.W_OK | constants.X_OK).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error
    throw new EmbeddedRefusal(
      `The data folder ${folder} belongs to ${accountOf(await stat(folder)).name}, and this user cannot write to it.\n` +
        'Run the service as the user who created it, or choose another folder with OTS_DATA_DIR.',
    )
  })
  return folder
}

/** The children of a killed server hold its shared memory for a moment: until then a start fails and is retried. */
async function launchWithRetry(options: {
  launch: () => Promise<Postmaster>
  claimed: Claim
  cluster: string
  logFile: LogFile
}): Promise<Postmaster> {
  for (const begun = Date.now(); ; await sleep(200)) {
    const postmaster = await options.launch()
    await options.claimed.record({ server: identify(postmaster.pid) })
    if (await untilReady(postmaster, options.cluster)) return postmaster
    const output = await options.logFile.written()
    if (!output.includes('pre-existing shared memory block') || Date.now() - begun > PATIENCE_MS)
      throw startFailure('PostgreSQL did not start', output)
  }
}

/** Creates the database on the first start, and checks that the server accepts connections. */
async function ensureDatabase(target: EmbeddedTarget): Promise<void> {
  try {
    await run(target, 'select 1')
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') throw error
    await run({ ...target, database: 'postgres' }, `create database ${DATABASE}`)
  }
}

async function run(target: EmbeddedTarget, statement: string): Promise<void> {
  const { username, ...where } = target
  const client = new Client({ ...where, user: username, connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => undefined) // a lost connection also fails the statement
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function targetIn(socketDir: string): EmbeddedTarget {
  return { host: socketDir, port: PORT, database: DATABASE, username: SUPERUSER }
}

async function acceptsConnections(socketDir: string): Promise<boolean> {
  const socket = connect(socketPath(socketDir))
  try {
    return await new Promise<boolean>((resolve, reject) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EACCES' ? reject(ofAnotherUser(socketDir)) : resolve(false),
      )
    })
  } finally {
    socket.destroy()
  }
}

const ofAnotherUser = (socketDir: string) =>
  new EmbeddedRefusal(
    `The service is running, but its database in ${socketDir} is accessible only to the user who started it.\n` +
      'Run this command as that user.',
  )
