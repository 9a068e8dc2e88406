import type { Db } from '../db/db.ts'
import type { Keyring } from './keyring.ts'

export interface NodeRow {
  /** Host and process id. */
  name: string
  role: string
  version: string
  /** The keys that it can open values with, the current one first. */
  keyIds: string[]
}

/** A process that has been silent for this long is taken to have ended. */
const LIVE_SECONDS = 30

/** The processes that are running, as they announce themselves. */
export const nodes = (db: Db, keyring: Keyring) => ({
  async announce(id: string, { name, role, version }: Omit<NodeRow, 'keyIds'>): Promise<void> {
    await db`
      insert into nodes (id, name, role, version, key_ids, seen_at)
      values (${id}, ${name}, ${role}, ${version}, ${keyring.ids}::text[], now())
      on conflict (id) do update set key_ids = excluded.key_ids, seen_at = excluded.seen_at`
    await db`delete from nodes where seen_at < now() - ${LIVE_SECONDS} * interval '1 second'`
  },

  async forget(id: string): Promise<void> {
    await db`delete from nodes where id = ${id}`
  },

  live: () => db<NodeRow[]>`
    select name, role, version, key_ids from nodes
    where seen_at >= now() - ${LIVE_SECONDS} * interval '1 second' order by name, id`,
})
