import { idFloor } from '../domain/ids.ts'
import type { Db } from './db/pool.ts'
import { sql } from './db/sql.ts'
import { columnsOf } from './lists.ts'
import { pageOf, type Page, type PageRequest } from './page.ts'

/** Who did what to what, when and why. */
export interface AuditRow {
  tenantId: string
  id: string
  at: Date
  tokenId: string
  action: string
  subjectType: string
  subjectId: string
  reason: string | null
  /** What was changed, as it was and as it is; null for reads. */
  before: unknown
  after: unknown
}

export interface AuditFilter extends PageRequest {
  action?: string | undefined
  subjectId?: string | undefined
  tokenId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The trail of operators. There is nothing here that changes an entry, and the database would refuse it. */
export const audit = (db: Db) => ({
  async note(entries: AuditRow[]): Promise<void> {
    const column = columnsOf(entries)
    await db`
      insert into audit_entries (tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after)
      select tenant_id, id, at::timestamptz, token_id, action, subject_type, subject_id, reason, before::jsonb, after::jsonb
      from unnest(
        ${column(({ tenantId }) => tenantId)}::text[],
        ${column(({ id }) => id)}::text[],
        ${column(({ at }) => at)}::text[],
        ${column(({ tokenId }) => tokenId)}::text[],
        ${column(({ action }) => action)}::text[],
        ${column(({ subjectType }) => subjectType)}::text[],
        ${column(({ subjectId }) => subjectId)}::text[],
        ${column(({ reason }) => reason)}::text[],
        ${column(({ before }) => (before == null ? null : JSON.stringify(before)))}::text[],
        ${column(({ after }) => (after == null ? null : JSON.stringify(after)))}::text[]
      ) as given (tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after)`
  },

  page: (tenantId: string, { action, subjectId, tokenId, from, to, ...page }: AuditFilter): Promise<Page<AuditRow>> =>
    pageOf<AuditRow>(db, page, {
      from: sql`from audit_entries where tenant_id = ${tenantId}
        ${action === undefined ? sql`` : sql`and action = ${action}`}
        ${subjectId === undefined ? sql`` : sql`and subject_id = ${subjectId}`}
        ${tokenId === undefined ? sql`` : sql`and token_id = ${tokenId}`}
        ${from === undefined ? sql`` : sql`and id >= ${idFloor('aud', new Date(from))}`}
        ${to === undefined ? sql`` : sql`and id < ${idFloor('aud', new Date(to))}`}`,
      order: sql`id desc`,
      pick: sql`tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after`,
    }),

  /** What was done to something, the last of it; who only looked at it is not told here. */
  deedsOn: (tenantId: string, subjectId: string, most: number) => db<AuditRow[]>`
    select tenant_id, id, at, token_id, action, subject_type, subject_id, reason, before, after from audit_entries
    where tenant_id = ${tenantId} and subject_id = ${subjectId} and before is not null order by id desc limit ${most}`,
})
