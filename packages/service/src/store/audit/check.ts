import type { ChainedEntry, Link } from '../../domain/audit/chain.ts'
import { MAX_MOVE, type LinkWithEntry } from '../../domain/audit/faults.ts'
import type { Db } from '../db/db.ts'
import { identifiers, sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { chainedColumns, entryById } from './chain.ts'
import { selectDetails, findDefect, openDetails } from './details.ts'

/** A link with its entry and the defect of the entry's details, if any. */
export type CheckedLink = LinkWithEntry & { detailsDefect: string | null }

/** Reads the audit log for verification, in batches. */
export const auditCheck = (db: Db, keyring: Keyring) => ({
  /** The planner's estimate of the number of entries; an exact count takes as long as a verification. */
  async count(): Promise<number> {
    const { entries } = await db.only<{ entries: number }>`
      select sum(greatest(reltuples, 0))::float8 as entries
      from pg_inherits join pg_class on oid = inhrelid where inhparent = 'audit_entries'::regclass`
    return entries
  },

  /** Tenants with an audit log, including ones whose row was removed. Skips through the index from one tenant to the next. */
  tenants(): Promise<string[]> {
    const tenantsIn = (table: string) => sql`
      (with recursive found as (
        select (select min(tenant_id) from ${identifiers(table)}) as id
        union all
        select (select min(tenant_id) from ${identifiers(table)} t where t.tenant_id > found.id) from found where found.id is not null)
      select id from found where id is not null)`
    return db.values`
      select id from tenants union ${tenantsIn('audit_entries')} union ${tenantsIn('audit_links')}
      union ${tenantsIn('audit_details')} order by id`
  },

  async linksAfter(tenantId: string, seq: number, most: number): Promise<CheckedLink[]> {
    const rows = await db<(Link & Partial<ChainedEntry> & { details: Buffer | null; erasedBy: string | null })[]>`
      select l.seq::float8 as seq, l.entry_id, encode(l.entry_hash, 'hex') as entry_hash,
        encode(l.previous_hash, 'hex') as previous_hash, encode(l.hash, 'hex') as hash, ${chainedColumns()},
        ${selectDetails(keyring, sql`e`)} as details,
        (select x.erased_by from audit_erasures x where x.tenant_id = e.tenant_id and x.entry_id = e.id) as erased_by
      from (
        select * from audit_links where tenant_id = ${tenantId} and seq > ${seq} order by seq limit ${most}) l
      left join lateral (${entryById(sql`l.tenant_id`, sql`l.entry_id`)}) e on true
      order by l.seq`
    const erasers = rows.flatMap((row) => (row.details === null && row.erasedBy !== null ? [row.erasedBy] : []))
    const isErasedBy = await readErasures(db, keyring, tenantId, erasers)
    return rows.map(({ seq: number, entryId, entryHash, previousHash, hash, details, erasedBy: eraser, ...found }) => {
      const entry = found.id == null ? null : (found as ChainedEntry)
      const isErased = details === null && eraser !== null && isErasedBy(eraser, entryId)
      return {
        link: { seq: number, entryId, entryHash, previousHash, hash },
        entry,
        detailsDefect: entry && !isErased ? findDefect(keyring, entry, details) : null,
      }
    })
  },

  /** Finds the link that was made for an entry with this hash, near another link. */
  async findSeqOfEntry(tenantId: string, entryHash: string, near: number): Promise<number | undefined> {
    const [seq] = await db.values<number>`
      select seq::float8 from audit_links
      where tenant_id = ${tenantId} and seq between ${near - MAX_MOVE} and ${near + MAX_MOVE}
        and entry_hash = decode(${entryHash}, 'hex') limit 1`
    return seq
  },

  async hashAt(tenantId: string, seq: number): Promise<string | undefined> {
    const [hash] = await db.values`
      select encode(hash, 'hex') as hash from audit_links where tenant_id = ${tenantId} and seq = ${seq}`
    return hash
  },

  /** Unlinked entries older than `olderThan` seconds, after an id; `next` is undefined after the last batch. */
  async unlinkedAfter(
    tenantId: string,
    after: string,
    { most, olderThan }: { most: number; olderThan: number },
  ): Promise<{ ids: string[]; seen: number; next: string | undefined }> {
    const { ids, last, seen } = await db.only<{ ids: string[] | null; last: string | null; seen: number }>`
      with seen as materialized (
        select id, at from audit_entries where tenant_id = ${tenantId} and id > ${after} order by id limit ${most})
      select max(id) as last, count(*)::int as seen, array_agg(id order by id) filter (
        where at < now() - make_interval(secs => ${olderThan}) and not exists (
          select from audit_links l where l.tenant_id = ${tenantId} and l.entry_id = seen.id)) as ids
      from seen`
    return { ids: ids ?? [], seen, next: seen === most && last !== null ? last : undefined }
  },

  /** Entries that are gone but have left details, which are sealed and so cannot be made up. */
  detailsWithoutEntry: (tenantId: string, most: number) => db.values`
      select distinct entry_id from audit_details d where tenant_id = ${tenantId} and not exists (
        select from audit_entries e where e.tenant_id = d.tenant_id and e.id = d.entry_id)
      order by 1 limit ${most}`,

  /** Entries between two ids that are gone, with their links, but have left details; `to` is undefined for all later ones. */
  lostEntriesBetween: (tenantId: string, { after, to }: { after: string; to: string | undefined }, most: number) =>
    db.values`
      select distinct entry_id from audit_details d
      where tenant_id = ${tenantId} and entry_id > ${after} and (${to ?? null}::text is null or entry_id <= ${to ?? null})
        and not exists (select from audit_entries e where e.tenant_id = d.tenant_id and e.id = d.entry_id)
        and not exists (select from audit_links l where l.tenant_id = d.tenant_id and l.entry_id = d.entry_id)
      order by 1 limit ${most}`,

  /** Returns those of the entries that have no link. */
  filterUnlinked: (tenantId: string, ids: readonly string[]) => db.values`
      select id from unnest(${ids}::text[]) as id where not exists (
        select from audit_links l where l.tenant_id = ${tenantId} and l.entry_id = id) order by 1`,
})

const ERASING_ACTIONS = ['order.erase', 'order.delete']

/** Returns a check whether an intact erasure entry names an entry as one whose details it erased. */
async function readErasures(
  db: Db,
  keyring: Keyring,
  tenantId: string,
  erasers: readonly string[],
): Promise<(eraser: string, entryId: string) => boolean> {
  if (erasers.length === 0) return () => false
  const rows = await db<(ChainedEntry & { details: Buffer | null })[]>`
    select ${chainedColumns()}, ${selectDetails(keyring, sql`e`)} as details
    from unnest(${[...new Set(erasers)]}::text[]) as named (id)
    cross join lateral (${entryById(sql`${tenantId}`, sql`named.id`)}) e
    where e.action = any(${ERASING_ACTIONS})`
  const named = new Map(
    rows
      .filter(({ details, ...entry }) => findDefect(keyring, entry, details) === null)
      .map(({ details, ...entry }) => [entry.id, readErasedDetails(keyring, entry, details)]),
  )
  return (eraser, entryId) => named.get(eraser)?.has(entryId) ?? false
}

function readErasedDetails(keyring: Keyring, entry: ChainedEntry, details: Buffer | null): ReadonlySet<string> {
  const after = openDetails(keyring, entry, details).after as { erasedDetails?: string[] } | null
  return new Set(after?.erasedDetails)
}
