import { codeIdOf } from '../../domain/catalog/files.ts'
import type { PanelReading } from '../../domain/results/target.ts'
import { fold } from '../../domain/text.ts'
import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { pageOf, type Filter, type Page, type PageRequest } from '../db/page.ts'
import { andEqual, sql } from '../db/sql.ts'

export interface KnownCodeRow {
  lab: string
  code: string
  serviceId: string
  /** Null if the catalog never had the service. */
  serviceName: string | null
  origin: 'catalog' | 'learned'
  createdAt: Date
}

export interface NewCode extends Pick<KnownCodeRow, 'lab' | 'code' | 'serviceId' | 'createdAt'> {
  tenantId: string
}

type CodeKey = Pick<KnownCodeRow, 'lab' | 'code'>
type CodeFilter = PageRequest & Filter<'lab'> & Filter<'origin', KnownCodeRow['origin']>

const COLUMNS = sql`
  lab, code, service_id, origin, created_at,
  (select name from services s where s.tenant_id = c.tenant_id and s.id = c.service_id) as service_name`

export interface LaboratoryCode {
  lab: string
  code: string
  service: string
  origin: KnownCodeRow['origin']
}

/** The codes that laboratories use for services of the catalog. */
export const laboratoryCodes = (db: Db) => ({
  /** Reads what the catalog defines for each panel, in the given order. */
  async read(panels: { tenantId: string; panel: string }[]): Promise<PanelReading[]> {
    if (panels.length === 0) return []
    const rows = panels.map(({ tenantId, panel }) => ({ tenantId, panel, nameKey: fold(panel) }))
    return db<PanelReading[]>`
      select
        array(
          select jsonb_build_object('lab', c.lab, 'serviceId', c.service_id) from laboratory_codes c
          where c.tenant_id = given.tenant_id and c.code = given.panel and c.is_active) as codes,
        exists (select from services s where s.tenant_id = given.tenant_id and s.id = given.panel)
          or exists (select from services s where s.tenant_id = given.tenant_id and s.name_key = given.name_key) as is_service
      from ${givenRows(rows, { text: ['tenantId', 'panel', 'nameKey'] })} order by place`
  },

  page: (tenantId: string, { lab, origin, ...page }: CodeFilter): Promise<Page<KnownCodeRow>> =>
    pageOf<KnownCodeRow>(db, page, {
      from: sql`from laboratory_codes c where tenant_id = ${tenantId} and is_active ${andEqual({ lab, origin })}`,
      order: sql`lab, code`,
      pick: COLUMNS,
    }),

  /** Adds a code that an operator remembered, or renews one that was removed from the catalog file. */
  async learn({ tenantId, lab, code, serviceId, createdAt }: NewCode): Promise<void> {
    const record = JSON.stringify({ lab, code, service: serviceId })
    await db`
      insert into laboratory_codes (tenant_id, id, record, lab, code, service_id, is_active, created_at, origin)
      values (${tenantId}, ${codeIdOf({ lab, code })}, ${record}::text::jsonb, ${lab}, ${code}, ${serviceId}, true, ${createdAt},
        'learned')
      on conflict (tenant_id, id) do update set record = excluded.record, service_id = excluded.service_id, is_active = true,
        removed_at = null, created_at = excluded.created_at, origin = excluded.origin
      where not laboratory_codes.is_active`
  },

  lock: (tenantId: string, key: CodeKey) => db.first<KnownCodeRow>`
    select ${COLUMNS} from laboratory_codes c
    where tenant_id = ${tenantId} and id = ${codeIdOf(key)} and is_active for update`,

  /** Deletes a learned code. */
  async forget(tenantId: string, key: CodeKey): Promise<void> {
    await db`
      delete from laboratory_codes
      where tenant_id = ${tenantId} and id = ${codeIdOf(key)} and origin = 'learned'`
  },

  list: (tenantId: string) => db<LaboratoryCode[]>`
    select lab, code, service_id as service, origin from laboratory_codes
    where tenant_id = ${tenantId} and is_active order by lab, code`,
})
