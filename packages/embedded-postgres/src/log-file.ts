import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, rm } from 'node:fs/promises'
import type { Account } from './account.ts'

/** The server's log. The server writes to the file itself, so that no lines are lost if this process dies. */
export interface LogFile {
  fd: number
  /** Returns what was written since the file was opened. */
  written(): Promise<string>
  close(): Promise<void>
}

const MAX_BYTES = 4 * 1024 * 1024
const CHECK_MS = 60_000

export async function openLog(path: string, account: Account | null): Promise<LogFile> {
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants
  const file = await open(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600)
  if (account) await file.chown(account.uid, account.gid)
  await keepShort(file, path)
  const start = (await file.stat()).size
  const timer = setInterval(() => void keepShort(file, path).catch(() => undefined), CHECK_MS).unref()
  return {
    fd: file.fd,
    async written() {
      const size = (await file.stat()).size
      const from = Math.max(size < start ? 0 : start, size - 16_384)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
      return buffer.toString('utf8', 0, bytesRead)
    },
    async close() {
      clearInterval(timer)
      await file.close()
    },
  }
}

/** The server appends, so the file can be truncated under it. One former file is kept. */
async function keepShort(file: FileHandle, path: string): Promise<void> {
  if ((await file.stat()).size <= MAX_BYTES) return
  await rm(`${path}.1`, { force: true })
  await copyFile(path, `${path}.1`, constants.COPYFILE_EXCL)
  await file.truncate(0)
}
