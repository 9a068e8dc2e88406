import type { PanelReading } from '../../domain/results/target.ts'
import { fold } from '../../domain/text.ts'
import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'

export interface LaboratoryCode {
  lab: string
  code: string
  service: string
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

  list: (tenantId: string) => db<LaboratoryCode[]>`
    select lab, code, service_id as service from laboratory_codes
    where tenant_id = ${tenantId} and is_active order by lab, code`,
})
