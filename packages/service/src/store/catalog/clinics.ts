import type { Caller } from '../../domain/access/caller.ts'
import type { SlotPlan } from '../../domain/bookings/schedule.ts'
import { remnantsOf, MAX_SPELLINGS, type Spelling } from '../../domain/catalog/spelling.ts'
import { chordOf, type Point, type Vector } from '../../domain/places/postal-places.ts'
import { fold } from '../../domain/text.ts'
import type { Db } from '../db/db.ts'
import { contains, pageOf, type Filter, type Page, type PageRequest } from '../db/page.ts'
import { andEqual, concat, sql, type Statement } from '../db/sql.ts'
import type { CompanyRow } from './companies.ts'
import { isInBox, isWithin, positionOf } from './nearby.ts'
import { referencedServices, type ServiceRow } from './services.ts'

export interface ClinicRow extends Omit<CompanyRow, 'createdAt'> {
  lat: number | null
  long: number | null
  isActive: boolean
  services: Pick<ServiceRow, 'id' | 'name' | 'type'>[]
  /** Straight-line distance to the searched point in miles; absent from lists. */
  chord?: number | null
}

/** What bookings need of a clinic's entry in the catalog. */
export interface ClinicEntryRow {
  /** In the form the catalog has them. */
  hours: unknown
  timezone: string | null
  walkIns: boolean | null
  slots: SlotPlan | null
  email: string | null
}

/** The columns of `ClinicEntryRow`, from table `clinic_records`. */
export const entryColumns = (): Statement => sql`
  record -> 'hours' as hours, record ->> 'timezone' as timezone, (record ->> 'walkIns')::boolean as walk_ins,
  record -> 'slots' as slots, record ->> 'email' as email`

type ClinicFilter = PageRequest & Filter<'name' | 'city' | 'state'> & Filter<'isActive', boolean>

export interface SearchRequest extends PageRequest {
  /** For each searched word, its possible spellings. */
  words: Spelling[][]
  /** Whether a clinic must match all searched words, or any of them. */
  match: 'all' | 'any'
  near: Point | null
  radiusMiles: number
  serviceIds: string[]
  isActive: boolean
}

/** The clinics of the caller's tenant. */
export const clinics = (db: Db) => {
  const columns = (caller: Caller) =>
    sql`id, name, phone, address, lat, long, is_active, ${referencedServices(caller.tenantId)}`
  const owned = ({ tenantId }: Caller) => sql`from clinics where tenant_id = ${tenantId}`
  const picked = (caller: Caller) => sql`${owned(caller)} and id = picked.id`
  return {
    pageVisible: (caller: Caller, { name, isActive, city, state, ...page }: ClinicFilter) =>
      pageOf<ClinicRow>(db, page, {
        from: sql`${owned(caller)}
          ${andEqual({ isActive, stateKey: state && fold(state) })}
          ${contains(sql`name_key`, name)}
          ${contains(sql`city_key`, city)}`,
        order: sql`name_key, name, id`,
        pick: sql`id`,
        show: sql`select ${columns(caller)} ${picked(caller)}`,
      }),

    findVisible: (caller: Caller, id: string) =>
      db.first<ClinicRow>`select ${columns(caller)} ${owned(caller)} and id = ${id} and is_active`,

    /** Reads what bookings need of a clinic, whether it is active, and where it is. */
    findEntry: (tenantId: string, id: string) => db.first<
      ClinicEntryRow & Pick<ClinicRow, 'name' | 'address' | 'lat' | 'long' | 'isActive'>
    >`
        select is_active, name, address, lat, long, ${entryColumns()}
        from clinics join clinic_records using (tenant_id, id) where tenant_id = ${tenantId} and id = ${id}`,

    /** Where clinics are that the catalog still has. */
    positions: (tenantId: string, most: number) => db<{ id: string; isActive: boolean; position: Vector }[]>`
      select id, is_active, array[cube_ll_coord(position, 1), cube_ll_coord(position, 2), cube_ll_coord(position, 3)] as position
      from clinics where tenant_id = ${tenantId} and removed_at is null and position is not null order by id limit ${most}`,

    /** Returns words of the tenant's vocabulary that begin with this one or look similar. */
    findSimilarWords({ tenantId }: Caller, word: string): Promise<string[]> {
      const own = sql`select word from clinic_words where tenant_id = ${tenantId}`
      return db.values`
        (${own} and word like ${`${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} order by length(word), word limit ${MAX_SPELLINGS})
        union (${own} and remnants && ${remnantsOf(word)}::text[] order by word limit ${MAX_SPELLINGS})
        union (${own} and word % ${word} order by similarity(word, ${word}) desc, word limit ${MAX_SPELLINGS})`
    },

    search(caller: Caller, request: SearchRequest): Promise<Page<ClinicRow>> {
      const { near, words, serviceIds } = request
      const wanted = request.match === 'all' ? words : [words.flat()]
      return pageOf<ClinicRow>(db, request, {
        found: sql`
          select id, name_key, cardinality(words) as length,
            ${near ? sql`position <-> ${positionOf(near)}` : sql`null::float8`} as chord,
            ${near ? sql`0` : score(request)} as score
          ${owned(caller)} and is_active = ${request.isActive}
          ${serviceIds.length > 0 ? sql`and service_ids @> ${serviceIds}` : sql``}
          ${near ? within(near, request) : sql``}
          ${concat(wanted.map((group) => sql`and words && ${toWords(group)}`))}`,
        from: sql`from found`,
        // Among equal scores, prefer the clinic with the fewest other words.
        order: near ? sql`chord, name_key, id` : sql`score desc, length, name_key, id`,
        pick: sql`id, chord`,
        show: sql`select ${columns(caller)}, picked.chord ${picked(caller)}`,
      })
    },
  }
}

/** Beyond this radius the circle has so many clinics that searched words are more selective. */
const WIDE_MILES = 100

/** The index finds the bounding box; the distance condition cuts off its corners. */
function within(near: Point, { radiusMiles, words }: SearchRequest): Statement {
  const chord = chordOf(radiusMiles)
  const box = words.length > 0 && radiusMiles > WIDE_MILES ? sql`` : sql`and ${isInBox(near, chord)}`
  return sql`${box} and ${isWithin(near, chord)}`
}

/** Sums, over the searched words, the closeness of the clinic's closest word. */
const score = ({ words, match }: SearchRequest) =>
  sql`${concat(words.map((spellings) => sql`${closest(groupByCloseness(spellings), match)} +`))} 0`

/** The word itself, words it begins, and words one to three edits away. */
const MAX_TIERS = 5

/** With `all`, every word matches some tier, so the last one is the default and is not compared. */
function closest(tiers: Tier[], match: SearchRequest['match']): Statement {
  const compared = match === 'all' ? tiers.slice(0, -1) : tiers
  const otherwise = match === 'all' ? tiers.at(-1)!.closeness : 0
  if (compared.length === 0) return sql`${otherwise}::float8`
  // A constant number of cases keeps the number of prepared statements small. Empty ones cost nothing.
  const padding = Array.from({ length: MAX_TIERS - compared.length }, (): Tier => ({ closeness: 0, words: [] }))
  const cases = [...compared, ...padding].map(
    ({ words, closeness }) =>
      sql`when cardinality(${words}::text[]) > 0 and words && ${words}::text[] then ${closeness}::float8`,
  )
  return sql`case ${concat(cases)} else ${otherwise}::float8 end`
}

interface Tier {
  closeness: number
  words: string[]
}

/** Groups spellings by closeness, the closest first. */
function groupByCloseness(spellings: Spelling[]): Tier[] {
  const values = [...new Set(spellings.map(({ closeness }) => closeness))].toSorted((a, b) => b - a)
  return values.map((closeness) => ({
    closeness,
    words: toWords(spellings.filter((spelling) => spelling.closeness === closeness)),
  }))
}

const toWords = (spellings: Spelling[]) => spellings.map(({ word }) => word)
