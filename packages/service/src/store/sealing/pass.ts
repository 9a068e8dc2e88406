import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from './keyring.ts'

/** Where in a table a pass has come to: the key of the last row it has seen. */
export type Place = readonly string[]

export interface Pass {
  /** Looks only at rows in which an earlier build has kept plain text. */
  onlyPlain?: boolean
  /** Goes on with the next row where one cannot be opened. */
  isTolerant?: boolean
}

export interface Batch {
  renewed: number
  /** Rows that could not be opened. */
  failed: number
  /** Where to go on; absent when all rows were seen. */
  next: Place | undefined
}

/** What `rowsHolding` adds to a row. */
export interface Looked {
  /** Whether it holds something; only the last row looked at may not. */
  isDue: boolean
  /** Whether it is the last of the rows that one statement looks at. */
  isLast: boolean
}

/** How the rows of a table are brought under the current key. */
interface SealedTable<Row> {
  /** Rows read in one go. */
  atOnce: number
  /** The next rows behind a place; on request only those in which an earlier build has kept plain text. */
  read: (place: Place, onlyPlain: boolean) => Promise<Row[]>
  /** Writes a row anew, unless it is under the current key; the number of rows written. */
  renew: (row: Row) => Promise<number> | number
  placeOf: (row: Row) => Place
}

/** Renews the next rows behind a place. */
export type RenewBatch = (place: Place, pass?: Pass) => Promise<Batch>

export const inBatches =
  <Row extends object>({ atOnce, read, renew, placeOf }: SealedTable<Row & Partial<Looked>>): RenewBatch =>
  async (place, { onlyPlain = false, isTolerant = false } = {}) => {
    const rows = await read(place, onlyPlain)
    const due = rows.filter(({ isDue = true }) => isDue)
    const outcomes = await Promise.allSettled(due.map(async (row) => renew(row)))
    const failures = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    if (failures[0] && !isTolerant) throw failures[0].reason
    const renewed = outcomes.reduce((sum, outcome) => sum + (outcome.status === 'fulfilled' ? outcome.value : 0), 0)
    const last = rows.at(-1)
    const isMore = rows.length === atOnce || last?.isLast === true
    return { renewed, failed: failures.length, next: last && isMore ? placeOf(last) : undefined }
  }

/** Rows that one statement looks at: it has to end in time even if none of them holds anything. */
export const LOOKED_AT = 2_000

interface Holding {
  columns: Statement
  table: Statement
  /** The columns of the key. */
  key: Statement
  /** The values of the key to go on behind. */
  place: Statement
  /** Whether a row, as `looked`, holds something. */
  holds: Statement
  /** Instead of it, a condition of which an index knows the rows. */
  indexed?: Statement | undefined
  atOnce: number
}

/** The next rows that hold something, among those that one statement looks at, and the last one looked at in any case. */
export const rowsHolding = ({ columns, table, key, place, holds, indexed, atOnce }: Holding): Statement =>
  indexed
    ? sql`select ${columns} from ${table} where (${key}) > (${place}) and ${indexed} order by ${key} limit ${atOnce}`
    : sql`
      select * from (
        select looked.*, ${holds} as is_due, row_number() over (order by ${key}) = ${LOOKED_AT} as is_last
        from (
          select ${columns} from ${table} where (${key}) > (${place}) order by ${key} limit ${LOOKED_AT}) looked) found
      where is_due or is_last order by ${key} limit ${atOnce}`

export interface Key {
  tenantId: string
  id: string
}

/** Rows read in one go: few enough that opening and sealing them takes some milliseconds. */
export const BATCH = 100

export const placeOf = ({ tenantId, id }: Key) => [tenantId, id]

/** The condition and order of the rows behind a place, by tenant and id. `plain` is a condition that an index answers. */
export const behind = ([tenant = '', id = '']: Place, atOnce: number, plain?: Statement) => sql`
  where (tenant_id, id) > (${tenant}, ${id}) ${plain ? sql`and ${plain}` : sql``}
  order by tenant_id, id limit ${atOnce}`

/** A row with one sealed value, which was never kept as plain text. */
export type Valued<Row> = Row & { value: Buffer }

/** The value under the current key; null where it is under it already. */
export const renewed = (keyring: Keyring, value: Buffer, context: string) =>
  keyring.isStale(value) ? keyring.seal(keyring.openBytes(value, context), context) : null
