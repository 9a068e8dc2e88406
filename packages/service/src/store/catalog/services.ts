import type { Caller } from '../../domain/access/caller.ts'
import type { Db } from '../db/db.ts'
import { contains, pageOf, type Filter, type PageRequest } from '../db/page.ts'
import { sql } from '../db/sql.ts'

export interface ServiceRow {
  id: string
  name: string
  category: string
  type: string
  isDot: boolean
}

/** The active services of the caller's tenant. */
export const services = (db: Db) => ({
  pageVisible: ({ tenantId }: Caller, { name, ...page }: PageRequest & Filter<'name'>) =>
    pageOf<ServiceRow>(db, page, {
      pick: sql`id, name, category, type, is_dot`,
      from: sql`from services where tenant_id = ${tenantId} and is_active ${contains(sql`name_key`, name)}`,
      order: sql`name_key, name, id`,
    }),

  /** The names of these laboratories, by id. One that only services of an earlier catalog used has its last name. */
  async laboratoryNames(tenantId: string, ids: string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map()
    const rows = await db<{ id: string; name: string }[]>`
      select distinct on (record->'lab'->>'id') record->'lab'->>'id' as id, record->'lab'->>'name' as name from services
      where tenant_id = ${tenantId} and record->'lab'->>'id' = any(${[...new Set(ids)]}::text[])
      order by record->'lab'->>'id', is_active desc, created_at desc, id`
    return new Map(rows.map(({ id, name }) => [id, name]))
  },

  findVisible: ({ tenantId }: Caller, id: string) => db.first<ServiceRow>`
      select id, name, category, type, is_dot from services where tenant_id = ${tenantId} and id = ${id} and is_active`,
})

/** Selects the services in `service_ids` as references, sorted by name. */
export const referencedServices = (tenantId: string) => sql`
  (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'type', s.type) order by s.name_key, s.name, s.id), '[]')
   from services s where s.tenant_id = ${tenantId} and s.id = any(service_ids) and s.is_active) as services`
