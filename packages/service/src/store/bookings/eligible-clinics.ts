import { chordOf, type Point, type Vector } from '../../domain/places/postal-places.ts'
import { entryColumns, type ClinicEntryRow, type ClinicRow } from '../catalog/clinics.ts'
import { isInBox, isWithin, positionOf } from '../catalog/nearby.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** What an order requires of its clinic. */
export interface ClinicNeeds {
  serviceIds: string[]
  feeCap: number | null
}

/** Either one clinic, at any distance, or those around a point. */
export type ClinicSearch = { id: string } | { near: Point; radiusMiles: number; limit: number }

export interface EligibleClinic extends Pick<ClinicRow, 'id' | 'name' | 'phone' | 'address'>, ClinicEntryRow {
  isWithinCap: boolean
  /** Straight-line distance in miles to the point searched near; null when searched by id. */
  chord: number | null
  /** As `onSphere` computes it; null if unknown. */
  position: Vector | null
}

/** Ruling 22: active clinics of the tenant that offer every service. Those within the fee cap come first, then the nearest. */
export function eligibleClinics(
  db: Db,
  tenantId: string,
  { serviceIds, feeCap }: ClinicNeeds,
  search: ClinicSearch,
): Promise<EligibleClinic[]> {
  const { where, chord, limit } = 'id' in search ? byId(search.id) : around(search)
  const order = sql`is_within_cap desc, chord, name_key, name, id`
  // The limit comes before the join, which reads the whole record of a clinic.
  return db<EligibleClinic[]>`
    select id, name, phone, address, is_within_cap, chord, ${entryColumns()},
      case when position is not null
        then array[cube_ll_coord(position, 1), cube_ll_coord(position, 2), cube_ll_coord(position, 3)] end as position
    from (
      select tenant_id, id, name, name_key, phone, address, position, ${chord} as chord,
        ${withinCap(feeCap)} as is_within_cap
      from clinics
      where tenant_id = ${tenantId} and is_active and service_ids @> ${serviceIds} and ${where}
      order by ${order} limit ${limit}) found
    left join clinic_records using (tenant_id, id)
    order by ${order}`
}

const byId = (id: string) => ({ where: sql`id = ${id}`, chord: sql`null::float8`, limit: 1 })

function around({ near, radiusMiles, limit }: { near: Point; radiusMiles: number; limit: number }) {
  const chord = chordOf(radiusMiles)
  // The index finds the box; the distance then cuts off its corners.
  const where = sql`${isInBox(near, chord)} and ${isWithin(near, chord)}`
  return { where, chord: sql`position <-> ${positionOf(near)}`, limit }
}

/** A clinic without a fee costs nothing extra. */
const withinCap = (cap: number | null) =>
  cap === null ? sql`true` : sql`(coalesce(fee, 0) <= ${cap}::float8::numeric)`
