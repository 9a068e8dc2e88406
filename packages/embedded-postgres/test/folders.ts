import { chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll } from 'vitest'
import { identify, isAlive } from '../src/identity.ts'
import type { Owner } from '../src/owner.ts'
import { type EmbeddedTarget, startEmbedded } from '../src/server.ts'

export const isRoot = process.getuid?.() === 0
export const NOBODY = { uid: 65534, gid: 65534 }

const made: string[] = []

/** A new folder, closed to others unless told otherwise; gone after the tests of the file. */
export async function newFolder(options: { mode?: number; user?: { uid: number; gid: number } } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-test-'))
  made.push(folder)
  await chmod(folder, options.mode ?? 0o755)
  if (options.user) await chown(folder, options.user.uid, options.user.gid)
  return folder
}

export function removeFoldersAfterAll(): void {
  afterAll(async () => {
    await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })))
  })
}

/** With a database, so that a test which is not about the first start need not wait for one. */
export async function newDataDir(): Promise<string> {
  const dataDir = await newFolder()
  await (await startEmbedded({ dataDir })).stop()
  return dataDir
}

/** The rows that one statement returns, on a connection of its own. */
export async function query({ username, ...where }: EmbeddedTarget, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ ...where, user: username })
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
