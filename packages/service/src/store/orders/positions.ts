import type { Caller } from '../../domain/access/caller.ts'
import { LATEST } from '../../domain/cursors.ts'
import type { Db } from '../db/db.ts'
import { identifiers } from '../db/sql.ts'

/** The position after which to read: the given one, or the last one so far. */
export async function startOf(
  db: Db,
  table: 'event_positions' | 'order_positions',
  { tenantId, companyIds }: Pick<Caller, 'tenantId' | 'companyIds'>,
  from: string,
): Promise<string> {
  if (from !== LATEST) return from
  const { last } = await db.only<{ last: string }>`
    select coalesce(max(position), 0)::text as last from unnest(${companyIds}::text[]) as company(id) cross join lateral (
      select position from ${identifiers(table)} where tenant_id = ${tenantId} and company_id = company.id
      order by position desc limit 1) p`
  return last
}
