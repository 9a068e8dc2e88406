import { link, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readText, statOf, syncFolder } from './files.ts'
import { EmbeddedRefusal } from './refusal.ts'

/**
 * Connects a data folder with a cluster outside of it. Both folders hold one; in that of the cluster, `dataDir` names the
 * owner.
 */
export interface Pointer {
  /** The name of the cluster. */
  id: string
  dataDir: string
  /** The cluster was never complete: if it is missing, no data is lost. */
  isNew?: true
}

/** Folder of the clusters that cannot be in their data folder. */
export const OUTSIDE = '/var/lib/order-testing-service'

const ID = /^[0-9a-f-]{36}$/

export const outsideFolder = (id: string) => join(OUTSIDE, id)

export const pointerFile = (folder: string) => join(folder, 'postgres.at')

/** Null if there is none. Refuses a damaged one: the next start would create an empty database. */
export async function readPointer(folder: string): Promise<Pointer | null> {
  const path = pointerFile(folder)
  const text = await readText(path)
  if (text === null) return null
  const { id, dataDir, isNew } = parse(text)
  // The id becomes part of a path that root works on.
  if (typeof id === 'string' && ID.test(id) && typeof dataDir === 'string')
    return { id, dataDir, ...(isNew === true ? { isNew } : {}) }
  throw new EmbeddedRefusal(
    `${path} is damaged: it should name the folder of the database of ${folder}.\n` +
      `Restore the file from a backup. The databases of this machine are in ${OUTSIDE}; "ots clusters list" shows them.`,
  )
}

/** Whether a data folder points to the cluster; true if that cannot be read, so that nothing in use is removed. */
export async function pointsTo(dataDir: string, id: string): Promise<boolean> {
  return readPointer(dataDir).then(
    (pointer) => pointer?.id === id,
    () => true,
  )
}

/** Reads the owner of a cluster from the cluster's folder; null without a usable record. */
export async function readRecord(id: string): Promise<Pointer | null> {
  return readPointer(outsideFolder(id)).catch((error: unknown) => {
    if (error instanceof EmbeddedRefusal) return null
    throw error
  })
}

/**
 * Makes the data folder the owner. The pointer is written first, so that an interrupted start continues with the same
 * cluster. Pointer and record are hard links to one file if the filesystem allows, so that the link count shows whether
 * the pointer of a moved data folder still exists.
 */
export async function writePointer(pointer: Pointer): Promise<void> {
  const text = JSON.stringify(pointer)
  const [path, record] = [pointerFile(pointer.dataDir), pointerFile(outsideFolder(pointer.id))]
  if ((await readText(path)) === text && (await readText(record)) === text && (await isLinkedIfPossible(path, record)))
    return
  await writeFile(`${path}.new`, text, { flush: true })
  await rename(`${path}.new`, path)
  await syncFolder(pointer.dataDir)
  await rm(`${record}.new`, { force: true })
  await link(path, `${record}.new`).catch(() => writeFile(`${record}.new`, text, { flush: true }))
  await rename(`${record}.new`, record)
  await syncFolder(dirname(record))
}

/** Whether the record is the same file as the pointer of some data folder, wherever that folder is now. */
export const isLinked = async (id: string) => ((await statOf(pointerFile(outsideFolder(id))))?.nlink ?? 0) > 1

/** A data folder may have two paths, for example by a bind mount: then the pointer is the same file. */
export async function isSameFolder(one: string, two: string): Promise<boolean> {
  const [a, b] = [await statOf(pointerFile(one)), await statOf(pointerFile(two))]
  return a !== null && a.dev === b?.dev && a.ino === b.ino
}

async function isLinkedIfPossible(path: string, record: string): Promise<boolean> {
  const [a, b] = [await statOf(path), await statOf(record)]
  return a?.dev !== b?.dev || a?.ino === b?.ino
}

function parse(text: string): Partial<Record<keyof Pointer, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Record<keyof Pointer, unknown>>
  } catch {
    return {}
  }
}
