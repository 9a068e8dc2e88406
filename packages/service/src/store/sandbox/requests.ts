import type { RecordedRequest } from '../../domain/sandbox/recorded-request.ts'
import { arrayText, columnsOf } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { pageOf, type Page, type PageRequest } from '../db/page.ts'
import { sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

export interface RequestRow {
  tenantId: string
  tokenId: string
  id: string
  at: Date
  content: RecordedRequest
}

/** Requests of a token that are kept. */
const KEPT = 100

export const requestContext = ({ tenantId, id }: { tenantId: string; id: string }) => `request ${tenantId} ${id}`

/** A request with its answer has up to 32 KB: a statement with all of them would take several MB until the next full collection. */
const ADDED_AT_ONCE = 4

/** The last requests of each token. */
export const requests = (db: Db, keyring: Keyring) => ({
  /** Adds requests and drops the oldest of their tokens. Must run in a transaction. */
  async record(rows: (RequestRow & { orderIds: string[] })[]): Promise<void> {
    for (let from = 0; from < rows.length; from += ADDED_AT_ONCE)
      await add(db, keyring, rows.slice(from, from + ADDED_AT_ONCE))
    const column = columnsOf(rows)
    // Materialized: as part of the search for rows, the subquery would be run for each of them.
    await db`
      with kept as materialized (
        select tenant_id, token_id, (
          select id from sandbox_requests newer where newer.tenant_id = token.tenant_id and newer.token_id = token.token_id
          order by id desc offset ${KEPT - 1} limit 1) as oldest
        from (
          select distinct tenant_id, token_id from unnest(
            ${column(({ tenantId }) => tenantId)}::text[], ${column(({ tokenId }) => tokenId)}::text[]
          ) as given (tenant_id, token_id)) token)
      delete from sandbox_requests r using kept
      where r.tenant_id = kept.tenant_id and r.token_id = kept.token_id and r.id < kept.oldest`
  },

  /** Newest first. */
  async page(
    { tenantId, tokenId }: { tenantId: string; tokenId: string },
    page: PageRequest,
  ): Promise<Page<RequestRow>> {
    type Row = Omit<RequestRow, 'content'> & { content: Buffer }
    const { rows, total } = await pageOf<Row>(db, page, {
      from: sql`from (
        select * from sandbox_requests where tenant_id = ${tenantId} and token_id = ${tokenId} order by id desc limit ${KEPT}) r`,
      order: sql`r.id desc`,
      pick: sql`r.tenant_id, r.token_id, r.id, r.at, r.content`,
    })
    const open = (row: Row) => JSON.parse(keyring.open(row.content, requestContext(row))) as RecordedRequest
    return { total, rows: rows.map((row) => ({ ...row, content: open(row) })) }
  },

  /** Deletes a batch of requests older than a week; true if there may be more. */
  async forgetOld(): Promise<boolean> {
    const count = await db.count`
      delete from sandbox_requests where ctid = any(array(
        select ctid from sandbox_requests where at < now() - interval '7 days' order by at limit 500 for update skip locked))`
    return count === 500
  },
})

async function add(db: Db, keyring: Keyring, rows: (RequestRow & { orderIds: string[] })[]): Promise<void> {
  const column = columnsOf(rows)
  await db`
    insert into sandbox_requests (tenant_id, token_id, id, at, order_ids, content)
    select tenant_id, token_id, id, at, order_ids::text[], decode(content, 'hex') from unnest(
      ${column(({ tenantId }) => tenantId)}::text[], ${column(({ tokenId }) => tokenId)}::text[],
      ${column(({ id }) => id)}::text[], ${column(({ at }) => at)}::timestamptz[],
      ${column(({ orderIds }) => arrayText(orderIds))}::text[],
      ${column((row) => keyring.seal(JSON.stringify(row.content), requestContext(row)))}::text[]
    ) as given (tenant_id, token_id, id, at, order_ids, content)`
}
