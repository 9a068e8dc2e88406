import type { ChainedEntry, Link } from '../domain/audit-chain.ts'
import type { FoundLink } from '../domain/audit-faults.ts'
import { chained, entryById, type Stored } from './audit-chain.ts'
import { detailsOf, flawOf } from './audit-details.ts'
import type { Db } from './db/pool.ts'
import { identifiers, sql } from './db/sql.ts'
import type { Keyring } from './keyring.ts'

/** A link with its entry, and what is wrong with the entry's details, if anything. */
export type CheckedLink = FoundLink & { detailsFlaw: string | null }

/** What a check of the audit log reads, a batch at a time. */
export const auditCheck = (db: Db, keyring: Keyring) => ({
  /** Tenants that have, or had, an audit log: also one whose row was removed. Found by jumping from one to the next. */
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
    const rows = await db<(Stored<Link> & Partial<ChainedEntry> & { details: Buffer | null; isErased: boolean })[]>`
      select l.seq, l.entry_id, encode(l.entry_hash, 'hex') as entry_hash,
        encode(l.previous_hash, 'hex') as previous_hash, encode(l.hash, 'hex') as hash, ${chained()},
        ${detailsOf(keyring, sql`e`)} as details, ${isErased()} as is_erased
      from (
        select * from audit_links where tenant_id = ${tenantId} and seq > ${seq} order by seq limit ${most}) l
      left join lateral (${entryById(sql`l.tenant_id`, sql`l.entry_id`)}) e on true
      order by l.seq`
    return rows.map(
      ({ seq: number, entryId, entryHash, previousHash, hash, details, isErased: wasErased, ...found }) => {
        const entry = found.id == null ? null : (found as ChainedEntry)
        return {
          link: { seq: Number(number), entryId, entryHash, previousHash, hash },
          entry,
          detailsFlaw: entry && !(wasErased && details === null) ? flawOf(keyring, entry, details) : null,
        }
      },
    )
  },

  /** The number of the link that was made for an entry with this hash. */
  async placeOfEntry(tenantId: string, entryHash: string): Promise<number | undefined> {
    const [row] = await db<{ seq: string }[]>`
      select seq from audit_links where tenant_id = ${tenantId} and entry_hash = decode(${entryHash}, 'hex') limit 1`
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

/** Whether the details of an entry `e` were erased on purpose: another entry of the log records it. */
const isErased = () => sql`
  exists (
    select from audit_erasures x join audit_entries r on r.tenant_id = x.tenant_id and r.id = x.erased_by
    where x.tenant_id = e.tenant_id and x.entry_id = e.id and r.action = 'order.erase')`
