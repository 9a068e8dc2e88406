import type { Caller } from '../../domain/access/caller.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { PrefixedId } from '../../domain/orders/search-keys.ts'
import { arrayText, givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { codesOfPrefix, contentColumns, openOrder, searchHashes, type ContentRow } from './rows.ts'

/** Reading as many orders of each term finds nearly all: the rarest term of a query has far fewer. */
export const MOST_READ = 50_000

/** How far a search goes. */
export interface SearchBounds {
  /** Orders that it returns. */
  most: number
  /** Orders of a term that it reads to combine it with others. */
  read: number
}

/** Sorts after every code. */
const END = '~'

/** Orders by what operators know of them. */
export const orderSearch = (db: Db, keyring: Keyring) => ({
  /** The newest orders that have a key of every term. */
  async find(
    { tenantId, companyIds }: Caller,
    terms: readonly string[][],
    { most, read }: SearchBounds,
  ): Promise<Order[]> {
    if (terms.length === 0 || terms.some((keys) => keys.length === 0)) return []
    const hashes = terms.map((keys) => arrayText(keys.flatMap((key) => searchHashes(keyring, tenantId, key))))
    const rows = await db<ContentRow[]>`
      select ${contentColumns()} from search_orders(${tenantId}, ${companyIds}, ${hashes}::text[], ${most}, ${read})`
    return rows.map((row) => openOrder(keyring, tenantId, row))
  },

  /** Orders with this identifier, then the newest of those read whose identifier begins like this. */
  async findByPrefix(
    { tenantId, companyIds }: Caller,
    prefix: PrefixedId,
    { most, read }: SearchBounds,
  ): Promise<Order[]> {
    const ranges = codesOfPrefix(keyring, tenantId, prefix).map((low) => ({ low, high: successorOf(low) }))
    const rows = await db<ContentRow[]>`
      select o.* from (
        select found.order_id from ${givenRows(ranges, { bytea: ['low', 'high'] })}
        cross join lateral (
          select order_id, code from search_codes
          where tenant_id = ${tenantId} and code >= given.low and code < given.high order by code limit ${read}) found
        where exists (
          select from orders
          where tenant_id = ${tenantId} and id = found.order_id and company_id = any(${companyIds}) offset 0)
        group by found.order_id
        order by bool_or(found.code = given.low) desc, found.order_id desc limit ${most}) picked
      cross join lateral (
        select ${contentColumns()} from orders where tenant_id = ${tenantId} and id = picked.order_id offset 0) o`
    return rows.map((row) => openOrder(keyring, tenantId, row))
  },

  async findByCodePrefix({ tenantId, companyIds }: Caller, prefix: string, most: number): Promise<Order[]> {
    const rows = await db<ContentRow[]>`
      select ${contentColumns()} from orders
      where tenant_id = ${tenantId} and code >= ${prefix} and code < ${prefix + END} and company_id || '' = any(${companyIds})
      order by code limit ${most}`
    return rows.map((row) => openOrder(keyring, tenantId, row))
  },
})

/** The first bytes after all that begin with these; one longer if these are the last. */
function successorOf(bytes: Buffer): Buffer {
  const last = bytes.findLastIndex((byte) => byte < 0xff)
  if (last === -1) return Buffer.concat([bytes, Buffer.alloc(1, 0xff)])
  const next = Buffer.from(bytes.subarray(0, last + 1))
  next[last]! += 1
  return next
}
