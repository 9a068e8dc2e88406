import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []

/**
 * A new folder that other users may enter, so that an embedded server which root starts as another user keeps its
 * database in there, and nothing is left elsewhere on the machine.
 */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ots-test-'))
  made.push(folder)
  await chmod(folder, 0o755)
  return folder
}

export function removeFoldersAfterAll(): void {
  afterAll(async () => {
    await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })))
  })
}
