import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  applyCatalogs,
  CatalogRefusal,
  diffCatalogs,
  parseFiles,
  recordChanges,
  type ApplyOptions,
  type FileProblem,
  type TenantChanges,
} from '../../operations/catalog/files.ts'
import { changeInThread } from '../../threads/thread-files.ts'
import { version } from '../version.ts'
import type { Database } from './database.ts'
import { localActor, recorder } from './local-actor.ts'
import type { Config } from './settings.ts'

/** The content of a catalog file, with its name for messages. */
export interface FileBytes {
  name: string
  bytes: Uint8Array
}

/** Files larger than this in total are processed in a thread, so that signals and the embedded server are still handled. */
const MAX_INLINE_BYTES = 1024 ** 2

/** Reads catalog files, and reports all unreadable ones at once. */
export async function readCatalogs(paths: string[]): Promise<FileBytes[]> {
  const files: FileBytes[] = []
  const problems: FileProblem[] = []
  for (const path of paths) {
    try {
      files.push({ name: path, bytes: await readFile(path) })
    } catch (error) {
      problems.push({ code: 'badRequest', detail: `Cannot be read: ${(error as Error).message}`, source: path })
    }
  }
  if (problems.length > 0) throw new CatalogRefusal(problems)
  return files
}

/** Equal for the same files, read by the same release in the same mode. */
export function digestOf(files: readonly FileBytes[], { mode }: Pick<Config, 'mode'>): Buffer {
  const hash = createHash('sha256').update(`${version} ${mode}`)
  for (const { bytes } of files) hash.update(` ${bytes.length} `).update(bytes)
  return hash.digest()
}

/** Applies the files to the database, or returns what that would change. */
export function changeCatalogs(
  kind: 'apply' | 'diff',
  files: FileBytes[],
  { mode }: Pick<Config, 'mode'>,
  { store, forThreads }: Pick<Database, 'store' | 'forThreads'>,
  { onProgress, basedOn, digest }: Pick<ApplyOptions, 'onProgress' | 'basedOn' | 'digest'> = {},
): Promise<TenantChanges[]> {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const production = mode === 'production'
  if (size > MAX_INLINE_BYTES) {
    const job = { kind, files, production, actor: localActor(), basedOn, digest }
    return changeInThread(job, forThreads, onProgress)
  }
  return kind === 'apply'
    ? applyCatalogs(parseFiles(files), store, {
        production,
        listsAll: true,
        inspect: recordChanges(recorder()),
        onProgress,
        basedOn,
        digest,
      })
    : diffCatalogs(parseFiles(files), store, { production, listsAll: true })
}
