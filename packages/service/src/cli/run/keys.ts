import { randomBytes } from 'node:crypto'
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Keyring, type Key } from '../../store/sealing/keyring.ts'
import { ConfigRefusal, readKey, type Config } from './settings.ts'

/** How often a running node looks whether its key file has changed. */
const LOOK_EVERY_MS = 1_000

/** After this long every node works with a key that was added to the file. */
export const NOTICED_WITHIN_MS = 3 * LOOK_EVERY_MS

export interface OpenKeyring {
  keyring: Keyring
  /** The keys as they are now. */
  keys: () => Key[]
  close(): void
}

/**
 * The keys of the settings, the current one first; a sandbox without any makes its own and keeps it in a file, which
 * may get new keys while it is in use.
 */
export async function openKeyring(config: Config): Promise<OpenKeyring> {
  const path = keyFileOf(config)
  if (path === null) return { keyring: new Keyring(config.keys), keys: () => config.keys, close: () => {} }
  await makeKeyFile(path)
  const reread = () => readKeys(readFileSync(path, 'utf8'))
  const keyring = new Keyring(reread(), reread)
  const look = () => {
    try {
      keyring.use(reread())
    } catch {
      // A file that is gone or damaged takes no key from those who have it.
    }
  }
  watchFile(path, { interval: LOOK_EVERY_MS, persistent: false }, look)
  return { keyring, keys: reread, close: () => unwatchFile(path, look) }
}

/** Where a sandbox keeps the keys it has made; null where the settings name keys. */
export function keyFileOf({ keys, dataDir }: Config): string | null {
  return keys.length > 0 ? null : join(dataDir, 'keys')
}

/** Puts a new key in front of the others and gives its id. No moment passes in which the file lacks a key it had. */
export async function addKey(path: string): Promise<string> {
  await makeKeyFile(path)
  const next = `${path}.new`
  // Made before the keys are read: of two who do this at once, one would lose the key of the other.
  const file = await open(next, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new ConfigRefusal(`Another rotation is under way, or was cut short: then remove ${next} and try again.`)
  })
  const made = newKey()
  try {
    await file.writeFile(`${made}\n${await readFile(path, 'utf8')}`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
  await syncFolder(dirname(path))
  return readKey(made).id
}

/** One key a line. Losing the file is losing what was sealed with it, so it is never overwritten. */
async function makeKeyFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const options = { flag: 'wx', mode: 0o600, flush: true }
  await writeFile(path, `${newKey()}\n`, options).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

const newKey = () => `${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64url')}`

const readKeys = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => readKey(line))

/** A new name of a file outlives a power cut only when its folder is written too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
