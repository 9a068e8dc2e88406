import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, unwatchFile, watchFile } from 'node:fs'
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '@order-testing/embedded-postgres'
import { Keyring, type Key } from '../../store/sealing/keyring.ts'
import { keys as listOfKeys, readKey } from './setting-values.ts'
import { ConfigRefusal, type Config } from './settings.ts'

/** How often a running node checks its key file for changes. */
const CHECK_MS = 1_000

/** After this time, every node uses a key that was added to the file. */
export const NOTICED_WITHIN_MS = 3 * CHECK_MS

export interface OpenKeyring {
  keyring: Keyring
  /** Returns the current keys. */
  keys: () => Key[]
  close(): void
}

interface KeyCreation {
  mayCreate?: boolean
  /** Ids of the keys that the database is sealed with: beside it, no other key is created. */
  sealedWith?: string[]
}

/**
 * Opens the keys of OTS_KEYS, the current one first. Without any, a sandbox creates a key in a file of the data folder, and
 * notices when the file gets new keys.
 */
export async function openKeyring(
  config: Config,
  { mayCreate = true, sealedWith = [] }: KeyCreation = {},
): Promise<OpenKeyring> {
  const path = keyFileOf(config)
  if (path === null) return fixedKeys(config.keys)
  if (mayCreate && sealedWith.length > 0 && !existsSync(path)) throw missingKeyFile(path, sealedWith)
  if (mayCreate) await ensureKeyFile(path)
  // A command that only reads seals nothing: any key will do.
  else if (!existsSync(path)) return fixedKeys([readKey(newKey())])
  const reread = () => readKeys(path)
  const keyring = new Keyring(reread(), reread)
  const refresh = () => {
    try {
      keyring.use(reread())
    } catch {
      // If the file is gone or damaged, the known keys stay in use.
    }
  }
  watchFile(path, { interval: CHECK_MS, persistent: false }, refresh)
  return { keyring, keys: reread, close: () => unwatchFile(path, refresh) }
}

/** Where a sandbox keeps the keys it has created; null if OTS_KEYS is set. */
export function keyFileOf({ keys, dataDir }: Config): string | null {
  return keys.length > 0 ? null : join(dataDir, 'keys')
}

/** A new key would be lost when the right ones are copied to their place, with all that it has sealed. */
const missingKeyFile = (path: string, ids: string[]) =>
  new ConfigRefusal(
    `This database is sealed with the ${ids.length === 1 ? 'key' : 'keys'} ${ids.map((id) => `"${id}"`).join(', ')}, but there is no key file ${path}. Copy the key file of the original there, or set OTS_KEYS.`,
  )

/** Puts a new key in front of the others and returns its id. The file never lacks a key that it had. */
export async function addKey(path: string): Promise<string> {
  await ensureKeyFile(path)
  const next = `${path}.new`
  // Created before the keys are read, so that two rotations at once cannot lose each other's key.
  const file = await open(next, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new ConfigRefusal(`Another rotation is running, or was interrupted. If none runs, remove ${next} and retry.`)
  })
  const added = newKey()
  try {
    await file.writeFile(`${added}\n${await readFile(path, 'utf8')}`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
  await syncFolder(dirname(path))
  return readKey(added).id
}

const fixedKeys = (keys: Key[]): OpenKeyring => ({ keyring: new Keyring(keys), keys: () => keys, close: () => {} })

/** One key per line. Never overwrites the file: without its keys, what they sealed is lost. */
async function ensureKeyFile(path: string): Promise<void> {
  await makeFolder(dirname(path))
  const options = { flag: 'wx', mode: 0o600, flush: true }
  await writeFile(path, `${newKey()}\n`, options).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** An id and a secret, as OTS_KEYS lists them. */
export const newKey = () => `${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64url')}`

function readKeys(path: string): Key[] {
  const read = listOfKeys.schema.safeParse(readFileSync(path, 'utf8'))
  const fault = read.success ? 'It has no key.' : read.error.issues[0]!.message
  if (!read.success || read.data.length === 0)
    throw new ConfigRefusal(`The key file ${path} cannot be used. ${fault} Restore it from your backup of the keys.`)
  return read.data
}

/** Without it, a power failure could undo the rename. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
