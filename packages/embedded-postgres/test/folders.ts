import { chmod, chown, mkdtemp, readFile, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll } from 'vitest'
import { listClusters } from '../src/clusters.ts'
import { identify, isAlive } from '../src/identity.ts'
import type { Owner } from '../src/owner.ts'
import { OUTSIDE } from '../src/pointer.ts'
import { type EmbeddedTarget, startEmbedded } from '../src/server.ts'

export const isRoot = process.getuid?.() === 0
export const NOBODY = { uid: 65534, gid: 65534 }

const made: string[] = []

/** A new folder that others may enter unless told otherwise; gone after the tests of the file. */
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

/** Removes only clusters of the tests' own folders: others may belong to services on this machine. */
async function removeOutside(folders: string[]): Promise<void> {
  const clusters = (await listClusters()).filter(({ dataDir }) =>
    folders.some((folder) => dataDir?.startsWith(`${folder}/`)),
  )
  await Promise.all(clusters.map(({ folder }) => rm(folder, { recursive: true, force: true })))
  await rmdir(OUTSIDE).catch(() => undefined)
}

/** A data folder, not made yet, below one that only root may enter. */
export async function closedDataDir(): Promise<string> {
  return join(await newFolder({ mode: 0o700 }), 'data')
}

/** With a database, so that a test which is not about the first start need not wait for one. */
export async function newDataDir(): Promise<string> {
  const dataDir = await newFolder()
  await (await startEmbedded({ dataDir })).stop()
  return dataDir
}

/** The rows that one statement returns, on a connection of its own. */
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
