import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from './keyring.ts'

/** The position of a pass in a table: the key of the last row it has read. */
export type Place = readonly string[]

export interface Pass {
  /** Reads only rows with plain text of an earlier build. */
  onlyPlain?: boolean
  /** Skips rows that cannot be opened. */
  isTolerant?: boolean
}

export interface Batch {
  renewed: number
  /** Rows that could not be opened. */
  failed: number
  /** Where to continue; undefined after the last row. */
  next: Place | undefined
}

/** Columns that `scanFor` adds to a row. */
export interface ScanMarks {
  /** Whether the row holds a value; only the last scanned row may not. */
  isDue: boolean
  /** Whether it is the last row of a full scan. */
  isLast: boolean
}

/** How the rows of a table are brought under the current key. */
interface SealedTable<Row> {
  /** Rows per read. */
  atOnce: number
  /** Reads the next rows after a place; with `onlyPlain`, those with plain text of an earlier build. */
  read: (place: Place, onlyPlain: boolean) => Promise<Row[]>
  /** Reseals a row unless it is under the current key; returns the number of rows written. */
  renew: (row: Row) => Promise<number> | number
  placeOf: (row: Row) => Place
}

/** Reseals the next rows after a place. */
export type RenewBatch = (place: Place, pass?: Pass) => Promise<Batch>

export const inBatches =
  <Row extends object>({ atOnce, read, renew, placeOf }: SealedTable<Row & Partial<ScanMarks>>): RenewBatch =>
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
export const SCAN_LIMIT = 2_000

interface Scan {
  columns: Statement
  table: Statement
  /** The key columns. */
  key: Statement
  /** The key values to continue after. */
  place: Statement
  /** Whether a row, as `scanned`, holds a value. */
  holds: Statement
  /** A condition with a partial index, used instead of `holds`. */
  indexed?: Statement | undefined
  atOnce: number
}

/** The next rows that hold a value, among the rows that one statement scans, and always the last scanned row. */
export const scanFor = ({ columns, table, key, place, holds, indexed, atOnce }: Scan): Statement =>
  indexed
    ? sql`select ${columns} from ${table} where (${key}) > (${place}) and ${indexed} order by ${key} limit ${atOnce}`
    : sql`
      select * from (
        select scanned.*, ${holds} as is_due, row_number() over (order by ${key}) = ${SCAN_LIMIT} as is_last
        from (
          select ${columns} from ${table} where (${key}) > (${place}) order by ${key} limit ${SCAN_LIMIT}) scanned) found
      where is_due or is_last order by ${key} limit ${atOnce}`

export interface Key {
  tenantId: string
  id: string
}

/** Rows per batch: few enough that opening and sealing them takes some milliseconds. */
export const BATCH = 100

export const placeOf = ({ tenantId, id }: Key) => [tenantId, id]

/** Condition and order for the rows after a place, by tenant and id. `plain` is a condition with a partial index. */
export const behind = ([tenant = '', id = '']: Place, atOnce: number, plain?: Statement) => sql`
  where (tenant_id, id) > (${tenant}, ${id}) ${plain ? sql`and ${plain}` : sql``}
  order by tenant_id, id limit ${atOnce}`

/** A row with one sealed value, which was never stored in plain text. */
export type Valued<Row> = Row & { value: Buffer }

/** The value resealed with the current key; null if it is under that key already. */
export const renewed = (keyring: Keyring, value: Buffer, context: string) =>
  keyring.isStale(value) ? keyring.seal(keyring.openBytes(value, context), context) : null
