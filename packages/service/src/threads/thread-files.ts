import { recordAsLocal, type LocalActor } from '../operations/audit/audit.ts'
import {
  applyCatalogs,
  CatalogRefusal,
  diffCatalogs,
  parseFiles,
  recordChanges,
  type FileProblem,
  type TenantChanges,
} from '../operations/catalog/files.ts'
import { PooledRandom } from '../operations/pooled-random.ts'
import type { OnProgress } from '../operations/progress.ts'
import type { Store } from '../store/store.ts'
import { threadOn, type ThreadDatabase } from './thread-jobs.ts'

/** A command on catalog files, outside of any request. */
export interface FilesJob {
  kind: 'apply' | 'diff'
  /** Whether token secrets are refused. */
  production: boolean
  /** Who runs the command, for the audit log. */
  actor: LocalActor
  files: { name: string; bytes: Uint8Array }[]
  /** The versions that the files were compared with, if they must not have changed since. */
  basedOn?: readonly string[] | undefined
  digest?: Uint8Array | undefined
}

export type FilesDone = { changes: TenantChanges[] } | { refused: FileProblem[] }

/** Runs a catalog command in a thread. */
export async function changeInThread(
  job: FilesJob,
  database: ThreadDatabase,
  onProgress?: OnProgress,
): Promise<TenantChanges[]> {
  const thread = threadOn<FilesJob, FilesDone>(database)
  try {
    const done = await thread.run(job, [], onProgress)
    if ('refused' in done) throw new CatalogRefusal(done.refused)
    return done.changes
  } finally {
    await thread.stop()
  }
}

/** Runs in the thread. */
export async function doFilesJob(
  { kind, files, production, actor, basedOn, digest }: FilesJob,
  store: Store,
  onProgress?: OnProgress,
): Promise<FilesDone> {
  try {
    if (kind === 'diff')
      return { changes: await diffCatalogs(parseFiles(files), store, { production, listsAll: true }) }
    const record = recordAsLocal(actor, { now: () => new Date(), random: new PooledRandom() })
    const terms = {
      production,
      listsAll: true,
      inspect: recordChanges(record),
      onProgress,
      basedOn,
      digest: digest && Buffer.from(digest),
    }
    return { changes: await applyCatalogs(parseFiles(files), store, terms) }
  } catch (error) {
    if (error instanceof CatalogRefusal) return { refused: error.problems }
    throw error
  }
}
