import type { CatalogAddress } from '@order-testing/contract'
import type { Caller } from '../domain/caller.ts'
import { chordOf, onSphere, type Point } from '../domain/places.ts'
import type { Spelling } from '../domain/spelling.ts'
import { fold } from '../domain/text.ts'
import type { Db, Fragment } from './database.ts'
import { contains, pageOf, type Page, type PageRequest } from './page.ts'
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

export interface ClinicFilter extends PageRequest {
  name?: string | undefined
  isActive?: boolean | undefined
  city?: string | undefined
  state?: string | undefined
}

export interface SearchRequest extends PageRequest {
  /** For each word searched, the words it may mean; every word must be found. */
  words: Spelling[][]
  near: Point | null
  radiusMiles: number
  serviceIds: string[]
  isActive: boolean
}

/** The clinics of the caller's tenant. */
export const clinics = (db: Db) => {
  const columns = (caller: Caller) =>
    db`id, name, phone, address, lat, long, is_active, ${referencedServices(db, caller.tenantId)}`
  return {
    pageOwned: (caller: Caller, { name, isActive, city, state, ...page }: ClinicFilter) =>
      pageOf<ClinicRow>(db, page, {
        select: columns(caller),
        from: db`from clinics where tenant_id = ${caller.tenantId} and removed_at is null
          ${isActive === undefined ? db`` : db`and is_active = ${isActive}`}
          ${state === undefined ? db`` : db`and state_key = ${fold(state)}`}
          ${contains(db, db`name_key`, name && fold(name))}
          ${contains(db, db`city_key`, city && fold(city))}`,
        order: db`name_key, name, id`,
      }),

    async findActive(caller: Caller, id: string): Promise<ClinicRow | undefined> {
      const [row] = await db<ClinicRow[]>`
        select ${columns(caller)} from clinics where tenant_id = ${caller.tenantId} and id = ${id} and is_active`
      return row
    },

    /** The tenant's words that somebody who typed this one may have meant: those it begins and those that look alike. */
    async wordsLike({ tenantId }: Caller, word: string): Promise<string[]> {
      const prefix = `${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
      const rows = await db<{ word: string }[]>`
        (select word from clinic_words where tenant_id = ${tenantId} and word like ${prefix} order by word limit 50)
        union
        (select word from clinic_words where tenant_id = ${tenantId} and word % ${word}
         order by similarity(word, ${word}) desc, word limit 50)`
      return rows.map((row) => row.word)
    },

    search: (caller: Caller, request: SearchRequest): Promise<Page<ClinicRow>> => {
      const position = request.near && db`cube(${onSphere(request.near)}::float8[])`
      return pageOf<ClinicRow>(db, request, {
        select: db`${columns(caller)}, ${position ? db`position <-> ${position} as chord` : db`null as chord`}`,
        from: db`from clinics where tenant_id = ${caller.tenantId} and removed_at is null and is_active = ${request.isActive}
          ${request.serviceIds.length > 0 ? db`and service_ids @> ${request.serviceIds}` : db``}
          ${position ? within(db, position, request.radiusMiles) : db``}
          ${each(db, request.words, (spellings) => db`and words && ${spellings.map(({ word }) => word)}`)}`,
        order: position
          ? db`position <-> ${position}, name_key, name, id`
          : db`${rank(db, request.words)}, name_key, name, id`,
      })
    },
  }
}

/** The box is what the index knows; the distance then cuts off its corners. */
const within = (db: Db, position: Fragment, miles: number) => db`
  and position <@ cube_enlarge(${position}, ${chordOf(miles)}, 3) and position <-> ${position} <= ${chordOf(miles)}`

/** Best spelling of each word first, then the clinic that is called by the fewest other words. */
const rank = (db: Db, words: Spelling[][]) => db`
  ${each(
    db,
    words,
    (spellings) => db`
      (select max(s.closeness)
       from unnest(${spellings.map(({ word }) => word)}::text[], ${spellings.map(({ closeness }) => closeness)}::float8[])
         as s(word, closeness)
       where s.word = any(words)) +`,
  )} 0 desc, cardinality(words)`

/** A fragment for each item, one after the other; the driver takes an empty list for a parameter. */
const each = <T>(db: Db, items: T[], fragment: (item: T) => Fragment) =>
  items.length === 0 ? db`` : items.map((item) => fragment(item))
