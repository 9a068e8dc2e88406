import type { Branding, CatalogAddress } from '@order-testing/contract'
import type { Db } from '../db/db.ts'

/** How the catalog presents a tenant, a company, and the services of an order. */
export interface BrandRow {
  tenant: string
  tenantBranding: Branding | null
  companyBranding: Branding | null
  /** The services that have names in other languages, with the name those translate. */
  services: { id: string; name: string; names: Record<string, string> }[]
}

export interface OfficeRow {
  address: CatalogAddress | null
  phone: string | null
  helpPhone: string | null
}

/** What pages show of the catalog beside an order, in one statement. */
export const brands = (db: Db) => ({
  find: (tenantId: string, companyId: string, serviceIds: string[]) => db.first<BrandRow>`
      select t.name as tenant, t.record -> 'branding' as tenant_branding, c.record -> 'branding' as company_branding,
        array(
          select jsonb_build_object('id', s.id, 'name', s.name, 'names', s.record -> 'names')
          from services s
          where s.tenant_id = t.id and s.id = any(${serviceIds}) and s.record -> 'names' is not null) as services
      from tenants t left join companies c on c.tenant_id = t.id and c.id = ${companyId}
      where t.id = ${tenantId}`,

  /** Where an employer is: the location's address and phone, else the company's. And whom to call at the tenant. */
  findOffices: (tenantId: string, companyId: string, locationId: string) => db.first<OfficeRow>`
      select coalesce(l.address, c.address) as address, coalesce(l.phone, c.phone) as phone,
        t.record -> 'branding' ->> 'helpPhone' as help_phone
      from tenants t
      left join companies c on c.tenant_id = t.id and c.id = ${companyId}
      left join locations l on l.tenant_id = t.id and l.id = ${locationId}
      where t.id = ${tenantId}`,
})
