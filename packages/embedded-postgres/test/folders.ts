import { access, chmod, chown, mkdtemp, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll } from 'vitest'
import { listClusters } from '../src/clusters.ts'
import { identify, isAlive } from '../src/identity.ts'
import type { Owner } from '../src/owner.ts'
import { OUTSIDE } from '../src/pointer.ts'
import { startEmbedded } from '../src/server.ts'
import type { EmbeddedTarget } from '../src/target.ts'

/** Limit for conditions that a slow machine takes long to meet. */
export const PATIENT = { timeout: 60_000, interval: 20 }

export const isRoot = process.getuid?.() === 0
export const NOBODY = { uid: 65534, gid: 65534 }

const made: string[] = []

/** A new folder, by default one that others may enter; removed after the tests of the file. */
export async function newFolder(
  options: { mode?: number; user?: { uid: number; gid: number }; parent?: string } = {},
): Promise<string> {
  const folder = await mkdtemp(join(options.parent ?? tmpdir(), 'embedded-test-'))
  made.push(folder)
  await chmod(folder, options.mode ?? 0o755)
  if (options.user) await chown(folder, options.user.uid, options.user.gid)
  return folder
}

export function removeFoldersAfterAll(): void {
  afterAll(async () => {
    const folders = made.splice(0)
    if (isRoot) await removeOutside(folders)
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })))
  })
}

/** Removes only clusters of the tests: others may belong to services on this machine. */
async function removeOutside(folders: string[]): Promise<void> {
  const clusters = (await listClusters()).filter(({ dataDir }) =>
    folders.some((folder) => dataDir?.startsWith(`${folder}/`)),
  )
  await Promise.all(clusters.map(({ folder }) => rm(folder, { recursive: true, force: true })))
  await rmdir(OUTSIDE).catch(() => undefined)
}

/** The path of a data folder, not created yet, below one that only root may enter. Its cluster is on the same filesystem. */
export async function closedDataDir(): Promise<string> {
  return join(await newFolder({ mode: 0o700, parent: '/tmp' }), 'data')
}

/** A data folder with a database, for tests that are not about the first start. */
export async function newDataDir(): Promise<string> {
  const dataDir = await newFolder()
  await (await startEmbedded({ dataDir })).stop()
  return dataDir
}

/** Fails until initdb has begun to fill the draft of a cluster in this folder; to be retried. */
export async function untilInitdb(folder: string): Promise<void> {
  const draft = (await readdir(folder)).find((name) => name.startsWith('postgres.new-'))
  await access(join(folder, draft ?? 'none', 'PG_VERSION'))
}

/** The rows that a statement returns, on its own connection. */
export async function query({ username, ...where }: EmbeddedTarget, statement: string): Promise<unknown[]> {
  const client = new Client({ ...where, user: username })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

export async function ownerOn(dataDir: string): Promise<Owner> {
  return JSON.parse(await readFile(join(dataDir, 'postgres.owner'), 'utf8')) as Owner
}

export function isRunning(pid: number): boolean {
  return isAlive(identify(pid))
}
