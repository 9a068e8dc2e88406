import { access, constants, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Account } from './account.ts'
import { copyFolder, describeBytes, makeOwned, type CopiedFile } from './backup-copy.ts'
import { makeFolder, readText, syncFolder } from './files.ts'
import { asBackupRefusal, EmbeddedRefusal } from './refusal.ts'
import type { EmbeddedTarget } from './target.ts'

/** The files of the cluster within a backup, and the file that says that it is complete. */
const CLUSTER = 'postgres'
const MANIFEST = 'backup.json'

/** What a backup says about itself. */
export interface BackupFacts {
  createdAt: string
  /** The version of the service that made it. */
  version: string
  /** Ids of the keys that its values are sealed with. */
  keyIds: string[]
}

export interface Backup extends BackupFacts {
  /** All folders and files of the cluster, by their path in it; absent in backups of earlier releases. */
  folders?: string[]
  files?: Record<string, CopiedFile>
}

/** A backup to restore. */
export interface BackupSource {
  folder: string
  manifest: Backup
  /** Called after each file. */
  onCopied?: (files: number) => void
}

/** Creates the folder of a backup; refuses one that is not empty or not writable. */
export async function openBackupFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder, 0o700)
    await access(folder, constants.W_OK | constants.X_OK)
    if ((await readdir(folder)).length === 0) return
  } catch (error) {
    throw asBackupRefusal(error, folder)
  }
  throw new EmbeddedRefusal(`${folder} is not empty. Choose a new folder for each backup.`)
}

/**
 * Copies the files of a running server into an empty folder. Changes during the copy are in the write-ahead log, which is copied last:
 * a server that starts from the backup has everything that was committed before the end.
 */
export async function backUp(
  { target, cluster }: { target: EmbeddedTarget; cluster: string },
  folder: string,
  { onCopied, ...facts }: BackupFacts & { onCopied?: (files: number) => void },
): Promise<void> {
  await openBackupFolder(folder)
  const manifest = { ...facts, folders: [] as string[], files: {} as Record<string, CopiedFile> }
  let copied = 0
  const note = (path: string, file: CopiedFile) => {
    manifest.files[path] = file
    onCopied?.(++copied)
  }
  const onFolder = (path: string) => void manifest.folders.push(path)
  const client = await connectTo(target)
  try {
    await client.query('set statement_timeout = 0; set idle_session_timeout = 0')
    // Keeps the log of all changes during the copy; it ends with the connection.
    await client.query(`select pg_create_physical_replication_slot('backup_${process.pid}', true, true)`)
    await client.query("select pg_backup_start('ots backup', fast => true)")
    const copy = join(folder, CLUSTER)
    await copyFolder(cluster, copy, { isEmptied: (path) => path === 'pg_wal', onFile: note, onFolder })
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    )
    const label = rows[0]!.labelfile
    await writeFile(join(copy, 'backup_label'), label, { mode: 0o600 })
    note('backup_label', describeBytes(label))
    await copyFolder(join(cluster, 'pg_wal'), join(copy, 'pg_wal'), {
      onFile: (path, file) => note(`pg_wal/${path}`, file),
      onFolder: (path) => onFolder(`pg_wal/${path}`),
    })
  } catch (error) {
    throw asBackupRefusal(error, folder)
  } finally {
    await client.end()
  }
  const draft = join(folder, `${MANIFEST}.new`)
  await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
  await rename(draft, join(folder, MANIFEST))
  await syncFolder(folder)
}

async function connectTo({ username, ...where }: EmbeddedTarget): Promise<Client> {
  const client = new Client({ ...where, user: username })
  client.on('error', () => undefined) // a lost connection also fails the next statement
  await client.connect()
  return client
}

/** Reads what a backup says about itself; refuses a folder that holds no complete one. */
export async function readBackup(folder: string): Promise<Backup> {
  const text = await readText(join(folder, MANIFEST))
  if (text === null) throw new EmbeddedRefusal(`${folder} holds no complete backup: it has no ${MANIFEST}.`)
  try {
    return JSON.parse(text) as Backup
  } catch {
    throw damaged(folder, `${MANIFEST} cannot be read`)
  }
}

/** Copies the cluster of a backup into an empty folder, which the account owns; refuses it if any file differs. */
export async function copyBackup(
  { folder, manifest, onCopied }: BackupSource,
  draft: string,
  account: Account | null,
): Promise<void> {
  const { files } = manifest
  const missing = new Set(Object.keys(files ?? {}))
  let copied = 0
  const onFile = (path: string, { bytes, sha256 }: CopiedFile) => {
    const expected = files?.[path]
    missing.delete(path)
    onCopied?.(++copied)
    if (!files) return
    if (!expected) throw damaged(folder, `${CLUSTER}/${path} is not part of it`)
    if (expected.bytes !== bytes)
      throw damaged(folder, `${CLUSTER}/${path} has ${bytes} bytes instead of ${expected.bytes}`)
    if (expected.sha256 !== sha256) throw damaged(folder, `${CLUSTER}/${path} has other content`)
  }
  await copyFolder(join(folder, CLUSTER), draft, { onFile, account })
  const [first] = missing
  if (first !== undefined) throw damaged(folder, `${CLUSTER}/${first} is missing`)
  // Some storage keeps no empty folders.
  for (const path of manifest.folders ?? []) await makeOwned(join(draft, path), account)
}

const damaged = (folder: string, how: string) =>
  new EmbeddedRefusal(`The backup in ${folder} is damaged: ${how}. Nothing was restored; use another backup.`)
