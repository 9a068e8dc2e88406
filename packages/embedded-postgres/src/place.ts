import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, accountOf, canEnter, chooseAccount, isRoot } from './account.ts'
import { statOf } from './files.ts'
import { claim, type Claim } from './owner.ts'
import {
  isSameFolder,
  OUTSIDE,
  outsideFolder,
  type Pointer,
  pointerFile,
  pointsTo,
  readPointer,
  readRecord,
  writePointer,
} from './pointer.ts'
import { EmbeddedRefusal, USE_ANOTHER_SERVER } from './refusal.ts'

/** Where the cluster of a data folder is, and which account runs it. */
export interface Place {
  cluster: string
  /** Folder for a copy of the binaries, if one is needed. */
  home: string
  /** Null: the server runs as we do. */
  account: Account | null
  /** Set if the cluster is outside of the data folder. */
  pointer: Pointer | null
}

/** Finds the cluster, or chooses the place of a new one. Creates nothing. */
export async function choosePlace(dataDir: string): Promise<Place> {
  const local = join(dataDir, 'postgres')
  const [existing, pointer] = [await statOf(local), await readPointer(dataDir)]
  if (pointer && existing) throw twoClusters(dataDir, local, pointer)
  const inside = { cluster: local, home: dataDir, pointer: null }
  if (!isRoot()) {
    if (pointer) throw createdByRoot(dataDir, pointer)
    if (existing && existing.uid !== process.getuid?.()) throw createdByAnother(local, accountOf(existing))
    return { ...inside, account: null }
  }
  if (pointer) return placeOutside(dataDir, pointer)
  if (existing) return { ...inside, account: existingAccount(local, existing, dataDir) }
  const account = chooseAccount((await stat(dataDir)).uid)
  if (canEnter(account, dataDir)) return { ...inside, account }
  return placeOutside(dataDir, { id: randomUUID(), dataDir, isNew: true })
}

/** Claims a cluster outside of its data folder for this process, and makes the data folder its owner. */
export async function claimOutside(pointer: Pointer): Promise<Claim> {
  const folder = outsideFolder(pointer.id)
  if (pointer.isNew) {
    await createOpenFolder(OUTSIDE)
    await createOpenFolder(folder)
  }
  const claimed = await claim(folder, `The database in ${folder}`)
  try {
    await refuseCopy(pointer.dataDir) // another copy may have become the owner in the meantime
    await writePointer(pointer)
    return claimed
  } catch (error) {
    await claimed.release()
    throw error
  }
}

/** A moved data folder has the only pointer to its cluster; a copy shares it with the original. */
export async function refuseCopy(dataDir: string): Promise<void> {
  const pointer = await readPointer(dataDir)
  if (!pointer) return
  const owner = ((await readRecord(pointer.id)) ?? pointer).dataDir
  if (owner === dataDir || !(await pointsTo(owner, pointer.id)) || (await isSameFolder(owner, dataDir))) return
  throw new EmbeddedRefusal(
    `${dataDir} is a copy of ${owner}. The database is not in it, but in ${outsideFolder(pointer.id)} and belongs to ` +
      `${owner}.\nUse that folder, or delete it to use its database from here. To start here with an empty database, ` +
      `delete ${pointerFile(dataDir)}. ${USE_ANOTHER_SERVER}`,
  )
}

/** For a data folder that the account cannot enter: the permissions of folders are never changed. */
async function placeOutside(dataDir: string, pointer: Pointer): Promise<Place> {
  const folder = outsideFolder(pointer.id)
  const cluster = join(folder, 'postgres')
  const place = { cluster, home: OUTSIDE, pointer: { ...pointer, dataDir } }
  const existing = (await statOf(join(cluster, 'PG_VERSION'))) && (await statOf(cluster))
  if (existing) return { ...place, account: existingAccount(cluster, existing, folder) }
  if (!pointer.isNew) throw missing(dataDir, cluster)
  return { ...place, account: chooseAccount((await stat(dataDir)).uid) }
}

/** The user who created a cluster runs it, whichever account a new one would get. */
function existingAccount(cluster: string, owner: Stats, folder: string): Account {
  const account = accountOf(owner)
  if (account.uid === 0) {
    const { name } = chooseAccount(0)
    throw new EmbeddedRefusal(
      `The database in ${cluster} belongs to root, and PostgreSQL does not run as root.\n` +
        `Give it to an unprivileged user, for example: chown -R ${name} '${cluster}'. ${USE_ANOTHER_SERVER}`,
    )
  }
  if (canEnter(account, folder)) return account
  throw new EmbeddedRefusal(
    `The database in ${cluster} belongs to the user ${account.name}, who may no longer enter that folder.\n` +
      `Allow this user to pass through the folders above it, or choose another folder with OTS_DATA_DIR. ${USE_ANOTHER_SERVER}`,
  )
}

async function createOpenFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
}

const missing = (dataDir: string, cluster: string) =>
  new EmbeddedRefusal(
    `The database of ${dataDir} is missing. ${pointerFile(dataDir)} points to ${cluster}, which does not exist.\n` +
      'It was deleted, or the data folder comes from another machine or container, which still has the database.\n' +
      `Put the database back, or delete ${pointerFile(dataDir)} to start with an empty one. ${USE_ANOTHER_SERVER}`,
  )

const twoClusters = (dataDir: string, local: string, { id }: Pointer) =>
  new EmbeddedRefusal(
    `${dataDir} has two databases: one in ${local}, and one in ${outsideFolder(id)}, to which ${pointerFile(dataDir)} points.\n` +
      `To use the first, delete ${pointerFile(dataDir)}. To use the second, move ${local} away. ${USE_ANOTHER_SERVER}`,
  )

const createdByRoot = (dataDir: string, { id }: Pointer) =>
  new EmbeddedRefusal(
    `The database of ${dataDir} was created when the service ran as root, and is in ${outsideFolder(id)}.\n` +
      `Run the service as root again, or choose another folder with OTS_DATA_DIR. ${USE_ANOTHER_SERVER}`,
  )

const createdByAnother = (cluster: string, owner: Account) =>
  new EmbeddedRefusal(
    `The database in ${cluster} belongs to ${owner.name}: the service ran as root or as another user before.\n` +
      `Run it as that user, or choose another folder with OTS_DATA_DIR. ${USE_ANOTHER_SERVER}`,
  )
