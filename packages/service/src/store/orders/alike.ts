import type { Order } from '../../domain/orders/order.ts'
import type { Db } from '../db/db.ts'
import { listsOf, lockSearch, MOST_ALIKE, type Search } from '../matching/searches.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { openOrder, openParticipant, type ReadyOrder, type WholeOrder } from './rows.ts'

/** An order on file, as far as a new one is compared with it. */
export interface Alike {
  id: string
  person: Order['participant']
  /** Only for the profile that asks for them. */
  source: string | null
  testReason: string | null
}

interface AlikeRow extends Omit<ReadyOrder, 'head'>, Pick<WholeOrder, 'sealedContent' | 'content'> {
  place: number
  identifiers: Buffer | null
}

/** Orders on file that new ones may repeat. */
export const alike = (db: Db, keyring: Keyring) => ({
  lock: (search: Search) => lockSearch(db, keyring, search),

  /** For each search the orders that share a blocking key with it, newest first, with what is compared of them. */
  async find(searches: Search[]): Promise<Alike[][]> {
    const rows = await db<AlikeRow[]>`
      select s.place::int, o.id, o.sealed_answer, o.participant, o.identifiers,
        case when s.profile <> 'standard' then o.sealed_content end as sealed_content,
        case when s.profile <> 'standard' then o.content end as content
      from unnest(${listsOf(keyring, searches)}, ${searches.map(({ isWide }) => MOST_ALIKE[isWide ? 'wide' : 'narrow'])}::int[])
        with ordinality as s (tenant_id, company_ids, keys, since, at, profile, most, place)
      cross join lateral find_candidates(s.tenant_id, s.company_ids::text[], s.keys::bigint[], s.since::timestamptz,
        s.at::timestamptz, s.profile, s.most) o
      order by s.place, o.id desc`
    const found = searches.map((): Alike[] => [])
    for (const { place, ...row } of rows) {
      const { tenantId } = searches[place - 1]!.caller
      const whole = row.sealedContent || row.content ? openOrder(keyring, tenantId, row) : null
      found[place - 1]!.push({
        id: row.id,
        source: whole?.source ?? null,
        testReason: whole?.testReason ?? null,
        person: JSON.parse(openParticipant(keyring, tenantId, row)) as Alike['person'],
      })
    }
    return found
  },
})
