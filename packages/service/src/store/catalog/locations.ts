import type { Caller } from '../../domain/access/caller.ts'
import type { Db } from '../db/db.ts'
import { contains, pageOf, type Filter, type PageRequest } from '../db/page.ts'
import { andEqual, sql } from '../db/sql.ts'
import type { CompanyRow } from './companies.ts'

export interface LocationRow extends CompanyRow {
  companyId: string
  companyName: string
}

/** The active locations of the companies linked to the caller. */
export const locations = (db: Db) => {
  const columns = sql`l.id, l.name, l.phone, l.address, l.created_at, c.id as company_id, c.name as company_name`
  const visible = ({ tenantId, companyIds }: Caller) => sql`
    from locations l join companies c on c.tenant_id = l.tenant_id and c.id = l.company_id and c.is_active
    where l.tenant_id = ${tenantId} and l.company_id = any(${companyIds}) and l.is_active`
  return {
    pageVisible: (caller: Caller, { companyId, name, ...page }: PageRequest & Filter<'companyId' | 'name'>) =>
      pageOf<LocationRow>(db, page, {
        pick: columns,
        from: sql`${visible(caller)} ${andEqual({ 'l.companyId': companyId })}
          ${contains(sql`l.name_key`, name)}`,
        order: sql`l.name_key, l.name, l.id`,
      }),

    findVisible: (caller: Caller, id: string) =>
      db.first<LocationRow>`select ${columns} ${visible(caller)} and l.id = ${id}`,
  }
}
