import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Account, accountOf, canPass, chooseAccount, isRoot } from './account.ts'
import { mayServe } from './identity.ts'
import { serverPid } from './cluster.ts'
import { EmbeddedRefusal, USE_ANOTHER_SERVER } from './refusal.ts'

/** Where the database of a data folder lies, and who runs it. */
export interface Place {
  cluster: string
  /** Where a copy of the binaries goes, should one be needed. */
  home: string
  /** Null: the server runs as we do. */
  account: Account | null
}

/** Ties a data folder that the server's account cannot enter to a cluster kept in the system's place. */
interface Pointer {
  id: string
  dataDir: string
  device: number
  /** In the back-pointer, where no hard link could be made. */
  copied?: boolean
}

const SYSTEM = '/var/lib/order-testing-service'
/** How long an entry is kept that seems forgotten, but may not be. */
const KEEP_MS = 24 * 3_600_000
const POINTER = 'postgres.at'
const ID = /^[0-9a-f-]{36}$/

export async function choosePlace(dataDir: string, log: (line: string) => void): Promise<Place> {
  const local = join(dataDir, 'postgres')
  const [existing, pointer] = [await statOf(local), await readPointer(dataDir)]
  if (!isRoot()) {
    if (pointer) throw madeByRoot(dataDir, join(SYSTEM, pointer.id))
    if (existing && existing.uid !== process.getuid?.()) throw madeByAnother(local, accountOf(existing))
    return { cluster: local, home: dataDir, account: null }
  }
  await sweep()
  if (existing) return { cluster: local, home: dataDir, account: existingAccount(local, existing, dataDir) }
  const account = chooseAccount((await stat(dataDir)).uid)
  if (!pointer && canPass(account, dataDir)) return { cluster: local, home: dataDir, account }
  return systemPlace({ dataDir, pointer, account, log })
}

/** Whoever made the cluster runs it, whatever account we would choose today. */
function existingAccount(cluster: string, owner: Stats, dataDir: string): Account {
  const account = accountOf(owner)
  if (account.uid === 0) {
    const fitting = chooseAccount(0).name
    throw new EmbeddedRefusal(
      `The database in ${cluster} belongs to root, and PostgreSQL does not run as root.\n` +
        `Give it to an unprivileged user, for example: chown -R ${fitting} '${cluster}'. ${USE_ANOTHER_SERVER}`,
    )
  }
  if (canPass(account, dataDir)) return account
  throw new EmbeddedRefusal(
    `The database in ${cluster} belongs to ${account.name}, who may no longer enter that folder.\n` +
      `Allow it to pass through the folders above, or choose another folder with OTS_DATA_DIR. ${USE_ANOTHER_SERVER}`,
  )
}

/** For data below folders that are closed to the account: their permissions are the owner's business, not ours. */
async function systemPlace(want: {
  dataDir: string
  pointer: Pointer | null
  account: Account
  log: (line: string) => void
}): Promise<Place> {
  const { dataDir, log } = want
  if (want.pointer) await refuseCopy(want.pointer, dataDir)
  const pointer = { id: want.pointer?.id ?? randomUUID(), dataDir, device: (await stat(dataDir)).dev }
  const entry = join(SYSTEM, pointer.id)
  const cluster = join(entry, 'postgres')
  await openToAll(SYSTEM)
  await openToAll(entry)
  await tie(pointer, entry, want.pointer?.dataDir === dataDir)
  const existing = await statOf(cluster)
  if (existing) return { cluster, home: SYSTEM, account: existingAccount(cluster, existing, entry) }
  log(
    want.pointer
      ? `The database of ${dataDir} is no longer in ${entry}: starting with an empty one`
      : `${want.account.name} may not enter ${dataDir}: the database is kept in ${entry}`,
  )
  return { cluster, home: SYSTEM, account: want.account }
}

async function openToAll(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
}

/**
 * Pointer and back-pointer are one file with two names where possible: that tells a moved folder (two links) from a
 * deleted one. The final name comes last, so that at no moment another process finds the entry forgotten.
 */
async function tie(pointer: Pointer, entry: string, isTied: boolean): Promise<void> {
  const path = join(pointer.dataDir, POINTER)
  const file = isTied ? path : `${path}.new`
  if (!isTied) {
    await rm(file, { force: true })
    await writeFile(file, JSON.stringify(pointer), { flag: 'wx', flush: true })
  }
  const back = join(entry, POINTER)
  await rm(back, { force: true })
  await link(file, back).catch(() => writeFile(back, JSON.stringify({ ...pointer, copied: true }), { flush: true }))
  if (!isTied) await rename(file, path)
}

/** Removes the clusters whose data folder was deleted. */
async function sweep(): Promise<void> {
  const entries = (await readdir(SYSTEM).catch(() => [])).filter((name) => ID.test(name))
  const swept = entries.map(async (id) => {
    const entry = join(SYSTEM, id)
    if (await isForgotten(id, entry)) await rm(entry, { recursive: true, force: true })
  })
  await Promise.allSettled(swept)
}

async function isForgotten(id: string, entry: string): Promise<boolean> {
  const running = await serverPid(join(entry, 'postgres'))
  if (running && mayServe(running, join(entry, 'postgres'))) return false
  const back = await statOf(join(entry, POINTER))
  const isOld = Date.now() - (await stat(entry)).mtimeMs > KEEP_MS // every start renews the time
  if (!back) return isOld // being made, or left by a crash
  if (back.nlink > 1) return false
  const { dataDir, device, copied } = JSON.parse(await readFile(join(entry, POINTER), 'utf8')) as Pointer
  if ((await readPointer(dataDir))?.id === id) return false
  if ((await deviceAt(dataDir)) !== device) return false // its volume is not mounted now
  return !copied || isOld // without a link it may have been moved: it has a day to be started again
}

async function refuseCopy(pointer: Pointer, dataDir: string): Promise<void> {
  if (pointer.dataDir === dataDir || (await readPointer(pointer.dataDir))?.id !== pointer.id) return
  throw new EmbeddedRefusal(
    `${dataDir} is a copy of ${pointer.dataDir}, but the database is not in it: it lies in ${join(SYSTEM, pointer.id)}.\n` +
      `Delete ${join(dataDir, POINTER)} to start with an empty database. ${USE_ANOTHER_SERVER}`,
  )
}

function madeByRoot(dataDir: string, entry: string): EmbeddedRefusal {
  return new EmbeddedRefusal(
    `The database of ${dataDir} was made when the service ran as root, and lies in ${entry}.\n` +
      `Run the service as root again, or choose another folder with OTS_DATA_DIR. ${USE_ANOTHER_SERVER}`,
  )
}

function madeByAnother(cluster: string, owner: Account): EmbeddedRefusal {
  return new EmbeddedRefusal(
    `The database in ${cluster} belongs to ${owner.name}: the service ran as root or as another user before.\n` +
      `Run it as then, or choose another folder with OTS_DATA_DIR. ${USE_ANOTHER_SERVER}`,
  )
}

async function readPointer(dataDir: string): Promise<Pointer | null> {
  try {
    const pointer = JSON.parse(await readFile(join(dataDir, POINTER), 'utf8')) as Pointer
    return ID.test(pointer.id) ? pointer : null // it becomes part of a path that root works on
  } catch (error) {
    if (error instanceof SyntaxError || ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return null
    throw error
  }
}

async function deviceAt(path: string): Promise<number> {
  const found = await statOf(path)
  return found ? found.dev : deviceAt(dirname(path))
}

async function statOf(path: string): Promise<Stats | null> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
}
