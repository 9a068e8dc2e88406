import type { Caller } from '../../domain/access/caller.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

export interface KeptAnswer {
  caller: Caller
  key: string
  /** In hexadecimal digits, to tell a repeat from another request with the same key. */
  requestHash: string
  status: number
  text: string
  at: Date
}

/** How long a key is remembered. */
const KEPT = '24 hours'
const FORGOTTEN_AT_ONCE = 5_000
const OPENED_AT_ONCE = 500

/** Answers to requests that carried a key, for those who have to ask again. */
export const idempotency = (db: Db, keyring: Keyring) => ({
  async find(
    caller: Caller,
    key: string,
    now: Date,
  ): Promise<Pick<KeptAnswer, 'requestHash' | 'status' | 'text'> | undefined> {
    const [row] = await db<{ status: number; answer: Buffer }[]>`
      select status, answer from idempotency_keys
      where tenant_id = ${caller.tenantId} and token_id = ${caller.tokenId} and key = ${key}
        and created_at > ${now}::timestamptz - ${KEPT}::interval`
    if (!row) return undefined
    const opened = keyring.open(row.answer, answerContext(caller, key))
    const end = opened.indexOf('\n')
    return { requestHash: opened.slice(0, end), status: row.status, text: opened.slice(end + 1) }
  },

  /** Keeps the answer; false where another request with the same key came first. */
  async keep(answer: KeptAnswer): Promise<boolean> {
    return (await db.count`${keep(keyring, answer)}`) > 0
  },

  /** Removes the kept answers that show one of these orders. They are sealed, so that each has to be opened. */
  async forgetOrders(tenantId: string, orderIds: readonly string[]): Promise<void> {
    let place = { tokenId: '', key: '' }
    for (;;) {
      const rows = await db<{ tokenId: string; key: string; answer: Buffer }[]>`
        select token_id, key, answer from idempotency_keys
        where tenant_id = ${tenantId} and (token_id, key) > (${place.tokenId}, ${place.key})
        order by token_id, key limit ${OPENED_AT_ONCE}`
      const shown = rows.filter(({ tokenId, key, answer }) => {
        const text = keyring.open(answer, answerContext({ tenantId, tokenId }, key))
        return orderIds.some((id) => text.includes(id))
      })
      await db`
        delete from idempotency_keys where tenant_id = ${tenantId} and (token_id, key) in (
          select * from unnest(${shown.map(({ tokenId }) => tokenId)}::text[], ${shown.map(({ key }) => key)}::text[]))`
      if (rows.length < OPENED_AT_ONCE) return
      place = rows.at(-1)!
    }
  },

  /** A batch at a time; tells whether there may be more. */
  async forgetOld(now: Date): Promise<boolean> {
    const gone = await db.count`
      delete from idempotency_keys where ctid = any(array(
        select ctid from idempotency_keys where created_at <= ${now}::timestamptz - ${KEPT}::interval
        order by created_at limit ${FORGOTTEN_AT_ONCE}))`
    return gone === FORGOTTEN_AT_ONCE
  },
})

/**
 * Keeps an answer, unless its key is taken. Waits for another request with the key that is under way. The hash of the
 * request is sealed too: whoever knows the rest of a request could try identifiers until it fits.
 */
export const keep = (keyring: Keyring, { caller, key, requestHash, status, text, at }: KeptAnswer): Statement => sql`
  insert into idempotency_keys as kept (tenant_id, token_id, key, status, answer, created_at)
  values (${caller.tenantId}, ${caller.tokenId}, ${key}, ${status},
    ${keyring.seal(`${requestHash}\n${text}`, answerContext(caller, key))}, ${at})
  on conflict (tenant_id, token_id, key) do update
    set status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
    where kept.created_at <= ${at}::timestamptz - ${KEPT}::interval
  returning key`

export const answerContext = ({ tenantId, tokenId }: { tenantId: string; tokenId: string }, key: string) =>
  `answer ${tenantId} ${tokenId} ${key}`
