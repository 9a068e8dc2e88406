import { linkEntries, startChain, type ChainedEntry, type Head } from '../../domain/audit/chain.ts'
import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'

/** Entries linked per transaction. */
export const LINKED_AT_ONCE = 1_000

export interface ChainHead extends Head {
  entryId: string | null
  linkedAt: Date | null
}

/** The hash chain of each tenant, which makes tampering with the audit log detectable. */
export const auditChain = (db: Db) => ({
  /** Tenants with entries that have no link yet. */
  tenantsToLink: () => db.values`select distinct tenant_id from audit_unlinked order by 1`,

  /**
   * Links committed entries in the order of their ids and returns their number. Returns 0 if another process is linking this
   * tenant. Must run in a transaction.
   */
  async link(tenantId: string): Promise<number> {
    const lock = await db.only<{ got: boolean }>`select pg_try_advisory_xact_lock(${lockKeys(tenantId)}) as got`
    if (!lock.got) return 0
    const head = await readHead(db, tenantId)
    const queued = await db<(ChainedEntry & { isLinked: boolean })[]>`
      select ${chainedColumns()}, exists (
        select from audit_links l where l.tenant_id = e.tenant_id and l.entry_id = e.id) as is_linked
      from (select entry_id from audit_unlinked where tenant_id = ${tenantId} order by entry_id limit ${LINKED_AT_ONCE}) u
      cross join lateral (${entryById(sql`${tenantId}`, sql`u.entry_id`)}) e order by e.id`
    if (queued.length === 0) return 0
    const links = linkEntries(
      head,
      queued.filter(({ isLinked }) => !isLinked),
    )
    if (links.length > 0)
      await db`
        insert into audit_links (tenant_id, seq, entry_id, entry_hash, previous_hash, hash)
        select ${tenantId}, seq, entry_id, decode(entry_hash, 'hex'), decode(previous_hash, 'hex'), decode(hash, 'hex')
        from ${givenRows(links, { bigint: ['seq'], text: ['entryId', 'entryHash', 'previousHash', 'hash'] })}`
    await db`
      delete from audit_unlinked where tenant_id = ${tenantId} and entry_id = any(${queued.map(({ id }) => id)})`
    return queued.length
  },

  head: (tenantId: string): Promise<ChainHead> => readHead(db, tenantId),

  /** Age of the oldest unlinked entry in seconds; 0 if there is none. */
  async linkingDelay(): Promise<number> {
    const { age } = await db.only<{ age: number }>`
      select coalesce(extract(epoch from now() - min(e.at)), 0)::float8 as age
      from audit_unlinked u join audit_entries e on e.tenant_id = u.tenant_id and e.id = u.entry_id`
    return Math.max(0, age)
  },
})

/** The hashed columns of an entry `e`. */
export const chainedColumns = (): Statement => sql`
  e.tenant_id, e.id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, e.token_id, e.os_user, e.host,
  e.action, e.subject_type, e.subject_id, encode(e.details_hash, 'hex') as details_hash, e.user_id`

/** `offset 0` makes the planner look up each entry by its key, whatever its estimate of the table size. */
export const entryById = (tenantId: Statement, id: Statement): Statement =>
  sql`select * from audit_entries where tenant_id = ${tenantId} and id = ${id} offset 0`

/** Waits for any other transaction that links or prunes entries of this tenant. */
export async function lockChain(db: Db, tenantId: string): Promise<void> {
  await db`select pg_advisory_xact_lock(${lockKeys(tenantId)})`
}

const lockKeys = (tenantId: string): Statement => sql`hashtext('order-testing-audit'), hashtext(${tenantId})`

/** Reads the last link, or the last checkpoint if all links were pruned. */
async function readHead(db: Db, tenantId: string): Promise<ChainHead> {
  const head = await db.first<ChainHead>`
    (select l.seq::float8 as seq, encode(hash, 'hex') as hash, entry_id, linked_at from audit_links l
     where tenant_id = ${tenantId} order by l.seq desc limit 1)
    union all
    (select c.seq::float8 as seq, encode(hash, 'hex') as hash, null, null from audit_checkpoints c
     where tenant_id = ${tenantId} order by c.seq desc limit 1)
    order by seq desc limit 1`
  return head ?? { ...startChain(tenantId), entryId: null, linkedAt: null }
}
