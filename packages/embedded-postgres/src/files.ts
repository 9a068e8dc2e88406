import type { Stats } from 'node:fs'
import { access, constants, open, readFile, stat } from 'node:fs/promises'

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
