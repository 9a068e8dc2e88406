import { chown, copyFile, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import type { Account } from './account.ts'
import { readText, syncFolder } from './files.ts'
import { EmbeddedRefusal } from './refusal.ts'
import type { EmbeddedTarget } from './target.ts'

/** The files of the cluster within a backup, and the file that says that it is complete. */
const CLUSTER = 'postgres'
const MANIFEST = 'backup.json'

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

/** What a backup says about itself. */
export interface BackupFacts {
  createdAt: string
  /** The version of the service that made it. */
  version: string
  /** Ids of the keys that its values are sealed with. */
  keyIds: string[]
}

/**
 * Copies the files of a running server into a new folder. Changes during the copy are in the write-ahead log, which is copied last:
 * a server that starts from the backup has everything that was committed before the end.
 */
export async function backUp(
  { target, cluster }: { target: EmbeddedTarget; cluster: string },
  folder: string,
  facts: BackupFacts,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0)
    throw new EmbeddedRefusal(`${folder} is not empty. Choose a new folder for each backup.`)
  const { username, ...where } = target
  const client = new Client({ ...where, user: username })
  client.on('error', () => undefined) // a lost connection also fails the next statement
  await client.connect()
  try {
    await client.query('set statement_timeout = 0; set idle_session_timeout = 0')
    // Keeps the log of all changes during the copy; it ends with the connection.
    await client.query(`select pg_create_physical_replication_slot('backup_${process.pid}', true, true)`)
    await client.query("select pg_backup_start('ots backup', fast => true)")
    await copyFolder(cluster, join(folder, CLUSTER), (path) => path === 'pg_wal')
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    )
    await writeFile(join(folder, CLUSTER, 'backup_label'), rows[0]!.labelfile, { mode: 0o600 })
    await copyFolder(join(cluster, 'pg_wal'), join(folder, CLUSTER, 'pg_wal'))
  } finally {
    await client.end()
  }
  const draft = join(folder, `${MANIFEST}.new`)
  await writeFile(draft, `${JSON.stringify(facts, null, 2)}\n`, { flush: true })
  await rename(draft, join(folder, MANIFEST))
  await syncFolder(folder)
}

/** Reads what a backup says about itself; refuses a folder that holds no complete one. */
export async function readBackup(folder: string): Promise<BackupFacts> {
  const text = await readText(join(folder, MANIFEST))
  if (text === null) throw new EmbeddedRefusal(`${folder} holds no complete backup: it has no ${MANIFEST}.`)
  return JSON.parse(text) as BackupFacts
}

/** Copies the cluster of a backup into an empty folder, which the account owns. */
export async function copyBackup(folder: string, draft: string, account: Account | null): Promise<void> {
  await copyFolder(join(folder, CLUSTER), draft, () => false, account)
}

/** Copies a folder while files come and go in it. `isEmptied` tells of which folders only the name is copied. */
async function copyFolder(
  from: string,
  to: string,
  isEmptied: (path: string) => boolean = () => false,
  account: Account | null = null,
  path = '',
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  if (account) await chown(to, account.uid, account.gid)
  for (const entry of await readdir(from, { withFileTypes: true }).catch(noneIfGone)) {
    const { name } = entry
    const inside = path === '' ? name : `${path}/${name}`
    if (LEFT_OUT.test(name)) continue
    const [source, copy] = [join(from, name), join(to, name)]
    if (entry.isDirectory()) {
      if (EMPTIED.has(inside) || isEmptied(inside)) await mkdir(copy, { mode: 0o700 })
      else await copyFolder(source, copy, isEmptied, account, inside)
      if (account) await chown(copy, account.uid, account.gid)
    } else if (await copied(source, copy)) {
      if (account) await chown(copy, account.uid, account.gid)
    }
  }
  await syncFolder(dirname(to))
}

/** False if the file is gone: what it held is in the log, or no longer needed. */
const copied = (from: string, to: string): Promise<boolean> =>
  copyFile(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )

function noneIfGone(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error
  return []
}
