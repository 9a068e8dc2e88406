import type { PanelReading } from '../../domain/results/target.ts'
import { fold } from '../../domain/text.ts'
import type { Db } from '../db/db.ts'
import { columnsOf } from '../db/arrays.ts'

/** The codes that laboratories use for services of the catalog. */
export const laboratoryCodes = (db: Db) => ({
  /** Reads what the catalog defines for each panel, in the given order. */
  async read(panels: { tenantId: string; panel: string }[]): Promise<PanelReading[]> {
    if (panels.length === 0) return []
    const column = columnsOf(panels)
    return db<PanelReading[]>`
      select
        array(
          select jsonb_build_object('lab', c.lab, 'serviceId', c.service_id) from laboratory_codes c
          where c.tenant_id = given.tenant_id and c.code = given.panel and c.is_active) as codes,
        exists (select from services s where s.tenant_id = given.tenant_id and s.id = given.panel)
          or exists (select from services s where s.tenant_id = given.tenant_id and s.name_key = given.name_key) as is_service
      from unnest(
        ${column(({ tenantId }) => tenantId)}::text[],
        ${column(({ panel }) => panel)}::text[],
        ${column(({ panel }) => fold(panel))}::text[]
      ) with ordinality as given (tenant_id, panel, name_key, place)
      order by place`
  },
})
