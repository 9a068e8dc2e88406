import { idFloor } from '../../domain/ids.ts'
import { detailsOf, openDetails, sealDetails, type AuditDetails } from './details.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { columnsOf } from '../db/arrays.ts'
import { pageOf, type Page, type PageRequest } from '../db/page.ts'

/** Who did what to what, when and why. */
export interface AuditRow extends AuditDetails {
  tenantId: string
  id: string
  at: Date
  tokenId: string
  /** Of a command that works on the database directly: who ran it, and where. */
  osUser?: string | null
  host?: string | null
  action: string
  subjectType: string
  subjectId: string
}

export interface AuditFilter extends PageRequest {
  action?: string | undefined
  subjectId?: string | undefined
  tokenId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

const COLUMNS = sql`tenant_id, id, at, token_id, os_user, host, action, subject_type, subject_id`

type StoredRow = Omit<AuditRow, keyof AuditDetails> & { content: Buffer | null }

/** The audit log. Nothing here changes or removes an entry, and the database would refuse it. */
export const audit = (db: Db, keyring: Keyring) => {
  const open = ({ content, ...row }: StoredRow): AuditRow => ({ ...row, ...openDetails(keyring, row, content) })

  return {
    /** Records entries; a background task links them to the chain once they are committed. */
    async note(entries: AuditRow[]): Promise<void> {
      const rows = entries.map((entry) => ({ ...entry, details: sealDetails(keyring, entry) }))
      const detailed = rows.flatMap(({ tenantId, id, details }) => (details ? [{ tenantId, id, details }] : []))
      const column = columnsOf(detailed)
      const insertion = insertionOf(rows.map(({ details, ...row }) => ({ ...row, detailsHash: details?.hash ?? null })))
      if (detailed.length === 0) await db`${insertion}`
      else
        await db`
          with detailed as (
            insert into audit_details (tenant_id, entry_id, key_id, content)
            select tenant_id, id, ${keyring.currentId}, decode(content, 'hex')
            from unnest(
              ${column(({ tenantId }) => tenantId)}::text[],
              ${column(({ id }) => id)}::text[],
              ${column(({ details }) => details.content)}::text[]
            ) as given (tenant_id, id, content))
          ${insertion}`
    },

    async page(
      tenantId: string,
      { action, subjectId, tokenId, from, to, ...page }: AuditFilter,
    ): Promise<Page<AuditRow>> {
      const { rows, total } = await pageOf<StoredRow>(db, page, {
        from: sql`from audit_entries where tenant_id = ${tenantId}
          ${action === undefined ? sql`` : sql`and action = ${action}`}
          ${subjectId === undefined ? sql`` : sql`and subject_id = ${subjectId}`}
          ${tokenId === undefined ? sql`` : sql`and token_id = ${tokenId}`}
          ${from === undefined ? sql`` : sql`and id >= ${idFloor('aud', new Date(from))}`}
          ${to === undefined ? sql`` : sql`and id < ${idFloor('aud', new Date(to))}`}`,
        order: sql`id desc`,
        pick: COLUMNS,
        show: sql`select picked.*, ${detailsOf(keyring, sql`picked`)} as content`,
      })
      return { rows: rows.map((row) => open(row)), total }
    },

    /** What was done to something, newest first. Reads of it are left out: they have no details. */
    async changesOf(tenantId: string, subjectId: string, most: number): Promise<AuditRow[]> {
      const rows = await db<StoredRow[]>`
        select e.*, ${detailsOf(keyring, sql`e`)} as content from (
          select ${COLUMNS} from audit_entries
          where tenant_id = ${tenantId} and subject_id = ${subjectId} and details_hash is not null
          order by id desc limit ${most}) e`
      return rows.map((row) => open(row))
    },
  }
}

type Entry = Omit<AuditRow, keyof AuditDetails> & { detailsHash: Buffer | null }

/** Inserts entries whose details, where they have any, are inserted with them. */
export function insertionOf(entries: readonly Entry[]): Statement {
  const column = columnsOf(entries)
  return sql`
    insert into audit_entries (${COLUMNS}, details_hash)
    select ${COLUMNS}, decode(details_hash, 'hex')
    from unnest(
      ${column(({ tenantId }) => tenantId)}::text[],
      ${column(({ id }) => id)}::text[],
      ${column(({ at }) => at)}::timestamptz[],
      ${column(({ tokenId }) => tokenId)}::text[],
      ${column(({ osUser }) => osUser ?? null)}::text[],
      ${column(({ host }) => host ?? null)}::text[],
      ${column(({ action }) => action)}::text[],
      ${column(({ subjectType }) => subjectType)}::text[],
      ${column(({ subjectId }) => subjectId)}::text[],
      ${column(({ detailsHash }) => detailsHash)}::text[]
    ) as given (${COLUMNS}, details_hash)`
}
