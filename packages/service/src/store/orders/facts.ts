import { LRUCache } from 'lru-cache'
import type { CatalogAddress, CatalogSettings } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import { chordOf, onSphere, type Point, type Vector } from '../../domain/places/postal-places.ts'
import type { ReferenceCandidates } from '../../domain/orders/references.ts'
import { fold } from '../../domain/text.ts'
import { onlyRow, type Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'

export interface Reference {
  id?: string | undefined
  name?: string | undefined
}

export interface EligibleClinic {
  id: string
  name: string
  phone: string | null
  address: CatalogAddress | null
  withinCap: boolean
}

/** A clinic that an order may be booked at, with what the participant needs to know. */
export interface OfferedClinic {
  id: string
  name: string
  phone: string | null
  address: CatalogAddress | null
  /** In the form of the catalog file. */
  hours: unknown
  timezone: string | null
  /** Straight-line distance to the point of the search, in miles; null for a clinic found by its id. */
  chord: number | null
  /** Its position on the sphere; null if unknown. */
  position: Vector | null
}

export interface ClinicNeeds {
  serviceIds: string[]
  feeCap: number | null
}

/** Reference candidates by caller, catalog version and reference. */
export type ReferenceCache = LRUCache<string, ReferenceCandidates>

/** In characters of JSON: an entry may have a hundred packages with all their services. */
const CACHE_SIZE = 16 * 1024 ** 2

export const referenceCache = (): ReferenceCache =>
  new LRUCache({
    max: 10_000,
    maxSize: CACHE_SIZE,
    sizeCalculation: (candidates, key) => key.length + JSON.stringify(candidates).length,
  })

/** What a new order refers to, as far as its caller may see it. */
export const orderFacts = (db: Db, cache: ReferenceCache) => ({
  /** Everything that the references may mean, in one statement. */
  async findCandidates(caller: Caller, location: Reference, pkg: Reference): Promise<ReferenceCandidates> {
    const { tenantId, tokenId, companyIds, catalogVersion } = caller
    const key = JSON.stringify([
      catalogVersion,
      tenantId,
      tokenId,
      companyIds,
      location.id,
      location.name,
      pkg.id,
      pkg.name,
    ])
    const cached = cache.get(key)
    if (cached) return cached
    const rows = await db<ReferenceCandidates[]>`
      select
        array(
          select jsonb_build_object('id', l.id, 'name', l.name, 'companyId', c.id, 'companyName', c.name,
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
            -- A package without services cannot be ordered.
            and exists (
              select from services s where s.tenant_id = p.tenant_id and s.id = any(p.service_ids) and s.is_active)
            and exists (
              select from companies c where c.tenant_id = ${tenantId} and c.id = any(${companyIds}) and c.is_active
                and (p.id = any(c.package_ids) or exists (
                  select from locations l where l.tenant_id = c.tenant_id and l.company_id = c.id and l.is_active
                    and p.id = any(l.package_ids))))
          order by (p.id = ${pkg.id ?? null}) desc nulls last limit 100) as packages`
    const candidates = onlyRow(rows)
    cache.set(key, candidates)
    return candidates
  },

  /** The nearest clinic within the fee cap, else the nearest of all. */
  async findNearestClinic(
    tenantId: string,
    { serviceIds, feeCap, near, radiusMiles }: ClinicNeeds & { near: Point; radiusMiles: number },
  ): Promise<EligibleClinic | undefined> {
    const position = sql`cube(${onSphere(near)}::float8[])`
    const chord = chordOf(radiusMiles)
    const [row] = await db<EligibleClinic[]>`
      select id, name, phone, address, ${withinCap(feeCap)} as within_cap from clinics
      where tenant_id = ${tenantId} and is_active and removed_at is null and service_ids @> ${serviceIds}
        and position <@ cube_enlarge(${position}, ${chord}, 3) and position <-> ${position} <= ${chord}
      order by within_cap desc, position <-> ${position}, name_key, name, id limit 1`
    return row
  },

  async findConfiguredClinic(
    tenantId: string,
    { id, serviceIds, feeCap }: ClinicNeeds & { id: string },
  ): Promise<EligibleClinic | undefined> {
    const [row] = await db<EligibleClinic[]>`
      select id, name, phone, address, ${withinCap(feeCap)} as within_cap from clinics
      where tenant_id = ${tenantId} and id = ${id} and is_active and service_ids @> ${serviceIds}`
    return row
  },

  /** The clinics that an order may be booked at, nearest first. */
  offeredClinics(
    tenantId: string,
    { near, radiusMiles, ...needs }: ClinicNeeds & { near: Point; radiusMiles: number },
    most: number,
  ): Promise<OfferedClinic[]> {
    const position = sql`cube(${onSphere(near)}::float8[])`
    const chord = chordOf(radiusMiles)
    return db<OfferedClinic[]>`
      ${selectOffered(tenantId, needs, sql`position <-> ${position}`)}
        and position <@ cube_enlarge(${position}, ${chord}, 3) and position <-> ${position} <= ${chord}
      order by chord, name_key, name, id limit ${most}`
  },

  /** A clinic that an order may be booked at, at any distance: participants far from all clinics need one too. */
  async offeredClinic(tenantId: string, id: string, needs: ClinicNeeds): Promise<OfferedClinic | undefined> {
    const [row] = await db<OfferedClinic[]>`${selectOffered(tenantId, needs, sql`null::float8`)} and id = ${id}`
    return row
  },

  /** The settings of a location and its company, even if they are inactive. */
  async settingsOf(
    tenantId: string,
    { companyId, locationId }: { companyId: string; locationId: string },
  ): Promise<{ company: CatalogSettings; location: CatalogSettings } | undefined> {
    const [row] = await db<{ company: CatalogSettings; location: CatalogSettings }[]>`
      select c.settings as company, l.settings as location
      from locations l join companies c on c.tenant_id = l.tenant_id and c.id = l.company_id
      where l.tenant_id = ${tenantId} and l.company_id = ${companyId} and l.id = ${locationId}`
    return row
  },
})

const selectOffered = (tenantId: string, { serviceIds, feeCap }: ClinicNeeds, chord: Statement) => sql`
  select id, name, phone, address, record -> 'hours' as hours, record ->> 'timezone' as timezone,
    ${chord} as chord, case when position is not null
      then array[cube_ll_coord(position, 1), cube_ll_coord(position, 2), cube_ll_coord(position, 3)] end as position
  from clinics left join clinic_records using (tenant_id, id)
  where tenant_id = ${tenantId} and is_active and removed_at is null and service_ids @> ${serviceIds}
    and ${withinCap(feeCap)}`

/** A clinic without a fee is within any cap. */
const withinCap = (cap: number | null) =>
  cap === null ? sql`true` : sql`(coalesce(fee, 0) <= ${cap}::float8::numeric)`
