/** The embedded server cannot be used; the message says why, and what to do. */
export class EmbeddedRefusal extends Error {
  override name = 'EmbeddedRefusal'
}

/** The last line of these messages, because it always works. */
export const USE_ANOTHER_SERVER =
  'To use a PostgreSQL server of your own instead, set DATABASE_URL=postgres://user:password@host:5432/database'

/** Explains an error of the filesystem. */
export function asRefusal(error: unknown, dataDir: string): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (!(error instanceof Error) || error instanceof EmbeddedRefusal || !code) return error
  const hint = FILE_HINTS[code]
  if (!hint) return error
  return new EmbeddedRefusal(
    `The embedded PostgreSQL cannot work in ${dataDir}: ${hint} (${error.message}).\n` +
      `Choose another folder with OTS_DATA_DIR. ${USE_ANOTHER_SERVER}`,
    { cause: error },
  )
}

/** Explains why a backup cannot be written. */
export function asBackupRefusal(error: unknown, folder: string): unknown {
  const code = (error as NodeJS.ErrnoException).code
  const hint = FILE_HINTS[code ?? '']
  if (!(error instanceof Error) || error instanceof EmbeddedRefusal || !hint) return error
  return new EmbeddedRefusal(`A backup cannot be written to ${folder}: ${hint} (${error.message}).`, { cause: error })
}

/** Explains a failed start, with the last lines of the server's output. */
export function startFailure(what: string, output: string): EmbeddedRefusal {
  const hint = OUTPUT_HINTS.find(([pattern]) => pattern.test(output))?.[1]
  const lines = output.trim().split('\n').slice(-12).join('\n  ')
  return new EmbeddedRefusal(`${what}${hint ? `: ${hint}` : ''}.\n${lines ? `  ${lines}\n` : ''}${USE_ANOTHER_SERVER}`)
}

const FILE_HINTS: Record<string, string> = {
  EACCES: 'permission is missing',
  EPERM: 'permission is missing',
  EROFS: 'the filesystem is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTSUP: 'the filesystem does not support a required operation',
  ENOENT: 'a file is missing and cannot be created',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
}

const OUTPUT_HINTS: [RegExp, string][] = [
  [/lock file "postmaster.pid" already exists/, 'another server runs on the same database'],
  [/error while loading shared libraries|Library not loaded/, 'a library of the operating system is missing'],
  [/GLIBC(XX)?_[\d.]+' not found/, 'the operating system is too old for the shipped binaries'],
  [/No space left on device|Check free disk space/, 'the disk is full'],
  [/Disk quota exceeded/, 'the disk quota is used up'],
  [/could not (map|create|resize).*shared memory|Cannot allocate memory/, 'there is not enough memory'],
  [/could not look up effective user ID/, 'the user it runs as is not listed in /etc/passwd'],
  [/ENOENT/, 'the shipped binaries do not run on this operating system (they need glibc)'],
  [/EACCES/, 'its program may not be executed in that folder'],
]
