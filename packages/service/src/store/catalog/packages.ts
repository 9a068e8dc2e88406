import type { Caller } from '../../domain/access/caller.ts'
import type { Db } from '../db/db.ts'
import { contains, pageOf, type Filter, type PageRequest } from '../db/page.ts'
import { sql } from '../db/sql.ts'
import { referencedServices, type ServiceRow } from './services.ts'

export interface PackageRow {
  id: string
  name: string
  locationIds: string[]
  services: Pick<ServiceRow, 'id' | 'name' | 'type'>[]
}

/** The active packages assigned to the caller's companies or to their active locations. */
export const packages = (db: Db) => {
  const columns = (caller: Caller) => sql`
    p.id, p.name, ${referencedServices(caller.tenantId)},
    array(select location_id from ${offers(caller)} o where o.package_id = p.id order by location_id) as location_ids`
  const visible = (caller: Caller) => sql`
    from packages p
    where p.tenant_id = ${caller.tenantId} and p.is_active and (
      p.id in (select o.package_id from ${offers(caller)} o)
      or p.id in (
        select unnest(c.package_ids) from companies c
        where c.tenant_id = ${caller.tenantId} and c.id = any(${caller.companyIds}) and c.is_active))`
  return {
    pageVisible: (caller: Caller, { locationId, name, ...page }: PageRequest & Filter<'locationId' | 'name'>) =>
      pageOf<PackageRow>(db, page, {
        pick: sql`p.id, p.name, p.service_ids`,
        show: sql`select ${columns(caller)} from (select picked.*) p`,
        from: sql`${visible(caller)} ${contains(sql`p.name_key`, name)}
          ${
            locationId === undefined
              ? sql``
              : sql`and p.id in (select o.package_id from ${offers(caller)} o where o.location_id = ${locationId})`
          }`,
        order: sql`p.name_key, p.name, p.id`,
      }),

    findVisible: (caller: Caller, id: string) =>
      db.first<PackageRow>`select ${columns(caller)} ${visible(caller)} and p.id = ${id}`,

    /** The services of a package that take place at a clinic: all except background checks. */
    async inPersonServiceIds(caller: Caller, id: string): Promise<string[] | undefined> {
      const row = await db.first<{ serviceIds: string[] }>`
        select array(
          select s.id from services s
          where s.tenant_id = p.tenant_id and s.id = any(p.service_ids) and s.category <> 'background') as service_ids
        ${visible(caller)} and p.id = ${id}`
      return row?.serviceIds
    },
  }
}

/** One row per active location of the caller's companies and package it offers: its own packages, or else its company's. */
const offers = ({ tenantId, companyIds }: Caller) => sql`
  (select l.id as location_id, offered.package_id
   from locations l
   join companies c on c.tenant_id = l.tenant_id and c.id = l.company_id and c.is_active
   cross join lateral unnest(case when l.package_ids = '{}' then c.package_ids else l.package_ids end) as offered(package_id)
   where l.tenant_id = ${tenantId} and l.company_id = any(${companyIds}) and l.is_active)`
