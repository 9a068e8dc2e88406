import { checkpointPayload, type Checkpoint } from '../../domain/audit/chain.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { selectSubjects } from '../orders/subjects.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { entryById, lockChain } from './chain.ts'

type StoredCheckpoint = Checkpoint & { keyId: string; signature: Buffer }

const CHECKPOINT = sql`tenant_id, c.seq::float8 as seq, encode(hash, 'hex') as hash, until, key_id, signature`

/** A checkpoint and whether its signature is valid; undefined if the signing key is not configured. */
export type VerifiedCheckpoint = Checkpoint & { isGenuine: boolean | undefined }

/** Replaces old entries of the audit log by signed checkpoints. Only the owner of the schema can. */
export const auditPruning = (db: Db, keyring: Keyring) => ({
  /** Whether the current role may delete entries and details. */
  async isAllowed(): Promise<boolean> {
    const { allowed } = await db.only<{
      allowed: boolean
    }>`select has_table_privilege('audit_entries', 'delete') as allowed`
    return allowed
  },

  /**
   * Finds the last link that can be pruned, of the oldest month or of all before a time, and counts the links up to it. Links
   * from the first entry about an order on legal hold onwards stay. Reads every prunable link, so it needs a transaction
   * without a time limit.
   */
  findPrunable(
    tenantId: string,
    before: Date,
    span: 'month' | 'all',
  ): Promise<(Checkpoint & { links: number }) | undefined> {
    // Not materialized: reads links only as far as needed.
    return db.first<Checkpoint & { links: number }>`
      with link as not materialized (
        select l.seq, e.at from audit_links l
        cross join lateral (${entryById(sql`l.tenant_id`, sql`l.entry_id`)}) e
        where l.tenant_id = ${tenantId}),
      until as materialized (
        select seq, ${
          span === 'all'
            ? sql`${before}::timestamptz`
            : sql`least((date_trunc('month', at at time zone 'UTC') + interval '1 month') at time zone 'UTC', ${before}::timestamptz)`
        } as at
        from link order by seq limit 1),
      young as materialized (
        select link.seq from link where link.at >= (select at from until) order by link.seq limit 1),
      held as materialized (
        select min(l.seq) as seq
        from (${selectSubjects(tenantId, sql`select order_id from legal_holds where tenant_id = ${tenantId}`)}) s
        cross join lateral (
          select id from audit_entries where tenant_id = ${tenantId} and subject_id = s.subject_id offset 0) e
        join audit_links l on l.tenant_id = ${tenantId} and l.entry_id = e.id)
      select l.tenant_id, l.seq::float8 as seq, encode(l.hash, 'hex') as hash, until.at as until, (l.seq - until.seq + 1)::int as links
      from audit_links l, until
      where l.tenant_id = ${tenantId}
        and l.seq < coalesce(least((select seq from young), (select seq from held)), l.seq + 1)
      order by l.seq desc limit 1`
  },

  /** Waits for any other transaction that links or prunes entries of this tenant. Must run in a transaction. */
  lock: (tenantId: string): Promise<void> => lockChain(db, tenantId),

  /** Deletes everything up to a checkpoint and stores it. Must run in a transaction that has locked the chain. */
  async prune(checkpoint: Checkpoint): Promise<void> {
    const { tenantId, seq } = checkpoint
    await insertCheckpoint(db, keyring, checkpoint)
    await db.script(`set local ots.pruning = 'on'`)
    const pruned = sql`select entry_id from audit_links where tenant_id = ${tenantId} and seq <= ${seq}`
    await db`delete from audit_details where tenant_id = ${tenantId} and entry_id in (${pruned})`
    await db`delete from audit_erasures where tenant_id = ${tenantId} and entry_id in (${pruned})`
    await db`delete from audit_entries where tenant_id = ${tenantId} and id in (${pruned})`
    await db`delete from audit_links where tenant_id = ${tenantId} and seq <= ${seq}`
    await db.script(`set local ots.pruning = 'off'`)
  },

  /** Reads the checkpoint at which the chain starts: the one before the first link, or the last one if no link is left. */
  async readCheckpoint(tenantId: string): Promise<VerifiedCheckpoint | undefined> {
    const rows = await db<StoredCheckpoint[]>`
      select ${CHECKPOINT} from audit_checkpoints c
      where tenant_id = ${tenantId} and seq = coalesce(
        (select min(seq) - 1 from audit_links where tenant_id = ${tenantId}),
        (select max(seq) from audit_checkpoints where tenant_id = ${tenantId}))
      order by key_id = ${keyring.currentId} desc`
    const found = rows.map(({ keyId, signature, ...checkpoint }) => ({
      ...checkpoint,
      isGenuine: keyring.isSigned(checkpointPayload(checkpoint), { keyId, signature }),
    }))
    return found.find(({ isGenuine }) => isGenuine !== undefined) ?? found[0]
  },

  /**
   * Signs checkpoints with the current key and returns how many remain unsigned. Only the owner of the schema may sign, and
   * only checkpoints with a valid signature of a configured key.
   */
  async resign(): Promise<number> {
    const rows = await db<StoredCheckpoint[]>`
      select ${CHECKPOINT} from audit_checkpoints c
      where not exists (
        select from audit_checkpoints s
        where s.tenant_id = c.tenant_id and s.seq = c.seq and s.key_id = ${keyring.currentId})`
    const { may } = await db.only<{ may: boolean }>`select has_table_privilege('audit_checkpoints', 'insert') as may`
    // A checkpoint may have signatures of several keys.
    const unsigned = new Set(rows.map((row) => keyOf(row)))
    for (const row of may ? rows : []) {
      if (!unsigned.has(keyOf(row)) || !keyring.isSigned(checkpointPayload(row), row)) continue
      await insertCheckpoint(db, keyring, row, sql`on conflict do nothing`)
      unsigned.delete(keyOf(row))
    }
    return unsigned.size
  },

  /** Returns, per order, the ids of the entries with details about the order or anything that belongs to it. */
  async findDetailedEntries(tenantId: string, orderIds: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await db<{ orderId: string; ids: string[] }[]>`
      select s.order_id, array_agg(e.id order by e.id) as ids
      from (${selectSubjects(tenantId, sql`select unnest(${orderIds}::text[]) collate "C" as order_id`)}) s
      cross join lateral (
        select id from audit_entries
        where tenant_id = ${tenantId} and subject_id = s.subject_id and details_hash is not null offset 0) e
      group by s.order_id`
    return new Map(rows.map(({ orderId, ids }) => [orderId, ids]))
  },

  /** Deletes the details of entries and stores which entry records this. */
  async eraseDetails(tenantId: string, entryIds: readonly string[], erasedBy: string): Promise<void> {
    await db`
      with gone as (delete from audit_details where tenant_id = ${tenantId} and entry_id = any(${entryIds}))
      insert into audit_erasures (tenant_id, entry_id, erased_by)
      select ${tenantId}, id, ${erasedBy} from unnest(${entryIds}::text[]) as id on conflict do nothing`
  },
})

const keyOf = ({ tenantId, seq }: Pick<StoredCheckpoint, 'tenantId' | 'seq'>) => JSON.stringify([tenantId, seq])

async function insertCheckpoint(db: Db, keyring: Keyring, checkpoint: Checkpoint, onConflict = sql``): Promise<void> {
  const { tenantId, seq, hash, until } = checkpoint
  const { keyId, signature } = keyring.sign(checkpointPayload(checkpoint))
  await db`
    insert into audit_checkpoints (tenant_id, seq, key_id, hash, until, signature)
    values (${tenantId}, ${seq}, ${keyId}, decode(${hash}, 'hex'), ${until}, ${signature}) ${onConflict}`
}
