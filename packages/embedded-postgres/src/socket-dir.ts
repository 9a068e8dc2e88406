import { randomBytes } from 'node:crypto'
import { chown, constants, mkdir, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, canEnter } from './account.ts'
import { isAccessible } from './files.ts'
import { PORT } from './postmaster.ts'
import { EmbeddedRefusal, USE_ANOTHER_SERVER } from './refusal.ts'

/** macOS allows 103 bytes, Linux 107: too few for a deeply nested data folder. */
const MAX_SOCKET_PATH = 103

/** Chooses a name, which is recorded and passed to the watchdog before the folder is created, so that a kill leaves no folder. */
export async function nameSocketDir(account: Account | null): Promise<string> {
  for (const parent of new Set(['/tmp', tmpdir()])) {
    const dir = join(parent, `ots-${randomBytes(6).toString('hex')}`)
    const isShort = Buffer.byteLength(socketPath(dir)) <= MAX_SOCKET_PATH
    const isWritable = await isAccessible(parent, constants.W_OK | constants.X_OK)
    if (isShort && isWritable && (!account || canEnter(account, parent))) return dir
  }
  throw new EmbeddedRefusal(`The embedded PostgreSQL needs a folder in /tmp for its socket.\n${USE_ANOTHER_SERVER}`)
}

/** Only its owner may enter it, so the server needs no passwords. */
export async function makeSocketDir(dir: string, account: Account | null): Promise<void> {
  await mkdir(dir, { mode: 0o700 })
  if (account) await chown(dir, account.uid, account.gid)
}

/** Removes only what a server creates there: the name may come from a file that others can write. */
export async function removeSocketDir(dir: string): Promise<void> {
  await rm(socketPath(dir), { force: true })
  await rm(`${socketPath(dir)}.lock`, { force: true })
  await rmdir(dir).catch(() => undefined)
}

export const socketPath = (dir: string) => join(dir, `.s.PGSQL.${PORT}`)
