import type { Caller } from '../../domain/access/caller.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { PrefixedId } from '../../domain/orders/search-keys.ts'
import { arrayText, givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { codesOfPrefix, contentColumns, openOrder, searchHashes, type ContentRow } from './rows.ts'

/** How many orders of a term are read to combine it with others: the rarest term of a query has far fewer. */
const MOST_READ = 50_000

/** Sorts after every code. */
const END = '~'

/** Orders by what operators know of them. */
export const orderSearch = (db: Db, keyring: Keyring) => ({
  /** The newest orders that have a key of every term. */
  async find({ tenantId, companyIds }: Caller, terms: readonly string[][], most: number): Promise<Order[]> {
    if (terms.length === 0 || terms.some((keys) => keys.length === 0)) return []
    const hashes = terms.map((keys) => arrayText(keys.flatMap((key) => searchHashes(keyring, tenantId, key))))
    const rows = await db<ContentRow[]>`
      select ${contentColumns()} from search_orders(${tenantId}, ${companyIds}, ${hashes}::text[], ${most}, ${MOST_READ})`
    return rows.map((row) => openOrder(keyring, tenantId, row))
  },

  /** Orders with an identifier that begins like this, in no particular order. */
  async findByPrefix({ tenantId, companyIds }: Caller, prefix: PrefixedId, most: number): Promise<Order[]> {
    const ranges = codesOfPrefix(keyring, tenantId, prefix).map((low) => ({ low, high: successorOf(low) }))
    const rows = await db<ContentRow[]>`
      select o.* from ${givenRows(ranges, { bytea: ['low', 'high'] })}
      cross join lateral (
        select order_id from search_codes
        where tenant_id = ${tenantId} and code >= given.low and code < given.high order by code limit ${most}) found
      cross join lateral (
        select ${contentColumns()} from orders
        where tenant_id = ${tenantId} and id = found.order_id and company_id = any(${companyIds}) offset 0) o
      limit ${most}`
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
