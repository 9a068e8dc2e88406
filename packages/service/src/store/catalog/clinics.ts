import type { CatalogAddress } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import { chordOf, onSphere, type Point } from '../../domain/places/postal-places.ts'
import { remnantsOf, SPELLINGS, type Spelling } from '../../domain/catalog/spelling.ts'
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
  /** Straight line to the point searched near, in miles; absent from lists. */
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
  /** For each word searched, the words it may mean. */
  words: Spelling[][]
  /** Whether a clinic must have all the words searched, or any of them. */
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
  const known = ({ tenantId }: Caller) => sql`from clinics where tenant_id = ${tenantId}`
  const shown = (caller: Caller) => sql`${known(caller)} and id = picked.id`
  return {
    pageVisible: (caller: Caller, { name, isActive, city, state, ...page }: ClinicFilter) =>
      pageOf<ClinicRow>(db, page, {
        from: sql`${known(caller)}
          ${isActive === undefined ? sql`` : sql`and is_active = ${isActive}`}
          ${state === undefined ? sql`` : sql`and state_key = ${fold(state)}`}
          ${contains(sql`name_key`, name && fold(name))}
          ${contains(sql`city_key`, city && fold(city))}`,
        order: sql`name_key, name, id`,
        pick: sql`id`,
        show: sql`select ${columns(caller)} ${shown(caller)}`,
      }),

    async findVisible(caller: Caller, id: string): Promise<ClinicRow | undefined> {
      const [row] = await db<ClinicRow[]>`select ${columns(caller)} ${known(caller)} and id = ${id} and is_active`
      return row
    },

    /** Whether and when a clinic is open, in whatever form the catalog has it, and by which clocks. */
    async findOpening(tenantId: string, id: string): Promise<OpeningRow | undefined> {
      const [row] = await db<OpeningRow[]>`
        select is_active, record -> 'hours' as hours, record ->> 'timezone' as timezone
        from clinics join clinic_records using (tenant_id, id) where tenant_id = ${tenantId} and id = ${id}`
      return row
    },

    /** The tenant's words that somebody who typed this one may have meant: those it begins, and those that look alike. */
    async findSimilarWords({ tenantId }: Caller, word: string): Promise<string[]> {
      const own = sql`select word from clinic_words where tenant_id = ${tenantId}`
      const rows = await db<{ word: string }[]>`
        (${own} and word like ${`${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} order by length(word), word limit ${SPELLINGS})
        union (${own} and remnants && ${remnantsOf(word)}::text[] order by word limit ${SPELLINGS})
        union (${own} and word % ${word} order by similarity(word, ${word}) desc, word limit ${SPELLINGS})`
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
          ${known(caller)} and is_active = ${request.isActive}
          ${serviceIds.length > 0 ? sql`and service_ids @> ${serviceIds}` : sql``}
          ${position ? within(position, request) : sql``}
          ${each(request.match === 'all' ? words : [words.flat()], (group) => sql`and words && ${spelled(group)}`)}`,
        from: sql`from found`,
        // Of clinics that fit equally well, first the one that is called by the fewest other words.
        order: position ? sql`chord, name_key, id` : sql`score desc, length, name_key, id`,
        pick: sql`id, chord`,
        show: sql`select ${columns(caller)}, picked.chord ${shown(caller)}`,
      })
    },
  }
}

/** From here on a circle holds so many clinics that words, where there are any, tell more. */
const WIDE_MILES = 100

/** The box is what the index knows; the distance then cuts off its corners. */
function within(position: Statement, { radiusMiles, words }: SearchRequest): Statement {
  const chord = chordOf(radiusMiles)
  const box = sql`and position <@ cube_enlarge(${position}, ${chord}, 3)`
  return sql`${words.length > 0 && radiusMiles > WIDE_MILES ? sql`` : box} and position <-> ${position} <= ${chord}`
}

/** How well a clinic fits: for each word searched, how close the closest of the clinic's words comes to it. */
const score = ({ words, match }: SearchRequest) => sql`
  ${each(words, (spellings) => sql`${closest(tiersOf(spellings), match)} +`)} 0`

/** The word itself, words it begins, and words one to three slips away. */
const TIERS = 5

/** Where all words are found, one that is in none of the better tiers is in the last, and need not be looked for. */
function closest(tiers: Tier[], match: SearchRequest['match']): Statement {
  const compared = match === 'all' ? tiers.slice(0, -1) : tiers
  const otherwise = match === 'all' ? tiers.at(-1)!.closeness : 0
  if (compared.length === 0) return sql`${otherwise}::float8`
  // Always as many, so that there are few different statements for the database to keep. Empty ones cost nothing.
  const none = Array.from({ length: TIERS - compared.length }, (): Tier => ({ closeness: 0, words: [] }))
  const cases = [...compared, ...none].map(
    ({ words, closeness }) =>
      sql`when cardinality(${words}::text[]) > 0 and words && ${words}::text[] then ${closeness}::float8`,
  )
  return sql`case ${concat(cases)} else ${otherwise}::float8 end`
}

interface Tier {
  closeness: number
  words: string[]
}

/** Spellings by how close they are, the closest first. */
function tiersOf(spellings: Spelling[]): Tier[] {
  const values = [...new Set(spellings.map(({ closeness }) => closeness))].toSorted((a, b) => b - a)
  return values.map((closeness) => ({
    closeness,
    words: spelled(spellings.filter((spelling) => spelling.closeness === closeness)),
  }))
}

const spelled = (spellings: Spelling[]) => spellings.map(({ word }) => word)

const each = <T>(items: T[], piece: (item: T) => Statement) => concat(items.map((item) => piece(item)))
