import type { Stats } from 'node:fs'
import { access, constants, mkdir, open, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Null if there is no such file. */
export const statOf = (path: string): Promise<Stats | null> => stat(path).catch(nullIfMissing)

/** Null if there is no such file. */
export const readText = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(nullIfMissing)

export function isAccessible(path: string, mode: number = constants.F_OK): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}

/** Creates a folder and those above it. Node's own recursive mkdir never ends where the system creates none, such as in /proc. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const found = await statOf(path)
  if (found?.isDirectory()) return
  if (found) throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: 'ENOTDIR' })
  await makeFolder(dirname(path), mode)
  await mkdir(path, { mode }).catch((error: NodeJS.ErrnoException) => {
    // Another process was first.
    if (error.code !== 'EEXIST') throw error
  })
}

/** Without it, a power failure could undo a rename, and lose everything acknowledged since. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}
