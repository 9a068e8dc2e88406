import type { Order } from '../../domain/orders/order.ts'
import type { Db } from '../db/db.ts'
import { listsOf, lockSearch, MOST_CANDIDATES, type Search } from '../matching/searches.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { openOrder, openParticipant, type ContentRow, type ViewRow } from './rows.ts'

/** An order on file, as far as a new one is compared with it. */
export interface MatchCandidate {
  id: string
  person: Order['participant']
  /** Null in searches with the profile `standard`, which does not compare them. */
  source: string | null
  testReason: string | null
}

interface CandidateRow extends Omit<ViewRow, 'head'>, Pick<ContentRow, 'sealedContent' | 'content'> {
  place: number
  /** Its profile compares more than the person. */
  isCompared: boolean
}

/** Orders on file that a new one may be equivalent to. */
export const matchCandidates = (db: Db, keyring: Keyring) => ({
  lock: (search: Search) => lockSearch(db, keyring, search),

  /** For each search the orders that share a blocking key with it, newest first. */
  async find(searches: Search[]): Promise<MatchCandidate[][]> {
    const rows = await db<CandidateRow[]>`
      select s.place::int, s.profile <> 'standard' as is_compared, o.id, o.sealed_answer, o.participant, o.identifiers,
        case when s.profile <> 'standard' then o.sealed_content end as sealed_content,
        case when s.profile <> 'standard' then o.content end as content
      from unnest(${listsOf(keyring, searches)}, ${searches.map(({ isWide }) => MOST_CANDIDATES[isWide ? 'wide' : 'narrow'])}::int[])
        with ordinality as s (tenant_id, company_ids, keys, since, at, profile, most, place)
      cross join lateral find_candidates(s.tenant_id, s.company_ids::text[], s.keys::bigint[], s.since::timestamptz,
        s.at::timestamptz, s.profile, s.most) o
      order by s.place, o.id desc`
    const found = searches.map((): MatchCandidate[] => [])
    for (const { place, isCompared, ...row } of rows) {
      const { tenantId } = searches[place - 1]!.caller
      const order = isCompared ? openOrder(keyring, tenantId, row) : null
      found[place - 1]!.push({
        id: row.id,
        source: order?.source ?? null,
        testReason: order?.testReason ?? null,
        person: order?.participant ?? (JSON.parse(openParticipant(keyring, tenantId, row)) as MatchCandidate['person']),
      })
    }
    return found
  },
})
