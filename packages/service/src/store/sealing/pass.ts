import type { Db } from '../db/db.ts'
import { assign, identifiers, list, sql, type Statement, type Value } from '../db/sql.ts'

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

/** Reseals the next rows after a place. */
export type RenewBatch = (place: Place, pass?: Pass) => Promise<Batch>

/** A table with sealed values. */
export interface SealedTable {
  table: string
  /** The columns of the primary key, named like the members of a row; by default `tenantId` and `id`. */
  key?: string[]
  /** The other columns that are read. */
  columns: Statement
  /** Whether a row has plain text of an earlier build. A partial index has this condition. Absent if there never was any. */
  plain?: Statement
  /** Whether a row, as `scanned`, has anything to reseal; absent if all have. */
  holds?: Statement
  /** Rows per batch: few enough that opening and sealing them takes some milliseconds. */
  atOnce?: number
}

/** A table whose rows are updated in place. */
interface UpdatedTable<Row> extends SealedTable {
  /** The columns to write; null if the row is under the current key already. */
  renew: (row: Row) => Record<string, Value> | null
  /** The condition that the row was not written since it was read. */
  isUnchanged: (row: Row) => Statement
}

/** Reseals the rows of a table. */
export const renewRows = <Row extends object>(db: Db, { renew, isUnchanged, ...table }: UpdatedTable<Row>) =>
  inBatches<Row>(db, table, (row) => {
    const changed = renew(row)
    if (!changed) return 0
    const { key = KEY } = table
    return db.count`
      update ${identifiers(table.table)} set ${assign(changed)}
      where (${identifiers(...key)}) = (${list(keyOf(row, key))}) and ${isUnchanged(row)}`
  })

/** Calls `renew`, which returns the number of rows it has written, for each row of a table. */
export const inBatches =
  <Row extends object>(db: Db, table: SealedTable, renew: (row: Row) => Promise<number> | number): RenewBatch =>
  async (place, { onlyPlain = false, isTolerant = false } = {}) => {
    if (onlyPlain && !table.plain) return { renewed: 0, failed: 0, next: undefined }
    const { key = KEY, atOnce = BATCH } = table
    const rows = await db<(Row & Partial<ScanMarks>)[]>`${selectAfter(place, { ...table, onlyPlain })}`
    const due = rows.filter(({ isDue = true }) => isDue)
    const outcomes = await Promise.allSettled(due.map(async (row) => renew(row)))
    const failures = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    if (failures[0] && !isTolerant) throw failures[0].reason
    const renewed = outcomes.reduce((sum, outcome) => sum + (outcome.status === 'fulfilled' ? outcome.value : 0), 0)
    const last = rows.at(-1)
    const isMore = rows.length === atOnce || last?.isLast === true
    return { renewed, failed: failures.length, next: last && isMore ? keyOf(last, key) : undefined }
  }

const KEY = ['tenantId', 'id']
const BATCH = 100

const keyOf = (row: object, key: string[]): Place => key.map((name) => String((row as Record<string, unknown>)[name]))

/** Rows that one statement scans: it has to end in time even if none of them holds anything. */
export const SCAN_LIMIT = 2_000

/** Columns that a scan adds to a row. */
interface ScanMarks {
  /** Whether the row holds a value; only the last scanned row may not. */
  isDue: boolean
  /** Whether it is the last row of a full scan. */
  isLast: boolean
}

/** The next rows with a value. Where few have one, those among the rows that one statement scans, and the last scanned row. */
function selectAfter(place: Place, { onlyPlain, ...table }: SealedTable & { onlyPlain: boolean }): Statement {
  const { plain, holds, atOnce = BATCH } = table
  const key = identifiers(...(table.key ?? KEY))
  const rows = sql`
    select ${key}, ${table.columns} from ${identifiers(table.table)}
    where ${place.length === 0 ? sql`true` : sql`(${key}) > (${list(place)})`}`
  if (onlyPlain) return sql`${rows} and ${plain!} order by ${key} limit ${atOnce}`
  if (!holds) return sql`${rows} order by ${key} limit ${atOnce}`
  return sql`
    select * from (
      select scanned.*, ${holds} as is_due, row_number() over (order by ${key}) = ${SCAN_LIMIT} as is_last
      from (${rows} order by ${key} limit ${SCAN_LIMIT}) scanned) found
    where is_due or is_last order by ${key} limit ${atOnce}`
}
