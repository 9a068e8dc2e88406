import { readFile } from 'node:fs/promises'
import {
  applyCatalogs,
  CatalogRefusal,
  diffCatalogs,
  parseFiles,
  recordChanges,
  type TenantChanges,
} from '../../operations/catalog/files.ts'
import { changeInThread } from '../../threads/thread-files.ts'
import type { Config } from './settings.ts'
import type { Database } from './database.ts'
import { localActor, recorder } from './local-actor.ts'

/** A catalog file as it was read, with the name to call it by. */
export interface FileBytes {
  name: string
  bytes: Uint8Array
}

/** Together, larger files are worked on in a thread: meanwhile signals are heard and the embedded server is looked after. */
const MOST_IN_PLACE = 1024 ** 2

/** Reads catalog files; those that cannot be read are reported all at once. */
export async function readCatalogs(paths: string[]): Promise<FileBytes[]> {
  const read = await Promise.allSettled(paths.map((path) => readFile(path)))
  const problems = read.flatMap((result, i) =>
    result.status === 'fulfilled'
      ? []
      : [{ code: 'badRequest', detail: `Cannot be read: ${messageOf(result.reason)}`, source: paths[i]! } as const],
  )
  if (problems.length > 0) throw new CatalogRefusal(problems)
  return read.flatMap((result, i) => (result.status === 'fulfilled' ? [{ name: paths[i]!, bytes: result.value }] : []))
}

/** Makes the database agree with the files, or says what that would change. */
export function changeCatalogs(
  kind: 'apply' | 'diff',
  files: FileBytes[],
  { mode }: Pick<Config, 'mode'>,
  { store, forThreads }: Pick<Database, 'store' | 'forThreads'>,
): Promise<TenantChanges[]> {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const production = mode === 'production'
  if (size > MOST_IN_PLACE) return changeInThread({ kind, files, production, actor: localActor() }, forThreads)
  return kind === 'apply'
    ? applyCatalogs(parseFiles(files), store, { production, inspect: recordChanges(recorder()) })
    : diffCatalogs(parseFiles(files), store, { production })
}

const messageOf = (reason: unknown) => (reason as Error).message
