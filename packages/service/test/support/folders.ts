import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []

/** Makes a temporary folder that other users may enter, because root starts the embedded server as another user. */
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
