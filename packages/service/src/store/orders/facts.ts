import { LRUCache } from 'lru-cache'
import type { CatalogAddress, CatalogSettings } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import { chordOf, onSphere, type Point, type Vector } from '../../domain/places/postal-places.ts'
import type { Candidates } from '../../domain/orders/references.ts'
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

/** A clinic that an order may go to, with what its participant wants to know. */
export interface OfferedClinic {
  id: string
  name: string
  phone: string | null
  address: CatalogAddress | null
  /** In whatever form the catalog has them. */
  hours: unknown
  timezone: string | null
  /** Straight line to the point searched near, in miles; null where it was asked for by its id. */
  chord: number | null
  /** Where it lies on the sphere, as far as that is known. */
  position: Vector | null
}

/** What the order asks of a clinic. */
export interface ClinicNeeds {
  serviceIds: string[]
  feeCap: number | null
}

/** What references were found to mean, by caller, version of the catalog and reference. */
export type KnownCandidates = LRUCache<string, Candidates>

/** As text, in characters; an entry may have a hundred packages with all their services. */
const KNOWN_SIZE = 16 * 1024 ** 2

export const knownCandidates = (): KnownCandidates =>
  new LRUCache({
    max: 10_000,
    maxSize: KNOWN_SIZE,
    sizeCalculation: (candidates, key) => key.length + JSON.stringify(candidates).length,
  })

/** What a new order refers to, as far as its caller may know of it. */
export const orderFacts = (db: Db, known: KnownCandidates) => ({
  /** Everything that the references may mean, in one statement. */
  async candidates(caller: Caller, location: Reference, pkg: Reference): Promise<Candidates> {
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
    const before = known.get(key)
    if (before) return before
    const rows = await db<Candidates[]>`
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
            -- Nothing can be ordered from a package that holds nothing.
            and exists (
              select from services s where s.tenant_id = p.tenant_id and s.id = any(p.service_ids) and s.is_active)
            and exists (
              select from companies c where c.tenant_id = ${tenantId} and c.id = any(${companyIds}) and c.is_active
                and (p.id = any(c.package_ids) or exists (
                  select from locations l where l.tenant_id = c.tenant_id and l.company_id = c.id and l.is_active
                    and p.id = any(l.package_ids))))
          order by (p.id = ${pkg.id ?? null}) desc nulls last limit 100) as packages`
    const candidates = onlyRow(rows)
    known.set(key, candidates)
    return candidates
  },

  /** The clinic an order should go to: the nearest that does not cost too much, else the nearest at all. */
  async nearestClinic(
    tenantId: string,
    want: { serviceIds: string[]; near: Point; radiusMiles: number; feeCap: number | null },
  ): Promise<EligibleClinic | undefined> {
    const position = sql`cube(${onSphere(want.near)}::float8[])`
    const chord = chordOf(want.radiusMiles)
    const [row] = await db<EligibleClinic[]>`
      select id, name, phone, address, ${withinCap(want.feeCap)} as within_cap from clinics
      where tenant_id = ${tenantId} and is_active and removed_at is null and service_ids @> ${want.serviceIds}
        and position <@ cube_enlarge(${position}, ${chord}, 3) and position <-> ${position} <= ${chord}
      order by within_cap desc, position <-> ${position}, name_key, name, id limit 1`
    return row
  },

  async configuredClinic(
    tenantId: string,
    want: { id: string; serviceIds: string[]; feeCap: number | null },
  ): Promise<EligibleClinic | undefined> {
    const [row] = await db<EligibleClinic[]>`
      select id, name, phone, address, ${withinCap(want.feeCap)} as within_cap from clinics
      where tenant_id = ${tenantId} and id = ${want.id} and is_active and service_ids @> ${want.serviceIds}`
    return row
  },

  /** The clinics that an order may go to, the nearest first. */
  offeredClinics(
    tenantId: string,
    { near, radiusMiles, ...needs }: ClinicNeeds & { near: Point; radiusMiles: number },
    most: number,
  ): Promise<OfferedClinic[]> {
    const position = sql`cube(${onSphere(near)}::float8[])`
    const chord = chordOf(radiusMiles)
    return db<OfferedClinic[]>`
      ${offered(tenantId, needs, sql`position <-> ${position}`)}
        and position <@ cube_enlarge(${position}, ${chord}, 3) and position <-> ${position} <= ${chord}
      order by chord, name_key, name, id limit ${most}`
  },

  /** One of them, wherever it is: whoever lives far from any clinic must choose a far one. */
  async offeredClinic(tenantId: string, id: string, needs: ClinicNeeds): Promise<OfferedClinic | undefined> {
    const [row] = await db<OfferedClinic[]>`${offered(tenantId, needs, sql`null::float8`)} and id = ${id}`
    return row
  },

  /** What a location and its company have set, also when they take no more orders. */
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

const offered = (tenantId: string, { serviceIds, feeCap }: ClinicNeeds, chord: Statement) => sql`
  select id, name, phone, address, record -> 'hours' as hours, record ->> 'timezone' as timezone,
    ${chord} as chord, case when position is not null
      then array[cube_ll_coord(position, 1), cube_ll_coord(position, 2), cube_ll_coord(position, 3)] end as position
  from clinics left join clinic_records using (tenant_id, id)
  where tenant_id = ${tenantId} and is_active and removed_at is null and service_ids @> ${serviceIds}
    and ${withinCap(feeCap)}`

/** A clinic that names no fee costs nothing extra. */
const withinCap = (cap: number | null) =>
  cap === null ? sql`true` : sql`(coalesce(fee, 0) <= ${cap}::float8::numeric)`
