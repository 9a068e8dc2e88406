import type { Scope } from '@order-testing/contract'
import type { TokenRequest } from '../../domain/access/token-use.ts'
import { columnsOf, givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { pageOf, type Page, type PageRequest } from '../db/page.ts'
import { sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

export interface TokenKey {
  tenantId: string
  tokenId: string
}

export interface ScopeUse extends TokenKey {
  scope: Scope
  requests: number
}

export interface TokenRequestRow extends TokenKey {
  id: string
  at: Date
  content: TokenRequest
}

/** The use of a scope in the last 30 days. */
export interface ScopeUseRow {
  scope: string
  requests: number
  /** A day such as `2026-03-02`, in UTC. */
  lastOn: string
}

/** Requests of a token that are kept, of those that succeeded and of those that were refused. */
export const REQUESTS_KEPT = 100

/** The days of use that are shown, with today. */
const DAYS = 30
const DELETE_BATCH = 5_000

export const tokenRequestContext = ({ tenantId, id }: { tenantId: string; id: string }) =>
  `token request ${tenantId} ${id}`

const isRefused = ({ content }: TokenRequestRow) => content.status >= 400

/** What tokens were used for. */
export const tokenUses = (db: Db, keyring: Keyring) => ({
  /** Adds to the counts of today. Rows are written in a fixed order, so that nodes do not block each other. */
  async count(uses: ScopeUse[]): Promise<void> {
    await db`
      insert into token_uses as u (tenant_id, token_id, scope, day, requests)
      select tenant_id, token_id, scope, (now() at time zone 'UTC')::date, requests
      from ${givenRows(uses, { text: ['tenantId', 'tokenId', 'scope'], bigint: ['requests'] })} order by 1, 2, 3
      on conflict (tenant_id, token_id, scope, day) do update set requests = u.requests + excluded.requests`
  },

  /** Adds requests and drops the oldest of their tokens. Must run in a transaction. */
  async record(rows: TokenRequestRow[]): Promise<void> {
    const column = columnsOf(rows)
    const [tenantIds, tokenIds] = [column(({ tenantId }) => tenantId), column(({ tokenId }) => tokenId)]
    // Not synced to disk: a moment of log lost in a crash changes nothing that matters.
    await db`
      insert into token_requests (tenant_id, token_id, id, at, is_refused, content)
      select tenant_id, token_id, id, at, is_refused::boolean, decode(content, 'hex') from unnest(
        ${tenantIds}::text[], ${tokenIds}::text[], ${column(({ id }) => id)}::text[], ${column(({ at }) => at)}::timestamptz[],
        ${column((row) => isRefused(row))}::text[],
        ${column((row) => keyring.seal(JSON.stringify(row.content), tokenRequestContext(row)))}::text[]
      ) as given (tenant_id, token_id, id, at, is_refused, content)
      cross join (select set_config('synchronous_commit', 'off', true)) unsynced`
    // Materialized: as part of the search for rows, the subquery would be run for each of them.
    await db`
      with kept as materialized (
        select tenant_id, token_id, is_refused, (
          select id from token_requests newer
          where newer.tenant_id = kind.tenant_id and newer.token_id = kind.token_id and newer.is_refused = kind.is_refused
          order by id desc offset ${REQUESTS_KEPT - 1} limit 1) as oldest
        from (
          select distinct tenant_id, token_id, is_refused from unnest(${tenantIds}::text[], ${tokenIds}::text[])
            as given (tenant_id, token_id) cross join (values (true), (false)) as either (is_refused)) kind)
      delete from token_requests r using kept
      where r.tenant_id = kept.tenant_id and r.token_id = kept.token_id and r.is_refused = kept.is_refused and r.id < kept.oldest`
  },

  /** The use of a token's scopes, and the first day for which the tenant has records. */
  async ofToken({ tenantId, tokenId }: TokenKey): Promise<{ since: string; scopes: ScopeUseRow[] }> {
    const first = sql`(now() at time zone 'UTC')::date - ${DAYS - 1}::int`
    const { since } = await db.only<{ since: string }>`
      select greatest(${first}, coalesce(min(day), (now() at time zone 'UTC')::date))::text as since
      from token_uses where tenant_id = ${tenantId}`
    const scopes = await db<ScopeUseRow[]>`
      select scope, sum(requests)::float8 as requests, max(day)::text as last_on from token_uses
      where tenant_id = ${tenantId} and token_id = ${tokenId} and day >= ${first} group by scope order by scope`
    return { since, scopes }
  },

  /** Newest first. */
  async page(
    { tenantId, tokenId }: TokenKey,
    { onlyRefused }: { onlyRefused: boolean },
    page: PageRequest,
  ): Promise<Page<TokenRequestRow>> {
    type Row = Omit<TokenRequestRow, 'content'> & { content: Buffer }
    const { rows, total } = await pageOf<Row>(db, page, {
      from: sql`from token_requests r where r.tenant_id = ${tenantId} and r.token_id = ${tokenId}
        ${onlyRefused ? sql`and r.is_refused` : sql``}`,
      order: sql`r.id desc`,
      pick: sql`r.tenant_id, r.token_id, r.id, r.at, r.content`,
    })
    const open = (row: Row) => JSON.parse(keyring.open(row.content, tokenRequestContext(row))) as TokenRequest
    return { total, rows: rows.map((row) => ({ ...row, content: open(row) })) }
  },

  /** Deletes a batch of requests older than a week and of counts older than 30 days. True if there may be more. */
  async forgetOld(): Promise<boolean> {
    const requests = await db.count`
      delete from token_requests where ctid = any(array(
        select ctid from token_requests where at < now() - interval '7 days'
        order by at limit ${DELETE_BATCH} for update skip locked))`
    const uses = await db.count`
      delete from token_uses where ctid = any(array(
        select ctid from token_uses where day < (now() at time zone 'UTC')::date - ${DAYS}::int
        order by day limit ${DELETE_BATCH} for update skip locked))`
    return requests === DELETE_BATCH || uses === DELETE_BATCH
  },
})
