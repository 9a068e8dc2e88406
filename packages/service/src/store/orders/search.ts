import type { Caller } from '../../domain/access/caller.ts'
import type { Order } from '../../domain/orders/order.ts'
import { arrayText } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { contentColumns, openOrder, searchHashes, type ContentRow } from './rows.ts'

/** How far terms are counted to find the rarest: twenty thousand rows of an index are read in a few milliseconds. */
const MOST_COUNTED = 20_000

/** Sorts after every code. */
const END = '~'

/** Orders by what operators know of them. */
export const orderSearch = (db: Db, keyring: Keyring) => ({
  /** The newest orders that have a key of every term. */
  async find({ tenantId, companyIds }: Caller, terms: readonly string[][], most: number): Promise<Order[]> {
    if (terms.length === 0 || terms.some((keys) => keys.length === 0)) return []
    const hashes = terms.map((keys) => arrayText(keys.flatMap((key) => searchHashes(keyring, tenantId, key))))
    const rows = await db<ContentRow[]>`
      select ${contentColumns()} from search_orders(${tenantId}, ${companyIds}, ${hashes}::text[], ${most}, ${MOST_COUNTED})`
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
