import type { Caller } from '../../domain/access/caller.ts'
import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** The response to a request with an `Idempotency-Key`. */
export interface SavedResponse {
  caller: Caller
  key: string
  /** Hexadecimal. Tells a repeated request from a different one with the same key. */
  requestHash: string
  status: number
  text: string
  at: Date
}

const LIFETIME_MS = 24 * 3_600_000
export const IDEMPOTENCY_LIFETIME = '24 hours'
const DELETED_AT_ONCE = 5_000
const OPENED_AT_ONCE = 500

export const idempotency = (db: Db, keyring: Keyring) => ({
  async find(caller: Caller, key: string, now: Date) {
    const row = await db.first<{ status: number; answer: Buffer }>`
      select status, answer from idempotency_keys
      where tenant_id = ${caller.tenantId} and token_id = ${caller.tokenId} and key = ${key}
        and created_at > ${now}::timestamptz - ${IDEMPOTENCY_LIFETIME}::interval`
    if (!row) return undefined
    const opened = keyring.open(row.answer, responseContext(caller, key))
    const end = opened.indexOf('\n')
    return { requestHash: opened.slice(0, end), status: row.status, text: opened.slice(end + 1) }
  },

  /** Returns false if another request with the same key came first. */
  async save(response: SavedResponse): Promise<boolean> {
    return (await db.count`${saveStatement(keyring, response)}`) > 0
  },

  /** Deletes the responses that show one of these orders. They are sealed, so each has to be opened. */
  async forgetOrders(tenantId: string, orderIds: readonly string[]): Promise<void> {
    let last = { tokenId: '', key: '' }
    for (;;) {
      const rows = await db<{ tokenId: string; key: string; answer: Buffer }[]>`
        select token_id, key, answer from idempotency_keys
        where tenant_id = ${tenantId} and (token_id, key) > (${last.tokenId}, ${last.key})
        order by token_id, key limit ${OPENED_AT_ONCE}`
      const showing = rows.filter(({ tokenId, key, answer }) => {
        const text = keyring.open(answer, responseContext({ tenantId, tokenId }, key))
        return orderIds.some((id) => text.includes(id))
      })
      await db`
        delete from idempotency_keys where tenant_id = ${tenantId} and (token_id, key) in (
          select token_id, key from ${givenRows(showing, { text: ['tokenId', 'key'] })})`
      if (rows.length < OPENED_AT_ONCE) return
      last = rows.at(-1)!
    }
  },

  /** Deletes one batch of expired responses. Returns whether there may be more. */
  async forgetOld(now: Date): Promise<boolean> {
    const deleted = await db.count`
      delete from idempotency_keys where ctid = any(array(
        select ctid from idempotency_keys where created_at <= ${now}::timestamptz - ${IDEMPOTENCY_LIFETIME}::interval
        order by created_at limit ${DELETED_AT_ONCE}))`
    return deleted === DELETED_AT_ONCE
  },
})

/**
 * Saves a response unless its key is taken; waits for a concurrent request with the same key. The hash of the request is
 * sealed too: with the rest of a request known, identifiers could be guessed from it.
 */
export const saveStatement = (
  keyring: Keyring,
  { caller, key, requestHash, status, text, at }: SavedResponse,
): Statement => sql`
  insert into idempotency_keys as saved (tenant_id, token_id, key, status, answer, created_at)
  values (${caller.tenantId}, ${caller.tokenId}, ${key}, ${status},
    ${keyring.seal(`${requestHash}\n${text}`, responseContext(caller, key))}, ${at})
  on conflict (tenant_id, token_id, key) do update
    set status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
    where saved.created_at <= ${new Date(at.getTime() - LIFETIME_MS)}
  returning key`

export const responseContext = ({ tenantId, tokenId }: { tenantId: string; tokenId: string }, key: string) =>
  `answer ${tenantId} ${tokenId} ${key}`
