import type { ChainedEntry, Link } from '../../domain/audit/chain.ts'
import { MAX_MOVE, type LinkWithEntry } from '../../domain/audit/faults.ts'
import { chained, entryById, type Stored } from './chain.ts'
import { detailsOf, flawOf, openDetails } from './details.ts'
import type { Db } from '../db/db.ts'
import { identifiers, sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** A link with its entry, and what is wrong with the entry's details, if anything. */
export type CheckedLink = LinkWithEntry & { detailsFlaw: string | null }

/** What a check of the audit log reads, a batch at a time. */
export const auditCheck = (db: Db, keyring: Keyring) => ({
  /** Tenants that have, or had, an audit log: also one whose row was removed. Found by jumping from one to the next. */
  /** How many entries there are, as the planner knows: counting them takes as long as checking them. */
  async count(): Promise<number> {
    const [row] = await db<{ entries: number }[]>`
      select greatest(reltuples, 0)::float8 as entries from pg_class where oid = 'audit_entries'::regclass`
    return row!.entries
  },

  async tenants(): Promise<string[]> {
    const firstIn = (table: string) => sql`
      (with recursive found as (
        select (select min(tenant_id) from ${identifiers(table)}) as id
        union all
        select (select min(tenant_id) from ${identifiers(table)} t where t.tenant_id > found.id) from found where found.id is not null)
      select id from found where id is not null)`
    const rows = await db<{ id: string }[]>`
      select id from tenants union ${firstIn('audit_entries')} union ${firstIn('audit_links')} order by id`
    return rows.map(({ id }) => id)
  },

  /** Links after a number, in order, with their entries. */
  async linksAfter(tenantId: string, seq: number, most: number): Promise<CheckedLink[]> {
    const rows = await db<
      (Stored<Link> & Partial<ChainedEntry> & { details: Buffer | null; erasedBy: string | null })[]
    >`
      select l.seq, l.entry_id, encode(l.entry_hash, 'hex') as entry_hash,
        encode(l.previous_hash, 'hex') as previous_hash, encode(l.hash, 'hex') as hash, ${chained()},
        ${detailsOf(keyring, sql`e`)} as details,
        (select x.erased_by from audit_erasures x where x.tenant_id = e.tenant_id and x.entry_id = e.id) as erased_by
      from (
        select * from audit_links where tenant_id = ${tenantId} and seq > ${seq} order by seq limit ${most}) l
      left join lateral (${entryById(sql`l.tenant_id`, sql`l.entry_id`)}) e on true
      order by l.seq`
    const erased = await erasedBy(
      db,
      keyring,
      tenantId,
      rows.flatMap((row) => (row.details === null && row.erasedBy !== null ? [row.erasedBy] : [])),
    )
    return rows.map(({ seq: number, entryId, entryHash, previousHash, hash, details, erasedBy: eraser, ...found }) => {
      const entry = found.id == null ? null : (found as ChainedEntry)
      const isErased = details === null && eraser !== null && erased(eraser, entryId)
      return {
        link: { seq: Number(number), entryId, entryHash, previousHash, hash },
        entry,
        detailsFlaw: entry && !isErased ? flawOf(keyring, entry, details) : null,
      }
    })
  },

  /** The number of the link that was made for an entry with this hash, where it is not far from another. */
  async placeOfEntry(tenantId: string, entryHash: string, near: number): Promise<number | undefined> {
    const [row] = await db<{ seq: string }[]>`
      select seq from audit_links
      where tenant_id = ${tenantId} and seq between ${near - MAX_MOVE} and ${near + MAX_MOVE}
        and entry_hash = decode(${entryHash}, 'hex') limit 1`
    return row && Number(row.seq)
  },

  async hashAt(tenantId: string, seq: number): Promise<string | undefined> {
    const [row] = await db<{ hash: string }[]>`
      select encode(hash, 'hex') as hash from audit_links where tenant_id = ${tenantId} and seq = ${seq}`
    return row?.hash
  },

  /**
   * Entries after an id that have no link though they are older than this many seconds, and where to go on; absent when
   * all were seen.
   */
  async unlinkedAfter(
    tenantId: string,
    after: string,
    { most, olderThan }: { most: number; olderThan: number },
  ): Promise<{ ids: string[]; next: string | undefined }> {
    const [row] = await db<{ ids: string[] | null; last: string | null; seen: number }[]>`
      with seen as materialized (
        select id, at from audit_entries where tenant_id = ${tenantId} and id > ${after} order by id limit ${most})
      select max(id) as last, count(*)::int as seen, array_agg(id order by id) filter (
        where at < now() - make_interval(secs => ${olderThan}) and not exists (
          select from audit_links l where l.tenant_id = ${tenantId} and l.entry_id = seen.id)) as ids
      from seen`
    return { ids: row?.ids ?? [], next: row?.seen === most && row.last !== null ? row.last : undefined }
  },

  /** Of these entries, those that have no link. */
  async withoutLink(tenantId: string, ids: readonly string[]): Promise<string[]> {
    const rows = await db<{ id: string }[]>`
      select id from unnest(${ids}::text[]) as id where not exists (
        select from audit_links l where l.tenant_id = ${tenantId} and l.entry_id = id) order by 1`
    return rows.map(({ id }) => id)
  },
})

const ERASING = ['order.erase', 'order.delete']

/** Tells whether an entry records that the details of another were erased on purpose: it has to name that one. */
async function erasedBy(
  db: Db,
  keyring: Keyring,
  tenantId: string,
  erasers: readonly string[],
): Promise<(eraser: string, entryId: string) => boolean> {
  if (erasers.length === 0) return () => false
  const rows = await db<(ChainedEntry & { details: Buffer | null })[]>`
    select ${chained()}, ${detailsOf(keyring, sql`e`)} as details
    from unnest(${[...new Set(erasers)]}::text[]) as named (id)
    cross join lateral (${entryById(sql`${tenantId}`, sql`named.id`)}) e
    where e.action = any(${ERASING})`
  const named = new Map(
    rows
      .filter(({ details, ...entry }) => flawOf(keyring, entry, details) === null)
      .map(({ details, ...entry }) => [entry.id, erasedDetailsOf(keyring, entry, details)]),
  )
  return (eraser, entryId) => named.get(eraser)?.has(entryId) ?? false
}

const erasedDetailsOf = (keyring: Keyring, entry: ChainedEntry, details: Buffer | null): ReadonlySet<string> => {
  const after = openDetails(keyring, entry, details).after as { erasedDetails?: string[] } | null
  return new Set(after?.erasedDetails)
}
