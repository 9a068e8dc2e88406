import type { CatalogAddress } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import { chordOf, onSphere, type Point } from '../../domain/places/postal-places.ts'
import { remnantsOf, MAX_SPELLINGS, type Spelling } from '../../domain/catalog/spelling.ts'
import { fold } from '../../domain/text.ts'
import type { Db } from '../db/db.ts'
import { concat, sql, type Statement } from '../db/sql.ts'
import { contains, pageOf, type Page, type PageRequest } from '../db/page.ts'
import { referencedServices } from './services.ts'

export interface ClinicRow {
  id: string
  name: string
  phone: string | null
  address: CatalogAddress | null
  lat: number | null
  long: number | null
  isActive: boolean
  services: { id: string; name: string; type: string }[]
  /** Straight-line distance to the searched point in miles; absent from lists. */
  chord?: number | null
}

export interface OpeningRow {
  hours: unknown
  timezone: string | null
  isActive: boolean
}

export interface ClinicFilter extends PageRequest {
  name?: string | undefined
  isActive?: boolean | undefined
  city?: string | undefined
  state?: string | undefined
}

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
          ${isActive === undefined ? sql`` : sql`and is_active = ${isActive}`}
          ${state === undefined ? sql`` : sql`and state_key = ${fold(state)}`}
          ${contains(sql`name_key`, name && fold(name))}
          ${contains(sql`city_key`, city && fold(city))}`,
        order: sql`name_key, name, id`,
        pick: sql`id`,
        show: sql`select ${columns(caller)} ${picked(caller)}`,
      }),

    async findVisible(caller: Caller, id: string): Promise<ClinicRow | undefined> {
      const [row] = await db<ClinicRow[]>`select ${columns(caller)} ${owned(caller)} and id = ${id} and is_active`
      return row
    },

    /** Reads whether a clinic is active, its opening hours as the catalog file has them, and its time zone. */
    async findOpening(tenantId: string, id: string): Promise<OpeningRow | undefined> {
      const [row] = await db<OpeningRow[]>`
        select is_active, record -> 'hours' as hours, record ->> 'timezone' as timezone
        from clinics join clinic_records using (tenant_id, id) where tenant_id = ${tenantId} and id = ${id}`
      return row
    },

    /** Returns words of the tenant's vocabulary that begin with this one or look similar. */
    async findSimilarWords({ tenantId }: Caller, word: string): Promise<string[]> {
      const own = sql`select word from clinic_words where tenant_id = ${tenantId}`
      const rows = await db<{ word: string }[]>`
        (${own} and word like ${`${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} order by length(word), word limit ${MAX_SPELLINGS})
        union (${own} and remnants && ${remnantsOf(word)}::text[] order by word limit ${MAX_SPELLINGS})
        union (${own} and word % ${word} order by similarity(word, ${word}) desc, word limit ${MAX_SPELLINGS})`
      return rows.map((row) => row.word)
    },

    search: (caller: Caller, request: SearchRequest): Promise<Page<ClinicRow>> => {
      const { near, words, serviceIds } = request
      const position = near && sql`cube(${onSphere(near)}::float8[])`
      return pageOf<ClinicRow>(db, request, {
        found: sql`
          select id, name_key, cardinality(words) as length,
            ${position ? sql`position <-> ${position}` : sql`null::float8`} as chord,
            ${position ? sql`0` : score(request)} as score
          ${owned(caller)} and is_active = ${request.isActive}
          ${serviceIds.length > 0 ? sql`and service_ids @> ${serviceIds}` : sql``}
          ${position ? within(position, request) : sql``}
          ${mapConcat(request.match === 'all' ? words : [words.flat()], (group) => sql`and words && ${toWords(group)}`)}`,
        from: sql`from found`,
        // Among equal scores, prefer the clinic with the fewest other words.
        order: position ? sql`chord, name_key, id` : sql`score desc, length, name_key, id`,
        pick: sql`id, chord`,
        show: sql`select ${columns(caller)}, picked.chord ${picked(caller)}`,
      })
    },
  }
}

/** Beyond this radius the circle has so many clinics that searched words are more selective. */
const WIDE_MILES = 100

/** The index finds the bounding box; the distance condition cuts off its corners. */
function within(position: Statement, { radiusMiles, words }: SearchRequest): Statement {
  const chord = chordOf(radiusMiles)
  const box = sql`and position <@ cube_enlarge(${position}, ${chord}, 3)`
  return sql`${words.length > 0 && radiusMiles > WIDE_MILES ? sql`` : box} and position <-> ${position} <= ${chord}`
}

/** Sums, over the searched words, the closeness of the clinic's closest word. */
const score = ({ words, match }: SearchRequest) => sql`
  ${mapConcat(words, (spellings) => sql`${closest(groupByCloseness(spellings), match)} +`)} 0`

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

const mapConcat = <T>(items: T[], piece: (item: T) => Statement) => concat(items.map((item) => piece(item)))
