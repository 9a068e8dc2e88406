import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRoot } from './account.ts'
import { serverPid } from './cluster.ts'
import { statOf } from './files.ts'
import { isAlive, mayServe } from './identity.ts'
import { claim, readOwner } from './owner.ts'
import { isLinked, OUTSIDE, outsideFolder, pointerFile, pointsTo, readPointer, readRecord } from './pointer.ts'
import { EmbeddedRefusal } from './refusal.ts'

/** A cluster outside of its data folder. */
export interface OutsideCluster {
  name: string
  folder: string
  /** The data folder that used it last, if known. */
  dataDir: string | null
  isInUse: boolean
  /** What uses it, or why nothing does. */
  detail: string
  lastUsedAt: Date | null
}

/** `.removed` is what an interrupted removal leaves. */
const NAME = /^[0-9a-f-]{36}(\.removed)?$/

/** Finds the cluster of a data folder; null before the first start. */
export async function locateCluster(dataDir: string): Promise<{ cluster: string; isMissing: boolean } | null> {
  const pointer = await readPointer(dataDir)
  const cluster = join(pointer ? outsideFolder(pointer.id) : dataDir, 'postgres')
  const isMissing = (await statOf(join(cluster, 'PG_VERSION'))) === null
  return isMissing && (!pointer || pointer.isNew) ? null : { cluster, isMissing }
}

/** Lists the clusters of this machine outside of their data folder. */
export async function listClusters(): Promise<OutsideCluster[]> {
  const names = await readdir(OUTSIDE).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const known = names.filter((name) => NAME.test(name)).toSorted()
  if (known.length > 0) requireRoot()
  return Promise.all(known.map((name) => describeCluster(name)))
}

export async function findCluster(name: string): Promise<OutsideCluster> {
  requireRoot()
  if (NAME.test(name) && (await statOf(outsideFolder(name)))) return describeCluster(name)
  throw new EmbeddedRefusal(`Unknown cluster "${name}". List the clusters with: ots clusters list`)
}

/** Removes a cluster permanently, unless it is in use. */
export async function removeCluster(name: string): Promise<void> {
  const { folder } = await findCluster(name)
  const claimed = await claim(folder, `The cluster ${name}`)
  const removed = name.endsWith('.removed') ? folder : `${folder}.removed`
  try {
    const use = await findUse(name)
    if (use.isInUse) throw new EmbeddedRefusal(`The cluster ${name} cannot be removed: ${use.detail}.\n${use.advice}`)
    // Renamed first, so that no start finds a partial cluster.
    if (removed !== folder) await rename(folder, removed)
  } catch (error) {
    await claimed.release()
    throw error
  }
  await rm(removed, { recursive: true, force: true, maxRetries: 3 })
}

async function describeCluster(name: string): Promise<OutsideCluster> {
  const folder = outsideFolder(name)
  const owner = await readOwner(folder)
  const { isInUse, detail } =
    owner && isAlive(owner)
      ? { isInUse: true, detail: `used by the running process ${owner.pid}` }
      : await findUse(name)
  const dataDir = (await readRecord(name))?.dataDir ?? null
  const lastUsedAt = (await statOf(join(folder, 'postgres/global/pg_control')))?.mtime ?? null
  return { name, folder, dataDir, isInUse, detail, lastUsedAt }
}

interface Use {
  isInUse: boolean
  detail: string
  /** How to stop using it. */
  advice?: string
}

async function findUse(name: string): Promise<Use> {
  const cluster = join(outsideFolder(name), 'postgres')
  const pid = await serverPid(cluster)
  if (pid && mayServe(pid, cluster))
    return { isInUse: true, detail: `a PostgreSQL server runs on it (process ${pid})`, advice: 'Stop it first.' }
  const dataDir = (await readRecord(name))?.dataDir
  if (dataDir === undefined) return { isInUse: false, detail: 'unused: its data folder is unknown' }
  if (await pointsTo(dataDir, name))
    return { isInUse: true, detail: `used by the data folder ${dataDir}`, advice: 'Delete that folder first.' }
  if (await isLinked(name))
    return {
      isInUse: true,
      detail: `used by a data folder that was moved from ${dataDir}`,
      advice:
        `Find it with: find / -xdev -samefile ${pointerFile(outsideFolder(name))}\n` +
        'Start the service there, or delete that folder first.',
    }
  const reason = (await statOf(dataDir)) ? 'does not point to it' : 'does not exist'
  return { isInUse: false, detail: `unused: ${dataDir} ${reason}` }
}

function requireRoot(): void {
  if (isRoot()) return
  throw new EmbeddedRefusal(`The clusters in ${OUTSIDE} belong to root. Run this command as root.`)
}
