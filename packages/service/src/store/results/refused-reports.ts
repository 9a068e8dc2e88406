import { createHash } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { pageOf, type Filter, type Page, type PageRequest } from '../db/page.ts'
import { andEqual, sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

export interface RefusedMessageRow {
  tenantId: string
  id: string
  tokenId: string
  door: 'http' | 'mllp'
  code: 'AE' | 'AR'
  reason: string
  sender: string
  controlId: string
  address: string | null
  size: number
  count: number
  firstAt: Date
  lastAt: Date
}

export interface NewRefusedMessage extends Omit<RefusedMessageRow, 'count' | 'firstAt' | 'lastAt' | 'size'> {
  at: Date
  bytes: Buffer
}

/** Stored per message. */
const KEPT_BYTES = 64 * 1024

/** Rows deleted per statement. */
const DELETED = 500

const COLUMNS = sql`
  tenant_id, id, token_id, door, code, reason, sender, control_id, address, size, count, first_at, last_at`

/** HL7 messages that were refused. */
export const refusedMessages = (db: Db, keyring: Keyring) => ({
  /** Stores a message, or counts it if the same bytes came before with the same token. */
  async record({ bytes, at, ...row }: NewRefusedMessage): Promise<void> {
    const hash = keyring.hash(createHash('sha256').update(bytes).digest('hex'))
    const content = keyring.seal(bytes.subarray(0, KEPT_BYTES), refusedContext(row))
    await db`
      insert into refused_reports (tenant_id, id, token_id, door, code, reason, sender, control_id, address, size,
        content_hash, content, first_at, last_at)
      values (${row.tenantId}, ${row.id}, ${row.tokenId}, ${row.door}, ${row.code}, ${row.reason}, ${row.sender},
        ${row.controlId}, ${row.address}, ${bytes.length}, ${hash.toString()}::bigint, ${content}, ${at}, ${at})
      on conflict (tenant_id, token_id, content_hash) do update set count = refused_reports.count + 1,
        last_at = excluded.last_at, door = excluded.door, code = excluded.code, reason = excluded.reason,
        address = excluded.address`
  },

  page: (
    tenantId: string,
    { door, ...page }: PageRequest & Filter<'door', RefusedMessageRow['door']>,
  ): Promise<Page<RefusedMessageRow>> =>
    pageOf<RefusedMessageRow>(db, page, {
      from: sql`from refused_reports where tenant_id = ${tenantId} ${andEqual({ door })}`,
      order: sql`last_at desc, id desc`,
      pick: COLUMNS,
    }),

  /** With the stored part of its bytes. */
  async read(tenantId: string, id: string): Promise<(RefusedMessageRow & { bytes: Buffer }) | undefined> {
    const row = await db.first<RefusedMessageRow & { content: Buffer }>`
      select ${COLUMNS}, content from refused_reports where tenant_id = ${tenantId} and id = ${id}`
    if (!row) return undefined
    const { content, ...rest } = row
    return { ...rest, bytes: keyring.openBytes(content, refusedContext(rest)) }
  },

  /** Deletes a batch of messages that were last seen more than 30 days ago. True if there may be more. */
  async forgetOld(): Promise<boolean> {
    const count = await db.count`
      delete from refused_reports where (tenant_id, id) in (
        select tenant_id, id from refused_reports where last_at < now() - interval '30 days' limit ${DELETED})`
    return count === DELETED
  },
})

export const refusedContext = ({ tenantId, id }: { tenantId: string; id: string }) => `refused ${tenantId} ${id}`
