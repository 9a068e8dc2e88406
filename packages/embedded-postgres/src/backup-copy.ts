import { createHash } from 'node:crypto'
import { chown, mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { syncFolder } from './files.ts'

/** What a server writes anew when it starts. The folders must exist. */
const EMPTIED = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*)$/

/** The bytes of a file as they were written. */
export interface CopiedFile {
  bytes: number
  sha256: string
}

interface Copying {
  /** Whether only the name of this folder is copied. */
  isEmptied?: (path: string) => boolean
  /** Who owns the copy, if not the current user. */
  account?: Account | null
  /** Called with each file; its path is relative to the folder. */
  onFile: (path: string, file: CopiedFile) => void
  onFolder?: (path: string) => void
}

/** Copies a folder while files come and go in it. */
export async function copyFolder(from: string, to: string, how: Copying, path = ''): Promise<void> {
  await makeOwned(to, how.account)
  for (const entry of await readdir(from, { withFileTypes: true }).catch(noneIfGone)) {
    const { name } = entry
    const inside = path === '' ? name : `${path}/${name}`
    if (LEFT_OUT.test(name)) continue
    const [source, copy] = [join(from, name), join(to, name)]
    if (entry.isDirectory()) {
      how.onFolder?.(inside)
      if (EMPTIED.has(inside) || how.isEmptied?.(inside)) await makeOwned(copy, how.account)
      else await copyFolder(source, copy, how, inside)
    } else {
      const file = await copyFile(source, copy)
      if (file === null) continue
      if (how.account) await chown(copy, how.account.uid, how.account.gid)
      how.onFile(inside, file)
    }
  }
  await syncFolder(dirname(to))
}

export async function makeOwned(folder: string, account: Account | null = null): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (account) await chown(folder, account.uid, account.gid)
}

export const describeBytes = (content: string | Buffer): CopiedFile => ({
  bytes: Buffer.byteLength(content),
  sha256: createHash('sha256').update(content).digest('hex'),
})

const CHUNK_BYTES = 1024 * 1024

/** Returns what was written; null if the file is gone: what it held is in the log, or no longer needed. */
async function copyFile(from: string, to: string): Promise<CopiedFile | null> {
  const source = await open(from).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (source === null) return null
  try {
    const copy = await open(to, 'w', 0o600)
    try {
      const hash = createHash('sha256')
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      let bytes = 0
      for (;;) {
        const { bytesRead } = await source.read(chunk, 0, CHUNK_BYTES)
        if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') }
        hash.update(chunk.subarray(0, bytesRead))
        await copy.writeFile(chunk.subarray(0, bytesRead))
        bytes += bytesRead
      }
    } finally {
      await copy.close()
    }
  } finally {
    await source.close()
  }
}

function noneIfGone(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error
  return []
}
