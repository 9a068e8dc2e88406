import type { CatalogAddress } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import type { Db } from '../db/db.ts'
import { contains, pageOf, type Filter, type PageRequest } from '../db/page.ts'
import { sql } from '../db/sql.ts'

export interface CompanyRow {
  id: string
  name: string
  phone: string | null
  address: CatalogAddress | null
  createdAt: Date
}

/** The active companies linked to the caller. */
export const companies = (db: Db) => ({
  pageVisible: ({ tenantId, companyIds }: Caller, { name, ...page }: PageRequest & Filter<'name'>) =>
    pageOf<CompanyRow>(db, page, {
      pick: sql`id, name, phone, address, created_at`,
      from: sql`from companies where tenant_id = ${tenantId} and id = any(${companyIds}) and is_active
        ${contains(sql`name_key`, name)}`,
      order: sql`name_key, name, id`,
    }),

  listVisible: ({ tenantId, companyIds }: Caller) => db<Pick<CompanyRow, 'id' | 'name'>[]>`
      select id, name from companies where tenant_id = ${tenantId} and id = any(${companyIds}) and is_active
      order by name_key, name, id`,

  /** All companies of a tenant, as its operators see them. */
  idsOf: (tenantId: string) => db.values`select id from companies where tenant_id = ${tenantId} order by id`,

  findVisible: ({ tenantId, companyIds }: Caller, id: string) => db.first<CompanyRow>`
      select id, name, phone, address, created_at from companies
      where tenant_id = ${tenantId} and id = ${id} and id = any(${companyIds}) and is_active`,
})
