import { LRUCache } from 'lru-cache'
import type { CatalogSettings } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import type { ReferenceCandidates } from '../../domain/orders/references.ts'
import { fold } from '../../domain/text.ts'
import type { Db } from '../db/db.ts'

export interface Reference {
  id?: string | undefined
  name?: string | undefined
}

/** Candidates by companies that the caller sees, catalog version and references. */
export type ReferenceCache = LRUCache<string, ReferenceCandidates>

/** In characters of JSON; an entry may have a hundred packages with all their services. */
const CACHE_SIZE = 16 * 1024 ** 2

export const referenceCache = (): ReferenceCache =>
  new LRUCache({
    max: 10_000,
    maxSize: CACHE_SIZE,
    sizeCalculation: (candidates, key) => key.length + JSON.stringify(candidates).length,
  })

/** A number for each list of companies: a list of a thousand would fill the cache as part of its keys. */
const numbers = new WeakMap<readonly string[], number>()
let lastNumber = 0

/** Callers keep their list until the catalog changes, but one that is narrowed to a company is made for the request. */
function scopeOf(companyIds: readonly string[]): string | number | undefined {
  if (companyIds.length <= 1) return companyIds[0]
  const known = numbers.get(companyIds) ?? ++lastNumber
  numbers.set(companyIds, known)
  return known
}

/** The catalog entries that orders refer to, as far as the caller may see them. */
export const orderFacts = (db: Db, cache: ReferenceCache) => ({
  /** Finds everything the references may mean, in one statement. */
  async findCandidates(caller: Caller, location: Reference, pkg: Reference): Promise<ReferenceCandidates> {
    const { tenantId, companyIds, catalogVersion } = caller
    const named = [location.id, location.name, pkg.id, pkg.name]
    const key = JSON.stringify([catalogVersion, tenantId, scopeOf(companyIds), ...named])
    const cached = cache.get(key)
    if (cached) return cached
    const candidates = await db.only<ReferenceCandidates>`
      select
        array(
          select jsonb_build_object('id', l.id, 'name', l.name, 'companyId', c.id, 'companyName', c.name, 'address', coalesce(l.address, c.address),
            'companySettings', c.settings, 'settings', l.settings, 'packageIds', to_jsonb(l.package_ids || c.package_ids))
          from locations l join companies c on c.tenant_id = l.tenant_id and c.id = l.company_id and c.is_active
          where l.tenant_id = ${tenantId} and l.company_id = any(${companyIds}) and l.is_active
            and (l.id = ${location.id ?? null} or l.name = ${location.name ?? null})
          order by (l.id = ${location.id ?? null}) desc nulls last limit 20) as locations,
        array(
          select jsonb_build_object('id', p.id, 'name', p.name, 'services', (
            select coalesce(jsonb_agg(s.record || jsonb_build_object(
              'requiresMro', coalesce(s.record -> 'requiresMro', 'false'), 'lab', coalesce(s.record -> 'lab', 'null'))
              order by array_position(p.service_ids, s.id::text)), '[]')
            from services s where s.tenant_id = p.tenant_id and s.id = any(p.service_ids) and s.is_active))
          from packages p
          where p.tenant_id = ${tenantId} and p.is_active
            and (p.id = ${pkg.id ?? null} or p.name_key = ${pkg.name === undefined ? null : fold(pkg.name)})
            -- A package without active services cannot be ordered.
            and exists (
              select from services s where s.tenant_id = p.tenant_id and s.id = any(p.service_ids) and s.is_active)
            and exists (
              select from companies c where c.tenant_id = ${tenantId} and c.id = any(${companyIds}) and c.is_active
                and (p.id = any(c.package_ids) or exists (
                  select from locations l where l.tenant_id = c.tenant_id and l.company_id = c.id and l.is_active
                    and p.id = any(l.package_ids))))
          order by (p.id = ${pkg.id ?? null}) desc nulls last limit 100) as packages,
        exists (
          select from tenants t where t.id = ${tenantId}
            and t.record -> 'texts' ?& array['backgroundDisclosure', 'backgroundAuthorization']) as has_background_texts`
    cache.set(key, candidates)
    return candidates
  },

  /** The settings of a location and its company, active or not. */
  settingsOf: (tenantId: string, { companyId, locationId }: { companyId: string; locationId: string }) =>
    db.first<Record<'company' | 'location', CatalogSettings>>`
      select c.settings as company, l.settings as location
      from locations l join companies c on c.tenant_id = l.tenant_id and c.id = l.company_id
      where l.tenant_id = ${tenantId} and l.company_id = ${companyId} and l.id = ${locationId}`,
})
