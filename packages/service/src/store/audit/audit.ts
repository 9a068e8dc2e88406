import { idFloor } from '../../domain/ids.ts'
import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { COUNTED, pageOf, type BoundedPage, type Filter, type PageRequest } from '../db/page.ts'
import { andEqual, sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { selectDetails, openDetails, sealDetails, type AuditDetails } from './details.ts'

export interface AuditRow extends AuditDetails {
  tenantId: string
  id: string
  at: Date
  tokenId: string
  /** The person who acted, if it was one. */
  userId?: string | null
  /** The user and host of a local command. */
  osUser?: string | null
  host?: string | null
  action: string
  subjectType: string
  subjectId: string
}

type EntryFilter = Filter<'id' | 'action' | 'subjectId' | 'tokenId' | 'userId' | 'from' | 'to'>
type AuditFilter = PageRequest & EntryFilter

const COLUMNS = sql`tenant_id, id, at, token_id, user_id, os_user, host, action, subject_type, subject_id`

type StoredRow = Omit<AuditRow, keyof AuditDetails> & { content: Buffer | null }

/** The append-only audit log; the database rejects updates and deletes by the service's role. */
export const audit = (db: Db, keyring: Keyring) => {
  const open = ({ content, ...row }: StoredRow): AuditRow => ({ ...row, ...openDetails(keyring, row, content) })

  return {
    /** Appends entries; a background task links them to the chain after they are committed. */
    async append(entries: AuditRow[]): Promise<void> {
      const rows = entries.map((entry) => ({ ...entry, details: sealDetails(keyring, entry) }))
      const detailed = rows.flatMap(({ tenantId, id, details }) => (details ? [{ tenantId, id, ...details }] : []))
      const insertion = insertEntries(
        rows.map(({ details, ...row }) => ({ ...row, detailsHash: details?.hash ?? null })),
      )
      if (detailed.length === 0) await db`${insertion}`
      else
        await db`
          with detailed as (
            insert into audit_details (tenant_id, entry_id, key_id, content)
            select tenant_id, id, ${keyring.currentId}, content
            from ${givenRows(detailed, { text: ['tenantId', 'id'], bytea: ['content'] })})
          ${insertion}`
    },

    async page(
      tenantId: string,
      { id, action, subjectId, tokenId, userId, from, to, ...page }: AuditFilter,
    ): Promise<BoundedPage<AuditRow>> {
      const { rows, ...found } = await pageOf<StoredRow>(db, page, {
        from: sql`from audit_entries where ${matching(tenantId, { id, action, subjectId, tokenId, userId, from, to })}`,
        order: sql`id desc`,
        pick: COLUMNS,
        show: sql`select picked.*, ${selectDetails(keyring, sql`picked`)} as content`,
        counted: COUNTED,
      })
      return { ...found, rows: rows.map((row) => open(row)) }
    },

    /** The newest entries before one, or of all. */
    async listBefore(
      tenantId: string,
      filter: EntryFilter,
      { before, most }: { before?: string | undefined; most: number },
    ): Promise<AuditRow[]> {
      const rows = await db<StoredRow[]>`
        select e.*, ${selectDetails(keyring, sql`e`)} as content from (
          select ${COLUMNS} from audit_entries
          where ${matching(tenantId, filter)} ${before === undefined ? sql`` : sql`and id < ${before}`}
          order by id desc limit ${most}) e
        order by e.id desc`
      return rows.map((row) => open(row))
    },

    /** Changes of a subject, newest first. Reads are left out: they have no details. */
    async changesOf(tenantId: string, subjectId: string, most: number): Promise<AuditRow[]> {
      const rows = await db<StoredRow[]>`
        select e.*, ${selectDetails(keyring, sql`e`)} as content from (
          select ${COLUMNS} from audit_entries
          where tenant_id = ${tenantId} and subject_id = ${subjectId} and details_hash is not null
          order by id desc limit ${most}) e`
      return rows.map((row) => open(row))
    },
  }
}

/** Ids sort by time, so times are bounds for ids. */
const matching = (
  tenantId: string,
  { id, action, subjectId, tokenId, userId, from, to }: EntryFilter,
): Statement => sql`
  tenant_id = ${tenantId} ${andEqual({ id, action, subjectId, tokenId, userId })}
    ${from === undefined ? sql`` : sql`and id >= ${idFloor('aud', new Date(from))}`}
    ${to === undefined ? sql`` : sql`and id < ${idFloor('aud', new Date(to))}`}`

type Entry = Omit<AuditRow, keyof AuditDetails> & { detailsHash: Buffer | null }

/** The statement that inserts entries; details are inserted separately. */
export const insertEntries = (entries: readonly Entry[]): Statement => sql`
  insert into audit_entries (${COLUMNS}, details_hash)
  select ${COLUMNS}, details_hash
  from ${givenRows(entries, {
    text: ['tenantId', 'id', 'tokenId', 'userId', 'osUser', 'host', 'action', 'subjectType', 'subjectId'],
    timestamptz: ['at'],
    bytea: ['detailsHash'],
  })}`
