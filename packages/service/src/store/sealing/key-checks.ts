import type { Db } from '../db/db.ts'
import type { Keyring } from './keyring.ts'

const CONTEXT = 'key check'
const TEXT = 'This key is the right one.'

/** Ids of the keys that values may be sealed with. */
export const keyIdsIn = (db: Db): Promise<string[]> => db.values`select key_id from key_checks order by key_id`

/** Checks at a start that the keys are those that the database was sealed with. */
export const keyChecks = (db: Db, keyring: Keyring) => ({
  /** The ids of all keys of the settings, the current one first. */
  ids: () => keyring.ids,

  /** The id of the key that new values are sealed with. */
  currentId: () => keyring.currentId,

  /** Ids of keys that values may be sealed with, but that are not set or have another secret now. */
  async wrong(): Promise<string[]> {
    const rows = await db<{ keyId: string; sealed: Buffer }[]>`select key_id, sealed from key_checks order by key_id`
    return rows.filter(({ sealed }) => !canOpen(keyring, sealed)).map(({ keyId }) => keyId)
  },

  /** Notes that values may be sealed with the current key from now on. */
  async note(): Promise<void> {
    await db`
      insert into key_checks (key_id, sealed) values (${keyring.currentId}, ${keyring.seal(TEXT, CONTEXT)})
      on conflict do nothing`
  },

  /** Notes that no value is sealed with any other key any more. */
  async forgetOthers(): Promise<void> {
    await db`delete from key_checks where key_id <> ${keyring.currentId}`
  },
})

function canOpen(keyring: Keyring, sealed: Buffer): boolean {
  try {
    return keyring.open(sealed, CONTEXT) === TEXT
  } catch {
    return false
  }
}
